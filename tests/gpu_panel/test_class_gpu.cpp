// Windows of a class run kernels and programs on its GPU: in its queue, each told its place, with answers that go
// through the same checks as those of a worker of one's own.
#include "app/classroom/workers.h"
#include "app/session/class_moves.h"
#include "app/session/overlays.h"
#include "app/session/write_moves.h"
#include "app/window/class_visit.h"
#include "app/panels/gpu_parts.h"
#include "tests/app/null_screen.h"
#include "tests/gpu_panel/lab.h"

#include <deque>
#include <random>

namespace tilewalk::test_class_gpu {
using namespace tilewalk::test;

namespace {

struct Hall;

// A wire that is a function call.
struct Wire : ClassSocket {
  Hall& hall;
  ConnId conn = 0;
  std::vector<ClassEvent> come;

  explicit Wire(Hall& to) : hall(to) {}
  void open(const std::string&) override;
  void close() override;
  void send(const std::string& line) override;
  std::vector<ClassEvent> take() override { return std::exchange(come, {}); }
};

struct Guest {
  NullTextures textures;
  std::atomic<bool> woken = false;
  Window window{textures};
  Wire* wire = nullptr;

  Guest(Hall& hall, std::string_view own_worker = {}) {
    apply_choice(window.session, window.view, "preset", "toy");
    for (const auto& [field, text] : {std::pair{"n_q", "64"}, {"d", "16"}, {"br", "16"}, {"bc", "16"}})
      REQUIRE(apply_field(window.session, window.view, field, text).empty());
    window.view.tab = Tab::Gpu;
    window.view.column_open = true;
    DeskOptions options;
    if (!own_worker.empty()) options.command = {{TILEWALK_STAND_IN, std::string(own_worker)}, {}};
    options.clock = now;
    options.wake = [this] { woken = true; };
    options.date = [] { return std::string("2026-11-24T10:00:00Z"); };
    window.gpu = std::make_unique<GpuDesk>(std::move(options));
    window.gpu->start();
    auto socket = std::make_unique<Wire>(hall);
    wire = socket.get();
    window.class_socket = std::move(socket);
  }
  const GpuStatus& status() const { return window.view.gpu.status; }
  void join() { REQUIRE(join_class(window.view, "10.0.0.5:8660 k7m-2xq").empty()); }
  void turn() {
    window.clock = now();
    look_after_class(window);
    update_gpu(*window.gpu, window.session, window.view, window.view.notice);
    speak_in_class(window);
  }
  void run() { REQUIRE(run_command("gpu-run", window.session, window.view)); }
  std::string sentence() const { return gpu_words(window.view.gpu).sentence; }
};

struct Hall {
  std::mt19937_64 random{5};
  Room room{"k7m-2xq", "0123456789abcdef0123456789abcdef", [this] { return random(); }};
  std::unique_ptr<Workers> workers;
  ConnId next = 1;
  std::vector<Guest*> guests;

