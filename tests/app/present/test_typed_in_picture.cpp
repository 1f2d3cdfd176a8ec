// A number that is half typed into the picture of a talk: Enter and Tab alone set it, whatever field it is.
#include "app/boards/board.h"
#include "app/session/overlays.h"
#include "app/session/typing.h"

#include "tests/app/present/talk.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace tilewalk::test_typed_in_picture {

namespace {

constexpr std::string_view kRoofline =
                               "tilewalk://board/draw?given=all&gpu=h200&paper=roofs\ntilewalk://lesson/6/beat/2\n",
                           kWalk = "tilewalk://lesson/7/beat/2\ntilewalk://lesson/6/beat/2\n",
                           kPaper = "tilewalk://board/paper\ntilewalk://lesson/6/beat/2\n";

struct Case {
  std::string_view set, field;
};

// A field of each kind that a picture has: one that takes its text when it is left, one that is judged as it is typed,
// and an element of the inputs.
std::string field_of(const Scene& scene, std::string_view kind) {
  for (const Region& region : scene.regions)
    if (region.id.starts_with(kind)) return region.id;
  return {};
}

struct Typing : Talk {
  std::string field;
  explicit Typing(const Case& of) : Talk(of.set) {
    field = field_of(scene(), of.field);
    CAPTURE(std::string(of.field));
    REQUIRE(!field.empty());
  }
  void begin(std::string_view text) {
    click(field);
    REQUIRE(view.editing == field);
    typed_into(field, std::string(text), view);
  }
  std::string stood() const { return text_in(field, session, view); }
};

constexpr Case kFields[] = {{kRoofline, "field:board/roof"}, {kWalk, "cell:Q/"}, {kPaper, "field:board/"}};

}  // namespace

TEST_CASE("A number half typed into the picture is thrown away by all but Enter and Tab") {
  for (const Case& each : kFields) {
    CAPTURE(std::string(each.field));
    for (const char* elsewhere : {"nowhere", "another", "knob", "Esc", "Page Down", "Ctrl+Backspace", "F1"}) {
      CAPTURE(elsewhere);
      Typing talk(each);
      const std::string before = talk.stood(), wall = talk.room();
      talk.begin("3.3");
      const std::string_view way(elsewhere);
      if (way == "nowhere") {
        const Scene now = talk.scene();
        const Rect stage = now.find("present:stage")->rect;
        pressed({stage.x + 3, stage.bottom() - 3}, now, talk.session, talk.view);
        released(talk.view);
      } else if (way == "another") {
        const Scene now = talk.scene();
        for (const Region& region : now.regions)
          if (is_field(region.id) && region.id != talk.field) {
            talk.click(region.id);
            break;
          }
        REQUIRE(talk.view.editing != talk.field);
      } else if (way == "knob") {
        const std::string knob = talk.scene().find("turn:Row/+") ? "turn:Row/+" : "label:order";
        if (!talk.scene().find(knob)) continue;
        talk.click(knob);
      } else if (way == "Esc") {
        leave_typing(talk.view);
      } else {
        talk.press(elsewhere);
      }
      CHECK(talk.view.editing != talk.field);
      if (way == "Page Down") {
        CHECK(talk.p().place + int(talk.p().question) == 1);
        talk.press("Page Up");
      }
      CHECK(talk.stood() == before);
      if (way == "nowhere" || way == "Esc") CHECK(talk.room() == wall);
      CHECK(talk.view.typed.empty());
    }
  }
}

TEST_CASE("Enter sets a number in the picture of a talk, and outside one a press elsewhere does, too") {
  for (const Case& each : kFields) {
    CAPTURE(std::string(each.field));
    Typing talk(each);
    talk.begin("3.3");
    finish_typing(talk.session, talk.view);
    CHECK(talk.stood().starts_with("3.3"));

    Talk desk(each.set);
    end_presenting(desk.session, desk.view);
    const Scene now = layout_window(desk.session, desk.view, {1920, 1080});
    const std::string field = field_of(now, each.field);
    REQUIRE(!field.empty());
    pressed(now.find(field)->rect.center(), now, desk.session, desk.view);
    released(desk.view);
    REQUIRE(desk.view.editing == field);
    typed_into(field, "3.3", desk.view);
    pressed({1, 1079}, now, desk.session, desk.view);
    CHECK(desk.view.editing.empty());
    CHECK(text_in(field, desk.session, desk.view).starts_with("3.3"));
  }
}

TEST_CASE("A clicker goes on over the dialog that types over an element, and nothing is set") {
  Talk talk(kWalk);
  const uint64_t before = talk.session.input_hash();
  talk.press("E");
  REQUIRE(talk.view.editing == "field:element");
  typed_into(talk.view.editing, "Q 1 1 = 9", talk.view);
  talk.press("Page Down");
  CHECK(talk.view.editing.empty());
  CHECK_FALSE(overlay_open(talk.view));
  CHECK(talk.p().place + int(talk.p().question) == 1);
  while (talk.p().place > 0 || talk.p().question) talk.press("Page Up");
  CHECK(talk.session.input_hash() == before);
}

}  // namespace tilewalk::test_typed_in_picture
