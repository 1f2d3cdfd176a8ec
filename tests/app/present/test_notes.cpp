// A speaker's own notes: written in the presenter's view, kept in the set list or in a file of their own, never in a
// lesson's; and typing does not fight with the clicker's keys.
#include "app/panels/audience.h"
#include "app/session/commands.h"
#include "app/session/hands.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/set_list.h"
#include "app/session/set_reread.h"
#include "app/session/speaker_notes.h"
#include "app/session/typing.h"
#include "app/window/frame.h"
#include "core/io/file.h"
#include "../null_screen.h"

#include "tests/app/shipped_lessons.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include <unistd.h>

namespace tilewalk::test_notes {

namespace fs = std::filesystem;

namespace {

struct Folder {
  fs::path path = fs::temp_directory_path() / ("tilewalk-notes-" + std::to_string(getpid()));
  Folder() { fs::remove_all(path), fs::create_directories(path); }
  ~Folder() {
    fs::permissions(path, fs::perms::owner_all);
    fs::remove_all(path);
  }
};

// The room's picture has a screen of its own, so that there is a presenter's view.
class TwoScreens final : public Screen {
 public:
  NullScreen home;
  bool awake = false;
  void wait(float seconds, std::deque<InputEvent>& events) override { home.wait(seconds, events); }
  float seconds_since_last_frame() override { return 1.0f / 60; }
  Vec2 size() override { return {1920, 1080}; }
  void fonts_changed() override { home.fonts_changed(); }
  void present(const Scene& scene, ImDrawData& data) override { home.present(scene, data); }
  Screens open_room(const std::string&, bool, std::string&) override { return Screens::Two; }
  void keep_awake(bool on) override { awake = on; }
};

struct Talk {
  NullImgui imgui;
  NullTextures textures;
  TwoScreens screen;
  Window window{textures};
  Folder folder;

