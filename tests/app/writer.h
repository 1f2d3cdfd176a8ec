// Somebody at Write, with keys and a window that is laid out and not painted.
#pragma once

#include "app/panels/panels.h"
#include "app/session/hands.h"
#include "app/session/write_moves.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace tilewalk {

struct Writer {
  Session session;
  ViewState view;
  Vec2 size{1280, 720};

  Writer() {
    fit(size);
    open_write(session, view);
    begin_program(session, view, "fa2");
    view.write.program.undone_by.clear();
    view.write.program.caret = view.write.program.anchor = 0;
  }
  void fit(Vec2 to) { view.write.shown = 12, size = to; }
  Scene scene() { return layout_window(session, view, size); }
  const std::string& text() const { return view.write.program.text; }
  void key(Key key, bool ctrl = false, bool shift = false) {
    key_pressed({.key = key, .shift = shift, .ctrl = ctrl}, last, session, view);
  }
  void ctrl(char32_t letter, bool shift = false) {
    key_pressed({.key = Key::Character, .character = letter, .shift = shift, .ctrl = true}, last, session, view);
  }
  void type(std::string_view words) {
    for (const char c : words)
      if (c == ' ')
        key(Key::Space);
      else if (c == '\n')
        key(Key::Enter);
      else
        key_pressed({.key = Key::Character, .character = char32_t(c)}, last, session, view);
  }
  void put_caret_behind(std::string_view words) {
    const size_t at = text().find(words);
    REQUIRE(at != std::string::npos);
    view.write.program.caret = view.write.program.anchor = at + words.size();
  }
  Scene last;
};

}  // namespace tilewalk
