// The command table, the keys that its words name, and what the transport does to the playhead.
#include "app/session/commands.h"

#include "app/panels/panels.h"
#include "app/panels/window_grid.h"
#include "app/session/fields.h"
#include "app/session/go_to.h"
#include "app/session/hands.h"
#include "app/session/open_any.h"
#include "app/session/own_tensors.h"
#include "app/session/transport.h"
#include "core/io/file.h"
#include "tests/core/io_helpers.h"

#include <doctest/doctest.h>

#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <tuple>

namespace tilewalk::test_commands {

namespace {

KeyPress press_of(std::string_view words) { return parse_keys(words).at(0); }

// Runs time on in frames of 1/60 s.
void run(const Session& session, ViewState& view, float seconds) {
  for (float t = 0; t < seconds; t += 1.0f / 60) advance(session.walk(), view, 1.0f / 60);
}

// Past the time in which the next step would count as a repeated key.
void pause(const Session& session, ViewState& view) { run(session, view, 0.5f); }

}  // namespace

TEST_CASE("Every command has an id, a title, a group and keys of its own") {
  std::set<std::string_view> ids, titles;
  std::set<std::tuple<int, char32_t, bool, bool>> keys[2];  // while studying, and what Present mode puts before them
  CHECK(commands().size() >= 30);
  for (const Command& command : commands()) {
    CAPTURE(command.id);
    CHECK(ids.insert(command.id).second);
    CHECK(titles.insert(command.title).second);
    CHECK_FALSE(command.title.empty());
    CHECK_FALSE(command.group.empty());
    const std::vector<KeyPress> presses = parse_keys(command.keys);
    CHECK_FALSE(presses.empty());
    for (const KeyPress& press : presses) {
      CHECK(press.key != Key::None);
      const bool presenting = command.mode == Mode::Present;
      CHECK(keys[presenting].insert({int(press.key), press.character, press.shift, press.ctrl}).second);
      CHECK(command_for(press, presenting) == &command);
    }
  }
}

TEST_CASE("Keys are what their words say") {
  CHECK(press_of("Ctrl+→").key == Key::Right);
  CHECK(press_of("Ctrl+→").ctrl);
  CHECK(press_of("Ctrl++").character == U'+');
  CHECK(press_of("Ctrl+Shift+R").shift);
  CHECK(press_of("[").character == U'[');
  CHECK(parse_keys("F1 or ?").size() == 2);
  CHECK(parse_keys("Hyper").at(0).key == Key::None);
  // A capital letter is the same key; another modifier is another key.
  CHECK(same_key(press_of("G"), {Key::Character, U'g', false, false, false}));
  CHECK(same_key(press_of("G"), {Key::Character, U'G', true, false, false}));
  CHECK_FALSE(same_key(press_of("→"), press_of("Shift+→")));
  CHECK_FALSE(same_key(press_of("Ctrl+0"), press_of("Ctrl+1")));
}

TEST_CASE("As far back as forward ends where it began") {
  for (const Method id : {Method::Standard, Method::Fa1, Method::Fa2, Method::Fa3}) {
    Session session;
    Setup setup = session.setup();
    setup.schedule = id;
    setup.problem.mask = Mask::Causal;
    setup.problem.n_q = setup.problem.n_k = 18;
    REQUIRE(session.change(setup).empty());
    ViewState view;
    for (const Unit unit : {Unit::Step, Unit::Part, Unit::Tile, Unit::Row}) {
      CAPTURE(int(unit));
      seek(session.walk(), view, 0);
      std::vector<int64_t> places{view.playhead};
      while (view.playhead < session.walk().replay.length()) {
        step_forward(session.walk(), view, unit);
        CHECK(view.from == places.back());
        places.push_back(view.playhead);
        REQUIRE(places.size() < 5000);
      }
      CHECK(places.back() == session.walk().replay.length());
      while (!places.empty()) {
        CHECK(view.playhead == places.back());
        places.pop_back();
        step_back(session.walk(), view, unit);
        CHECK(view.phase == 1);
      }
      CHECK(view.playhead == 0);
    }
  }
}

TEST_CASE("A step is animated, unless steps follow each other quickly") {
  Session session;
  ViewState view;
  pause(session, view);
  CHECK(seconds_to_change(session.walk(), view) == std::numeric_limits<float>::infinity());
  run_command("part-forward", session, view);
  CHECK(view.phase == 0);
  CHECK(seconds_to_change(session.walk(), view) == 0);
  run(session, view, kMoveSeconds / 2);
  CHECK(view.phase > 0.3f);
  CHECK(view.phase < 0.7f);
  run(session, view, kMoveSeconds);
  CHECK(view.phase == 1);
  CHECK(seconds_to_change(session.walk(), view) == std::numeric_limits<float>::infinity());

  run_command("part-forward", session, view);
  run(session, view, 0.1f);
  run_command("part-forward", session, view);
  CHECK(view.phase == 1);

  pause(session, view);
  run_command("replay", session, view);
  CHECK(view.phase == 0);
  view.reduced_motion = true;
  run(session, view, kReducedSeconds + 0.02f);
  CHECK(view.phase == 1);
}

TEST_CASE("Playing takes a part every 0.9 s, stays longer where a max rises, and stops at the end") {
  Session session;
  ViewState view;
  run_command("play", session, view);
  CHECK(view.playing);
  const int64_t first = view.playhead;
  CHECK(first > 0);
  run(session, view, 0.8f);
  CHECK(view.playhead == first);
  run(session, view, 0.2f);
  CHECK(view.playhead > first);

  // Bring it to a rise of the max.
  int64_t rise = 0;
  for (const Marker& marker : session.walk().replay.markers())
    if (marker.kind == Marker::MaxRose && !rise) rise = marker.step;
  REQUIRE(rise > 0);
  seek(session.walk(), view, rise);
  CHECK_FALSE(view.playing);
  CHECK(max_rises(session.walk(), view));
  seek(session.walk(), view, unit_back(session.walk().replay.steps(), rise, Unit::Part));
  pause(session, view);
  run_command("play", session, view);
  CHECK(view.playhead == rise);
  run(session, view, 1.3f);
  CHECK(view.playhead == rise);
  run(session, view, 0.2f);
  CHECK(view.playhead > rise);

  for (int k = 0; k < 6; ++k) run_command("faster", session, view);
  CHECK(view.speed == kFastest);
  run(session, view, 60);
  CHECK(view.playhead == session.walk().replay.length());
  CHECK_FALSE(view.playing);
  run_command("play", session, view);
  CHECK(view.playhead == first);
}

TEST_CASE("Go-to knows steps, tiles, rows and what happens") {
  Session session;
  const Walk& walk = session.walk();
  const auto to = [&](std::string_view words) { return target_of(words, walk).playhead.value_or(-1); };
  CHECK(to("37") == 37);
  CHECK(to(" Step 37 ") == 37);
  CHECK(to("start") == 0);
  CHECK(to("END") == walk.replay.length());
  CHECK(to("tile 1") == unit_forward(walk.replay.steps(), 0, Unit::Part));
  CHECK(to("turn 2") > to("turn 1"));
  CHECK(to("Q tile 2") == to("turn 2"));
  CHECK(to("tile 5") == to("turn 2"));  // four tiles to a turn
  CHECK(to("last store O") > to("first store O"));
  CHECK(to("first rescale of Q tile 1") > 0);
  for (const char* words : {"", "tile 17", "turn 5", "row 17", "Q tile 5", "first rise of Q tile 9", "999999", "-1",
                            "6.37", "banana", "99999999999999999999"}) {
    CAPTURE(words);
    const Target target = target_of(words, walk);
    CHECK_FALSE(target.playhead);
    CHECK_FALSE(target.row);
    CHECK(target.fault.ends_with('.'));
  }

  // A row is followed; a rise is shown on a row that has it.
  CHECK(target_of("row 7", walk).row == 6);
  CHECK_FALSE(target_of("row 7", walk).playhead);
  const Target rise = target_of("first max rise", walk);
  REQUIRE(rise.playhead);
  REQUIRE(rise.row);
  CHECK(walk.replay.steps()[size_t(*rise.playhead - 1)].kind == StepKind::RowMax);
  CHECK(to("first rise") == *rise.playhead);
  CHECK(target_of("next rise", walk, *rise.playhead).playhead > rise.playhead);
  const int64_t second = to("rise of Q tile 2");
  REQUIRE(second > 0);
  CHECK(walk.replay.steps()[size_t(second - 1)].i == 1);
  ViewState view;
  CHECK(go_to("first rise", session, view).empty());
  CHECK(view.row == *rise.row);
  Walk& moved = session.walk();
  const Step& step = moved.replay.steps()[size_t(*rise.playhead - 1)];
  const MachineState& state = moved.replay.at(*rise.playhead);
  CHECK(state.find(Tensor::Alpha)->data->at(view.row - step.i * moved.plan().tiling.br, 0) < 1);
}

TEST_CASE("Commands change what they say") {
  Session session;
  ViewState view;
  run_command("theme", session, view);
  CHECK(view.theme == Theme::Dark);
  for (int k = 0; k < 40; ++k) run_command("larger", session, view);
  CHECK(view.scale == 3);
  for (int k = 0; k < 40; ++k) run_command("smaller", session, view);
  CHECK(view.scale == 0.75f);
  run_command("usual-size", session, view);
  CHECK(view.scale == 1);

  run_command("compare", session, view);
  REQUIRE(session.other());
  CHECK(session.other()->schedule.id != session.walk().schedule.id);
  for (size_t k = 1; k < schedules().size(); ++k) run_command("compare", session, view);
  CHECK_FALSE(session.other());

  run_command("row-down", session, view);
  CHECK(view.row == 1);
  for (int k = 0; k < 9; ++k) run_command("row-down", session, view);
  CHECK(view.row == 3);  // the last of the Q tile on chip

  run_command("preset-micro", session, view);
  CHECK(session.problem().n_k == 4);
  CHECK(view.row == 0);
  run_command("keys", session, view);
  CHECK(is_open<KeySheet>(view));
  run_command("escape", session, view);
  CHECK_FALSE(is_open<KeySheet>(view));

  // What was said goes with the next command, what was chosen with Esc or with another problem.
  run_command("preset-toy", session, view);
  CHECK_FALSE(view.notice.empty());
  run_command("part-forward", session, view);
  CHECK(view.notice.empty());
  view.selection = view.focus = "tile:K/1";
  run_command("escape", session, view);
  CHECK(view.selection.empty());
  view.selection = "tile:K/1";
  run_command("preset-micro", session, view);
  CHECK(view.selection.empty());
  CHECK_FALSE(run_command("no such command", session, view));
  CHECK_FALSE(run_command("part-back", session, view));  // at the start
  run_command("reset", session, view);
  CHECK(session.problem().n_k == 16);
}

TEST_CASE(
    "The lines that take Q, K and V out of a model are the script's, in README, in the Problem tab and when copied") {
  const std::string script = read_file(TILEWALK_SOURCE_DIR "/scripts/own-tensors.py");
  const std::string code = script.substr(script.find("import torch"));
  CHECK(own_tensors_code() == code);
  std::istringstream lines(code);
  std::string indented;
  int counted = -2;  // two imports
  for (std::string line; std::getline(lines, line);) {
    indented += line.empty() ? "\n" : "    " + line + "\n";
    counted += !line.empty();
  }
  CHECK(counted == 10);
  const std::string readme = read_file(TILEWALK_SOURCE_DIR "/README.md");
  CHECK(readme.find("\n\n" + indented + "\n") != std::string::npos);

  Session session;
  ViewState view;
  REQUIRE(run_command("tab-problem", session, view));
  CHECK(layout_window(session, view, {1920, 1080}).find("command:own-tensors"));
  REQUIRE(run_command("own-tensors", session, view));
  CHECK(view.wishes.copy == code);
  CHECK(view.notice.find("qkv.safetensors") != std::string::npos);

  // To be read too: every word of them, in small windows and large, with a way to copy them and a way back.
  std::string bare = code;
  std::erase_if(bare, [](char c) { return c == ' ' || c == '\n'; });
  for (const Vec2 size : {Vec2{1280, 720}, Vec2{1920, 1080}, Vec2{3840, 2160}}) {
    fit(view, size);
    const Scene scene = layout_window(session, view, size);
    std::string shown;
    for (const Item& item : scene.items)
      if (const Label* label = std::get_if<Label>(&item); label && label->face == Face::Mono) shown += label->text;
    std::erase_if(shown, [](char c) { return c == ' '; });
    CHECK_MESSAGE(shown.find(bare) != std::string::npos, size.x);
    CHECK(scene.find("command:own-tensors"));
    CHECK(scene.find("choice:code/close"));
    CHECK_FALSE(scene.find("choice:mask/causal"));
  }
  activate("choice:code/close", {}, layout_window(session, view, {1920, 1080}), session, view);
  CHECK(layout_window(session, view, {1920, 1080}).find("choice:mask/causal"));
}

TEST_CASE("every head of a file can be walked, however many there are") {
  const ScratchFolder folder;
  for (const int heads : {16, 40}) {
    std::vector<std::filesystem::path> files;
    std::vector<float> values;  // of head h all are h
    for (int k = 0; k < heads * 32; ++k) values.push_back(float(k / 32));
    for (const char* name : {"q.npy", "k.npy", "v.npy"})
      files.push_back(put(folder / name, npy("<f4", "(" + std::to_string(heads) + ", 8, 4)", bytes_of_values(values))));
    Session session;
    ViewState view;
    fit(view, {1920, 1080});
    open_any(session, view, files);
    REQUIRE_MESSAGE(view.file_heads == heads, view.notice);
    REQUIRE(run_command("tab-problem", session, view));
    const Scene scene = layout_window(session, view, {1920, 1080});
    CHECK(bool(scene.find("choice:head/15")) == (heads == 16));
    CHECK(bool(scene.find("field:head")) == (heads == 40));
    CHECK(apply_field(session, view, "head", std::to_string(heads)).empty());
    CHECK(view.file_head == heads - 1);
    CHECK(session.inputs().q.at(0, 0) == heads - 1);
    CHECK(field_text(session, view, "head") == std::to_string(heads));
    for (const char* bad : {"0", "41", "99999999999999999999", "x", "", "-1"}) {
      const std::vector<Fault> faults = apply_field(session, view, "head", bad);
      REQUIRE(faults.size() == 1);
      CHECK(faults.front().message.ends_with('.'));
      CHECK(view.file_head == heads - 1);
    }
    CHECK(apply_field(session, view, "head", "2").empty());
    CHECK(session.inputs().q.at(0, 0) == 1);
  }
}

}  // namespace tilewalk::test_commands
