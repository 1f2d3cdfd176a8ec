// A class in two windows: one teaches with the clicker, the other follows, answers, looks around and comes back.
#pragma once

#include "app/panels/audience.h"
#include "app/session/class_moves.h"
#include "app/session/overlays.h"
#include "core/classroom/room.h"

#include "tests/app/learner.h"

#include <random>
#include <string>
#include <utility>

namespace tilewalk {

inline constexpr const char* kSecret = "0123456789abcdef0123456789abcdef";

struct Class {
  std::mt19937_64 random{11};
  Room room{"k7m-2xq", kSecret, [this] { return random(); }};
  Learner teacher, page;
  double now = 0;

  Class() {
    room.invite("http://10.0.0.5:8660/ k7m-2xq", {"# ", " #"});
    join(teacher, 1, std::string("http://10.0.0.5:8660/#class/k7m-2xq/") + kSecret);
    join(page, 2, "10.0.0.5:8660 K7M2XQ");
    open_lesson_numbered(teacher.session, teacher.view, 1, 0);
    turn();
  }
  void join(Learner& who, ConnId conn, std::string_view invitation) {
    REQUIRE(join_class(who.view, invitation).empty());
    who.view.classroom.with->connecting();
    REQUIRE(room.opened(conn, "10.0.0.9", now));
    who.view.classroom.with->opened();
  }
  // What windows and server do within some seconds.
  void turn() {
    for (int k = 0; k < 3; ++k) {
      now += 0.5;
      keep_up_with_class(teacher.session, teacher.view);
      keep_up_with_class(page.session, page.view);
      for (const auto& [conn, who] : {std::pair{ConnId{1}, &teacher}, std::pair{ConnId{2}, &page}})
        if (who->view.classroom.with)
          for (const std::string& line : who->view.classroom.with->take_out()) room.said(conn, line, now);
      room.tick(now);
      for (const Room::Out& out : room.take_out())
        if (auto& with = (out.to == 1 ? teacher : page).view.classroom.with) with->heard(*out.text);
    }
    keep_up_with_class(page.session, page.view);
    page.view.classroom.card_for += 1;  // who looks before pressing
  }
  // By the letter, from 0; or the number that was typed.
  void answer(int place, int sure = 1) {
    page.click(place < 0 ? std::string("vote:number") : fmt::format("vote:{}", place));
    page.click(fmt::format("sure:{}", sure));
    turn();
  }
  void to_the_question() {  // of the fourth beat, which has options
    clicker("F5");
    for (int k = 0; k < 4; ++k) clicker("Page Down");
  }
  void clicker(std::string_view keys) {
    teacher.press(keys);
    turn();
  }
  // The question of the fifth beat, which asks for a number.
  void ask_number() {
    clicker("F5");
    clicker("G");
    teacher.type("1.5");
    turn();
    clicker("Page Down");
  }
  // As the window marks it, since a hand was at work.
  void by_hand(std::string_view keys) {
    page.view.classroom.touched = true;
    page.press(keys);
    turn();
  }
  std::string wall() {
    std::string all;
    for (const Item& item : layout_audience(teacher.session, teacher.view, {1920, 1080}).items)
      if (const Label* label = std::get_if<Label>(&item)) all += label->text + "\n";
    return all;
  }
  bool on_wall(std::string_view words) { return wall().find(words) != std::string::npos; }
};

}  // namespace tilewalk