  void work(std::initializer_list<const char*> scripts) {
    WorkersSettings settings;
    for (const char* script : scripts) settings.commands.push_back({TILEWALK_STAND_IN, script});
    workers = std::make_unique<Workers>(
        std::move(settings), room, [] {}, [](const std::string&) {});
  }
  void turn() {
    for (Guest* guest : guests) guest->turn();
    if (workers) workers->poll(now());
    room.tick(now());
    for (const Room::Out& out : room.take_out())
      for (Guest* guest : guests)
        if (guest->wire->conn == out.to) guest->wire->come.push_back({ClassEvent::Kind::Line, *out.text});
  }
  // They join, and have the class's GPU.
  void seat(std::vector<Guest*> all) {
    guests = std::move(all);
    for (Guest* guest : guests) guest->join();
    REQUIRE(until([&] {
      return std::ranges::all_of(guests, [](const Guest* guest) { return guest->status().state == GpuState::Remote; });
    }));
  }
  template <class Done>
  bool until(Done done, double seconds = 20) {
    for (const double end = now() + seconds; now() < end; std::this_thread::sleep_for(std::chrono::milliseconds(2))) {
      turn();
      if (done()) return true;
    }
    return false;
  }
};

void Wire::open(const std::string&) {
  close();
  conn = hall.next++;
  REQUIRE(hall.room.opened(conn, "10.0.0.9", now()));
  come.push_back({ClassEvent::Kind::Opened, {}});
}
void Wire::close() {
  if (conn) hall.room.closed(std::exchange(conn, 0));
}
void Wire::send(const std::string& line) { hall.room.said(conn, line, now()); }

}  // namespace

TEST_CASE("What a window asks of the class's GPU goes out before it sleeps, though nothing comes from the class") {
  Hall hall;
  hall.work({"slow"});
  const NullImgui imgui;
  NullScreen screen;
  Guest a(hall);
  hall.seat({&a});
  apply_field(a.window.session, a.window.view, "n_q", "900");  // inputs that take a moment
  a.run();
  a.window.redraw = 1;
  const auto told = [&] {
    return std::ranges::any_of(hall.room.take_out(),
                               [](const Room::Out& out) { return out.text->find("\"ahead\"") != std::string::npos; });
  };
  // The window turns where something has woken it or is to be drawn, as its shells do.
  bool asked = false;
  for (const double end = now() + 10; !asked && now() < end;) {
    if (a.window.redraw > 0 || a.woken.exchange(false))
      frame(a.window, screen);
    else
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    asked = told();
  }
  CHECK(asked);
}

TEST_CASE("A class that says nothing for long is a connection that is lost, and is opened again") {
  Hall hall;
  hall.work({"slow"});
  Guest a(hall);
  hall.seat({&a});
  Window& w = a.window;
  const Attendance& with = *w.view.classroom.with;
  const auto pass = [&](double seconds) {
    w.clock += seconds;
    look_after_class(w);
    speak_in_class(w);
  };
  pass(0);
  CHECK(seconds_to_class(w) == doctest::Approx(25).epsilon(0.2));
  pass(20);
  CHECK(with.in());
  a.wire->come.push_back({ClassEvent::Kind::Line, R"({"type":"alive"})"});
  pass(4);
  const int64_t drawn = with.changes();
  pass(20);
  CHECK(with.in());
  CHECK(with.changes() == drawn);
  pass(6);
  CHECK_FALSE(with.in());
  CHECK(with.state() == Attendance::State::Lost);
  const ConnId before = a.wire->conn;
  pass(2);
  pass(0);
  CHECK(a.wire->conn != before);
}

TEST_CASE("Windows of a class run on its GPU, each told its place, and what was run lately is told at once") {
  Hall hall;
  hall.work({"slow"});
  Guest a(hall), b(hall);
  a.turn();
  CHECK(a.status().state == GpuState::NoWorker);
  hall.seat({&a, &b});
  CHECK(a.status().in_class);
  CHECK(a.sentence().find("All in the class share it") != std::string::npos);
  apply_field(b.window.session, b.window.view, "n_q", "48");
  a.run();
  REQUIRE(hall.until([&] { return a.status().place && a.status().place->running; }));
  CHECK(a.sentence() == "Your run is on the class's GPU now.");
  b.run();
  REQUIRE(hall.until([&] { return b.status().place.has_value(); }));
  CHECK(b.sentence().starts_with("1 run is ahead of yours: about "));
  REQUIRE(hall.until([&] { return a.status().state == GpuState::Result; }));
  CHECK(a.status().result->spec.problem.n_q == 64);
  CHECK_FALSE(a.status().place);
  REQUIRE(hall.until([&] { return b.status().state == GpuState::Result; }));
  CHECK(b.status().result->spec.problem.n_q == 48);
  apply_field(b.window.session, b.window.view, "n_q", "64");
  b.run();
  REQUIRE(hall.until([&] { return b.status().state == GpuState::Running; }));
  REQUIRE(hall.until([&] { return b.status().state == GpuState::Result; }, 3));
  CHECK(b.status().result->spec.problem.n_q == 64);
  // Of one's own again, where the class is left.
  leave_class(a.window.view);
  REQUIRE(hall.until([&] { return a.status().state == GpuState::NoWorker; }));
  CHECK_FALSE(a.status().in_class);
}

TEST_CASE("A run in a class is taken back, is asked for again after a lost connection, and is answered once") {
  Hall hall;
  hall.work({"slow"});
  Guest a(hall), b(hall);
  hall.seat({&a, &b});
  a.run();
  REQUIRE(hall.until([&] { return a.status().place && a.status().place->running; }));
  REQUIRE(run_command("gpu-stop", a.window.session, a.window.view));
  REQUIRE(hall.until([&] { return a.status().state == GpuState::Remote; }));
  CHECK(a.status().what == "The run was stopped.");
  a.run();
  REQUIRE(hall.until([&] { return a.status().place.has_value(); }));
  a.wire->close();
  a.wire->come.push_back({ClassEvent::Kind::Ended, {}});
  CHECK(hall.until([&] { return a.window.view.classroom.with->state() == Attendance::State::Lost; }));
  REQUIRE(hall.until([&] { return a.status().state == GpuState::Result; }));
  CHECK(a.status().result->kernels.size() >= 1);
}

TEST_CASE("A class's GPU that dies with the run is told of, and where the class has none one's own is used") {
  Hall hall;
  hall.work({"die"});
  Guest a(hall, "well");
  hall.guests = {&a};
  REQUIRE(hall.until([&] { return a.status().state == GpuState::Ready; }));
  hall.seat({&a});
  a.run();
  REQUIRE(hall.until([&] { return a.status().state == GpuState::Failed; }, 40));
  CHECK(a.status().what.find("twice") != std::string::npos);
  hall.workers.reset();
  hall.room.worker_gone(1, now());
  for (WorkerId k = 2; k < 8; ++k) hall.room.worker_gone(k, now());
  hall.room.expect_workers(false, now());
  REQUIRE(hall.until([&] { return a.status().state == GpuState::Ready; }));
  CHECK_FALSE(a.status().in_class);
  a.run();
  CHECK(hall.until([&] { return a.status().state == GpuState::Result; }));
}

TEST_CASE("What a class's GPU says is held against what was asked, as a worker's is") {
  Hall hall;
  hall.work({"lies:0"});
  Guest a(hall);
  hall.seat({&a});
  a.run();
  REQUIRE(hall.until([&] { return a.status().state == GpuState::Failed; }));
  CHECK(a.status().refused);
}

TEST_CASE("GPUs of a class may be of several kinds: answers are of the one that took the run") {
  Hall hall;
  hall.work({"slow", "no-fa3"});
  Guest a(hall), b(hall);
  hall.seat({&a, &b});
  const auto done = [](const Guest& guest) {
    return guest.status().state == GpuState::Result || guest.status().state == GpuState::Failed;
  };
  bool of_both = false;
  for (int k = 0; k < 20 && !of_both; ++k) {
    for (Guest* guest : hall.guests) {
      const std::string n = std::to_string(32 + 4 * k + 2 * (guest == &b));
      REQUIRE(apply_field(guest->window.session, guest->window.view, "n_q", n).empty());
      guest->run();
      REQUIRE(hall.until([&] { return guest->status().state == GpuState::Running; }));
    }
    REQUIRE(hall.until([&] { return done(a) && done(b); }));
    REQUIRE(a.status().result);  // all but FA3, which one of them does not run
    REQUIRE(b.status().result);
    of_both = a.status().result->provenance.gpu != b.status().result->provenance.gpu;
  }
  CHECK(of_both);
}

TEST_CASE("A written program runs on the class's GPU") {
  Hall hall;
  hall.work({"well"});
  Guest a(hall);
  hall.seat({&a});
  open_write(a.window.session, a.window.view);
  begin_program(a.window.session, a.window.view, "fa2");
  REQUIRE(hall.until([&] { return a.window.view.gpu.program.has_value(); }));
  a.window.view.gpu.wishes.program = true;
  REQUIRE(hall.until([&] { return a.status().program != nullptr; }));
  CHECK(a.status().program->spec.text.words == a.window.view.gpu.program->text.words);
}

TEST_CASE("The roofs of a class's GPU are not for pages to measure") {
  Hall hall;
  hall.work({"well"});
  Guest a(hall);
  hall.seat({&a});
  a.window.view.gpu.wishes.ceilings = true;
  a.turn();
  CHECK(a.window.view.notice.find("its roofs are measured by who serves") != std::string::npos);
  CHECK_FALSE(a.window.gpu->client().busy());
}

}  // namespace tilewalk::test_class_gpu