  explicit Talk(const char* set = nullptr) {
    window.notes_file = folder.path / "data" / "notes.json";
    give_shipped_lessons(window.view);
    window.view.reduced_motion = true;
    REQUIRE(open_lesson_numbered(window.session, window.view, 7, 1));
    if (set) {
      write_file(folder.path / "talk.set", set);
      CHECK(use_set_list(window.session, window.view, folder.path / "talk.set") == "");
    }
    press(set ? "F5" : "Shift+F5");
  }
  void frames(int count) {
    for (int k = 0; k < count; ++k) window.redraw = std::max(window.redraw, 1), frame(window, screen);
  }
  void press(std::string_view words) {
    for (const KeyPress& key : parse_keys(words)) {
      window.events.push_back({InputEvent::KeyDown, {}, 0, key, {}});
      window.events.push_back({InputEvent::KeyUp, {}, 0, key, {}});
    }
    frames(8);
  }
  void type(std::string_view text) {
    for (const char c : text) {
      window.events.push_back({InputEvent::KeyDown, {}, 0, {Key::Character, char32_t(c), false, false, false}, {}});
      frames(2);
    }
  }
  ViewState& view() { return window.view; }
};

}  // namespace

TEST_CASE("A note is written where its beat is, and kept in a file of its own") {
  Talk talk;
  CHECK(talk.screen.awake);
  const std::string lesson_note = beat_on_show(talk.view())->note;
  REQUIRE_FALSE(lesson_note.empty());
  const std::string before = read_file(fs::path(TILEWALK_SOURCE_DIR) / "lessons/en/07-one-q-tile.md");
  talk.press("Ctrl+N");
  REQUIRE(talk.view().editing == "field:note");
  // Every one of these is a key of Present mode.
  talk.type(" b w f 5 z o .");
  CHECK(talk.view().present.blank == Blank::None);
  CHECK_FALSE(talk.view().present.frozen);
  CHECK(talk.view().present.tool == Tool::Normal);
  CHECK(notes_on_show(talk.view()).beat == " b w f 5 z o .");  // in place of what there was
  talk.press("Enter");
  CHECK(talk.view().editing.empty());
  CHECK(notes_on_show(talk.view()).beat.ends_with(" b w f 5 z o ."));
  const OwnNotes kept = load_notes(talk.window.notes_file, "now");
  REQUIRE(kept.notes.size() == 1);
  CHECK(kept.notes.begin()->second.ends_with(" b w f 5 z o ."));
  CHECK(read_file(fs::path(TILEWALK_SOURCE_DIR) / "lessons/en/07-one-q-tile.md") == before);
  // Another beat has the note that it came with, and this one keeps its own through the end of the talk.
  talk.press("Page Up");
  CHECK_FALSE(notes_on_show(talk.view()).beat.ends_with(" b w f 5 z o ."));
  end_presenting(talk.window.session, talk.view());
  talk.frames(2);
  CHECK_FALSE(talk.screen.awake);
  CHECK(talk.view().present.own_notes == kept.notes);
  run_command("reset", talk.window.session, talk.view());
  CHECK(talk.view().present.own_notes == kept.notes);
}

TEST_CASE("Esc leaves a note as it was, and an empty one gives the lesson's back") {
  Talk talk;
  const std::string came = notes_on_show(talk.view()).beat;
  talk.press("Ctrl+N");
  talk.type("x");
  CHECK(notes_on_show(talk.view()).beat != came);
  talk.press("Esc");
  CHECK(talk.view().present.on);
  CHECK(talk.view().editing.empty());
  CHECK(notes_on_show(talk.view()).beat == came);
  CHECK(talk.view().present.own_notes.empty());
  talk.view().present.note_text = "mine";
  talk.view().editing = "field:note";
  CHECK(keep_note(talk.view()) == "");
  CHECK(notes_on_show(talk.view()).beat == "mine");
  talk.view().editing = "field:note";
  talk.view().present.note_text.clear();
  CHECK(keep_note(talk.view()) == "");
  CHECK(notes_on_show(talk.view()).beat == came);
}

TEST_CASE("Of a set list the note is the line's, and what else is in the file stays as it is") {
  Talk talk("# my talk\ntilewalk://lesson/6/beat/2  # begin here\n\ntilewalk://lesson/7/beat/3\n");
  const fs::path file = talk.folder.path / "talk.set";
  CHECK(notes_on_show(talk.view()).stop == "begin here");
  begin_note(talk.view());
  CHECK(text_in("field:note", talk.window.session, talk.view()) == "begin here");
  typed_into("field:note", "wait for silence # then go", talk.view());
  finish_typing(talk.window.session, talk.view());
  CHECK(read_file(file) ==
        "# my talk\ntilewalk://lesson/6/beat/2  # wait for silence # then go\n\ntilewalk://lesson/7/beat/3\n");
  CHECK(open_set_list(file).items.at(0).note == "wait for silence # then go");
  // Somebody else has changed the file meanwhile: it stays theirs, and what was typed is still there.
  write_file(file, "# nothing\n");
  begin_note(talk.view());
  typed_into("field:note", "lost?", talk.view());
  finish_typing(talk.window.session, talk.view());
  CHECK(talk.view().notice.find("is not as it was read") != std::string::npos);
  CHECK(talk.view().editing == "field:note");
  CHECK(talk.view().present.note_text == "lost?");
  CHECK(read_file(file) == "# nothing\n");
}

TEST_CASE("Over a tool the note is that of the stop that Page Down returns to, and its letters are no commands") {
  for (const bool set : {true, false}) {
    CAPTURE(set);
    Talk talk(set ? "slide: First\ntilewalk://lesson/7/beat/3  # begin here\n" : nullptr);
    if (set) talk.press("Page Down");
    talk.press("Ctrl+5");
    REQUIRE_FALSE(beat_on_show(talk.view()));
    talk.press("Ctrl+N");
    REQUIRE(talk.view().editing == "field:note");
    // Its field says which; the wall says nothing of it.
    const auto words = [](const Scene& scene) {
      std::string all;
      for (const Item& item : scene.items)
        if (const auto* label = std::get_if<Label>(&item)) all += label->text + "\n";
      return all;
    };
    CHECK(words(talk.window.scene).find(set ? "Note of stop 2 (Enter" : "Note of beat 2 (Enter") != std::string::npos);
    CHECK(words(layout_audience(talk.window.session, talk.view(), {1920, 1080})).find("Note") == std::string::npos);
    talk.type("pass. f b");
    CHECK(talk.view().present.blank == Blank::None);
    CHECK_FALSE(talk.view().present.frozen);
    CHECK_FALSE(talk.view().present.swapped);
    CHECK_FALSE(beat_on_show(talk.view()));
    talk.press("Enter");
    CHECK(talk.view().notice ==
          fmt::format("The note is kept at {} 2, which Page Down returns to.", set ? "stop" : "beat"));
    talk.press("Page Down");
    const ShownNotes after = notes_on_show(talk.view());
    CHECK((set ? after.stop : after.beat) == "pass. f b");
  }
}

TEST_CASE("A damaged file of notes is set aside and said") {
  const Folder folder;
  write_file(folder.path / "notes.json", "{\"tilewalk_notes\": 1, \"notes\": [1]}");
  const OwnNotes loaded = load_notes(folder.path / "notes.json", "today");
  CHECK(loaded.notes.empty());
  CHECK(loaded.notice.find("set aside") != std::string::npos);
  CHECK_FALSE(fs::exists(folder.path / "notes.json"));
  CHECK(load_notes(folder.path / "notes.json", "today").notice.empty());
  keep_notes(folder.path / "new" / "notes.json", {}, {{"a / b", "c"}}, "now");
  CHECK(load_notes(folder.path / "new" / "notes.json", "today").notes.at("a / b") == "c");
}

TEST_CASE("Notes that cannot be read are set aside, and where even that cannot be, nothing is written over them") {
  const Folder folder;
  const fs::path file = folder.path / "notes.json";
  const std::string large(5 << 20, ' ');
  write_file(file, large);
  const OwnNotes loaded = load_notes(file, "today");
  CHECK(loaded.notice.find("too large") != std::string::npos);
  CHECK(loaded.notice.find("set aside as notes.json.bad-today") != std::string::npos);
  keep_notes(file, {}, {{"a / b", "c"}}, "today");
  CHECK(read_file(folder.path / "notes.json.bad-today").size() == large.size());
  CHECK(load_notes(file, "today").notes.at("a / b") == "c");

  // Of another version, while this window was open.
  const std::string newer = "{\"tilewalk_notes\": 2, \"notes\": {\"a / b\": {\"text\": \"c\"}}}";
  write_file(file, newer);
  CHECK(keep_notes(file, {}, {{"a / b", "d"}}, "now").notice.find("newer Tilewalk") != std::string::npos);
  CHECK(read_file(folder.path / "notes.json.bad-now") == newer);
  CHECK(load_notes(file, "now").notes.at("a / b") == "d");
}

TEST_CASE("Two windows keep their notes beside each other's") {
  const Folder folder;
  const fs::path file = folder.path / "notes.json";
  const Notes start{{"a", "1"}, {"b", "2"}};
  keep_notes(file, {}, start, "now");
  Notes one = start, two = start;
  one["c"] = "3";
  one.erase("a");
  two["b"] = "two";
  keep_notes(file, start, one, "now");
  CHECK(keep_notes(file, start, two, "now").notes == Notes{{"b", "two"}, {"c", "3"}});
  CHECK(load_notes(file, "now").notes == Notes{{"b", "two"}, {"c", "3"}});
}

TEST_CASE("A note that could not be kept is kept as soon as it can be") {
  Talk talk;
  write_file(talk.folder.path / "data", "a file where the folder should be");
  talk.press("Ctrl+N");
  talk.type("x");
  talk.press("Enter");
  CHECK(talk.view().notice.find("Notes are not kept.") != std::string::npos);
  fs::remove(talk.folder.path / "data");
  talk.frames(90);  // a second and a half
  CHECK(load_notes(talk.window.notes_file, "now").notes.size() == 1);
}

TEST_CASE("A stop's time is no part of the words of its note: it stays until another one is written") {
  for (const bool overview : {false, true}) {
    CAPTURE(overview);
    Talk talk("tilewalk://lesson/6/beat/1  # [4 min] begin here\ntilewalk://board/clocks\n");
    const fs::path file = talk.view().present.set.file;
    const auto type = [&](const char* text) {
      if (overview && !talk.view().present.overview) talk.press("O");
      talk.press("Ctrl+N");
      const std::string field = overview ? "field:stop-note" : "field:note";
      REQUIRE(talk.view().editing == field);
      const std::string before = text_in(field, talk.window.session, talk.view());
      typed_into(field, text, talk.view());
      finish_typing(talk.window.session, talk.view());
      return before;
    };
    CHECK(type("wait for silence") == "begin here");
    CHECK(open_set_list(file).items.at(0).note == "[4 min] wait for silence");
    CHECK(talk.view().present.set.items.at(0).seconds == 240);
    CHECK(type("[6 min] wait longer") == "wait for silence");
    CHECK(open_set_list(file).items.at(0).note == "[6 min] wait longer");
    CHECK(type("") == "wait longer");
    CHECK(open_set_list(file).items.at(0).note == "[6 min]");
    CHECK(type("go") == "");
    CHECK(open_set_list(file).items.at(0).note == "[6 min] go");
  }
}

TEST_CASE("Who goes on with a note half typed has it kept at the stop where it was typed, and no field at the next") {
  for (const char* leads : {"Page Down", "Ctrl+Shift+F5", "the room is closed"})
    for (const bool set : {true, false}) {
      CAPTURE(leads);
      CAPTURE(set);
      Talk talk(set ? "slide: First\nslide: Second  # begin here\nslide: Third  # and then\n" : nullptr);
      talk.press("Page Down");
      if (!set)
        while (talk.view().present.question) talk.press("Page Down");
      talk.press("Ctrl+N");
      talk.type("half ty");
      if (leads == std::string_view("the room is closed"))
        end_presenting(talk.window.session, talk.view()), talk.frames(2);
      else
        talk.press(leads);
      CHECK(talk.view().editing.empty());
      CHECK(talk.view().present.note_text.empty());
      if (set) {
        const SetList list = open_set_list(talk.view().present.set.file);
        CHECK(list.items.at(0).note.empty());
        CHECK(list.items.at(1).note == "half ty");
        CHECK(list.items.at(2).note == "and then");
      } else {
        REQUIRE(talk.view().present.own_notes.size() == 1);
        CHECK(talk.view().present.own_notes.begin()->second == "half ty");
      }
    }
}

TEST_CASE("A note that its set list cannot take holds no clicker up, and is there where it was typed") {
  Talk talk("slide: First\nslide: Second\n");
  const fs::path file = talk.view().present.set.file;
  talk.press("Ctrl+N");
  talk.type("half ty");
  fs::remove(file);
  fs::create_directory(file);  // nothing can be read or written there
  talk.press("Page Down");
  CHECK(talk.view().present.place == 1);
  CHECK(talk.view().editing.empty());
  CHECK(talk.view().notice.starts_with("The note is not written yet."));
  CHECK(talk.view().notice.ends_with("Ctrl+N at its stop has it."));
  talk.press("Ctrl+N");
  CHECK(talk.view().present.note_text.empty());
  talk.press("Esc");
  talk.press("Page Up");
  REQUIRE(talk.view().present.place == 0);
  fs::remove(file);
  write_file(file, "slide: First\nslide: Second\n");
  talk.press("Ctrl+N");
  CHECK(talk.view().present.note_text == "half ty");
  talk.press("Enter");
  CHECK(read_file(file) == "slide: First  # half ty\nslide: Second\n");
  talk.press("Ctrl+N");
  talk.type("x");
  talk.press("Esc");
  talk.press("Ctrl+N");
  CHECK(talk.view().present.note_text == "half ty");  // as the list has it
}

}  // namespace tilewalk::test_notes
