// A written program on a GPU, in Write: what was recorded of the same steps, and what a worker says of it.
#include "app/session/write_moves.h"
#include "app/window/frame.h"
#include "tests/gpu_panel/lab.h"

namespace tilewalk::test_programs {
using namespace tilewalk::test;

namespace {

struct WriteLab : Lab {
  explicit WriteLab(std::string_view script, std::string_view program = "fa2") : Lab(script) {
    open_write(session, view);
    begin_program(session, view, program);
    view.column_over = view.column_open = false;
  }
  void look() {
    for (const double until = now() + 30; now() < until; std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
      update_gpu(*desk, session, view, notice);
      if (desk->settled() && !view.gpu.status.running_program) break;
    }
    update_gpu(*desk, session, view, notice);
  }
  void type(std::string_view text) {
    take_program(session, view, text);
    look();
  }
  const ProgramCard& card() {
    look();
    REQUIRE(view.gpu.program_card);
    return *view.gpu.program_card;
  }
};

}  // namespace

TEST_CASE("a program that takes a recorded one's steps has its times and bytes, however it is written") {
  WriteLab lab("");
  CHECK(lab.card().recorded);
  REQUIRE(lab.card().own);
  CHECK(lab.card().own->spec.name == "fa2");
  CHECK(lab.card().beside.size() == 4);
  CHECK(has_text(window_of(lab), "Recorded on an H200: FA2, which takes the same steps"));
  CHECK(has_text(window_of(lab), "Same steps"));
  const std::string text(shipped_program("fa2"));
  lab.type("# in my own words\n" + text);
  REQUIRE(lab.card().own);
  CHECK(lab.card().own->spec.name == "fa2");
  std::string other = text;
  other.replace(other.find("O = alpha O"), 11, "O = O");
  lab.type(other);
  CHECK_FALSE(lab.card().own);
  CHECK(has_text(window_of(lab), "Nothing was recorded that takes these steps"));
  lab.type("nonsense");
  CHECK_FALSE(lab.view.gpu.program);
  leave_write(lab.view);
  lab.look();
  CHECK_FALSE(lab.view.gpu.program_card);
}

TEST_CASE("a program runs on the worker's GPU; a wrong one's first wrong row is told") {
  for (const std::string_view script : {"ready", "wrong"}) {
    WriteLab lab(script);
    lab.look();
    REQUIRE(run_command("program-run", lab.session, lab.view));
    lab.look();
    const ProgramCard& card = lab.card();
    REQUIRE(card.own);
    CHECK_FALSE(card.recorded);
    const Scene scene = window_of(lab);
    CHECK(has_text(scene, "Yours on this"));
    CHECK(has_text(scene, "the first is row 3 of head 1") == (script == "wrong"));
    CHECK(has_text(scene, "500 µs") == (script == "ready"));
  }
}

TEST_CASE("what the window knows to be wrong is called so beside what a GPU measured of it") {
  WriteLab lab("ready");
  std::string other(shipped_program("fa2"));
  other.replace(other.find("O = alpha O"), 11, "O = O");
  lab.type(other);
  REQUIRE(run_command("program-run", lab.session, lab.view));
  lab.look();
  REQUIRE(lab.card().own);
  const Scene scene = window_of(lab);
  CHECK(has_text(scene, "500 µs"));
  CHECK(has_text(scene, "Wrong"));
  CHECK_FALSE(has_text(scene, "Yours 5"));
}

TEST_CASE("what a worker cannot have measured of a program is not shown, and a lost one leaves what was recorded") {
  for (const std::string_view script : {"too-fast", "die"}) {
    WriteLab lab(script);
    lab.look();
    REQUIRE(run_command("program-run", lab.session, lab.view));
    lab.look();
    lab.reach(GpuState::Failed);
    CHECK(lab.card().recorded);
    CHECK_FALSE(lab.view.gpu.status.program);
  }
}

TEST_CASE("Write with a GPU's table fits every window") {
  for (const std::string_view program : {"fa2", "standard-backward"}) {
    WriteLab lab("ready", program);
    lab.look();
    check_layout(lab, std::string("write ") + std::string(program), true, false);
  }
}

}  // namespace tilewalk::test_programs
