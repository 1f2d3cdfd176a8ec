#include "app/state/edited_text.h"

#include <algorithm>

namespace tilewalk {
namespace {

bool begins(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }  // a character of UTF-8

size_t before(std::string_view text, size_t at) {
  if (at > 0) --at;
  while (at > 0 && !begins(text[at])) --at;
  return at;
}
size_t behind(std::string_view text, size_t at) {
  if (at < text.size()) ++at;
  while (at < text.size() && !begins(text[at])) ++at;
  return at;
}

bool blank(char c) { return c == ' ' || c == '\n'; }
size_t word_before(std::string_view text, size_t at) {
  while (at > 0 && blank(text[at - 1])) --at;
  while (at > 0 && !blank(text[at - 1])) --at;
  return at;
}
size_t word_behind(std::string_view text, size_t at) {
  while (at < text.size() && blank(text[at])) ++at;
  while (at < text.size() && !blank(text[at])) ++at;
  return at;
}

size_t line_begin(std::string_view text, size_t at) {
  return at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
}
// Where the line's first letter stands, or, from there, its beginning.
size_t line_home(std::string_view text, size_t at) {
  const size_t begin = line_begin(text, at);
  const size_t letter = std::min(text.find_first_not_of(' ', begin), text.size());
  return at == letter ? begin : letter;
}
size_t line_end(std::string_view text, size_t at) { return std::min(text.find('\n', at), text.size()); }

size_t low(const EditedText& t) { return std::min(t.caret, t.anchor); }
size_t high(const EditedText& t) { return std::max(t.caret, t.anchor); }

void move(EditedText& t, size_t to, bool selects) {
  t.caret = to;
  if (!selects) t.anchor = to;
  t.joins = false;
}

// In place of [from, to).
bool change(EditedText& t, size_t from, size_t to, std::string_view words) {
  const size_t room = t.most_bytes - std::min(t.most_bytes, t.text.size() - (to - from));
  if (words.size() > room) {
    size_t fits = room;
    while (fits > 0 && !begins(words[fits])) --fits;
    words = words.substr(0, fits);
  }
  if (from == to && words.empty()) return false;
  EditedText::Change made{from, t.text.substr(from, to - from), std::string(words), t.caret};
  t.text.replace(from, to - from, words);
  move(t, from + words.size(), false);
  t.redone_by.clear();
  t.undone_by.push_back(std::move(made));
  return true;
}

// Letters that are typed one after the other are one change.
bool type_character(EditedText& t, std::string_view character) {
  const bool joins = t.joins && !t.undone_by.empty() && t.caret == t.anchor &&
                     t.undone_by.back().at + t.undone_by.back().inserted.size() == t.caret;
  if (!type_words(t, character)) return false;
  if (joins) {
    t.undone_by.pop_back();
    t.undone_by.back().inserted += character;
  }
  t.joins = character != " ";
  return true;
}

std::string utf8(char32_t c) {
  std::string out;
  if (c < 0x80) return out += char(c), out;
  if (c < 0x800) return out += char(0xC0 | (c >> 6)), out += char(0x80 | (c & 63)), out;
  if (c < 0x10000)
    return out += char(0xE0 | (c >> 12)), out += char(0x80 | ((c >> 6) & 63)), out += char(0x80 | (c & 63)), out;
  return out += char(0xF0 | (c >> 18)), out += char(0x80 | ((c >> 12) & 63)), out += char(0x80 | ((c >> 6) & 63)),
         out += char(0x80 | (c & 63)), out;
}

bool new_line(EditedText& t) {
  const size_t from = line_begin(t.text, low(t));
  const std::string_view line = std::string_view(t.text).substr(from, low(t) - from);
  std::string words = "\n" + std::string(std::min(line.find_first_not_of(' '), line.size()), ' ');
  const size_t last = line.find_last_not_of(' ');
  if (last != line.npos && line[last] == ':') words += "  ";
  return type_words(t, words);
}

// Within the indentation two blanks go at once.
bool rub_out(EditedText& t) {
  if (t.caret != t.anchor) return change(t, low(t), high(t), {});
  if (t.caret == 0) return true;
  const size_t begin = line_begin(t.text, t.caret), in = t.caret - begin;
  const bool indents = in >= 2 && t.text.find_first_not_of(' ', begin) >= t.caret;
  return change(t, indents ? t.caret - (in % 2 ? 1 : 2) : before(t.text, t.caret), t.caret, {});
}

void vertical(EditedText& t, std::ptrdiff_t by, bool selects) {
  TextPlace place = text_place(t.text, t.caret);
  const auto line = std::ptrdiff_t(place.line) + by;
  const auto last = std::ptrdiff_t(std::ranges::count(t.text, '\n'));
  if (line < 0) return move(t, 0, selects);
  if (line > last) return move(t, t.text.size(), selects);
  place.line = size_t(line);
  move(t, at_place(t.text, place), selects);
}

}  // namespace

bool type_words(EditedText& t, std::string_view words) {
  const bool changed = change(t, low(t), high(t), words);
  t.joins = false;
  return changed;
}

void indent(EditedText& t, bool less) {
  const size_t from = line_begin(t.text, low(t)), to = line_end(t.text, high(t)), caret = t.caret;
  const bool selects = t.caret != t.anchor;
  std::string lines;
  std::ptrdiff_t moved = 0;  // of the first line
  for (size_t at = from; at <= to; at = line_end(t.text, at) + 1) {
    const std::string_view line = std::string_view(t.text).substr(at, line_end(t.text, at) - at);
    const size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    const size_t wanted = less ? blanks - std::min<size_t>(blanks, 2 - blanks % 2) : blanks + 2 - blanks % 2;
    if (at == from) moved = std::ptrdiff_t(wanted) - std::ptrdiff_t(blanks);
    lines += (at == from ? "" : "\n") + std::string(wanted, ' ') + std::string(line.substr(blanks));
  }
  if (lines == std::string_view(t.text).substr(from, to - from) || !change(t, from, to, lines)) return;
  if (selects)
    t.anchor = from;
  else
    t.caret = t.anchor = size_t(std::max(std::ptrdiff_t(from), std::ptrdiff_t(caret) + moved));
}

bool text_key(EditedText& t, const KeyPress& press, size_t page) {
  const bool selects = press.shift, far = press.ctrl;
  const std::string_view all = t.text;
  switch (press.key) {
    case Key::Left:
      if (!selects && !far && t.caret != t.anchor) return move(t, low(t), false), true;
      return move(t, far ? word_before(all, t.caret) : before(all, t.caret), selects), true;
    case Key::Right:
      if (!selects && !far && t.caret != t.anchor) return move(t, high(t), false), true;
      return move(t, far ? word_behind(all, t.caret) : behind(all, t.caret), selects), true;
    case Key::Up:
      if (far) return false;
      return vertical(t, -1, selects), true;
    case Key::Down:
      if (far) return false;
      return vertical(t, 1, selects), true;
    case Key::PageUp: return vertical(t, -std::ptrdiff_t(page), selects), true;
    case Key::PageDown: return vertical(t, std::ptrdiff_t(page), selects), true;
    case Key::Home: return move(t, far ? 0 : line_home(all, t.caret), selects), true;
    case Key::End: return move(t, far ? all.size() : line_end(all, t.caret), selects), true;
    case Key::Backspace:
      if (far && t.caret == t.anchor) return change(t, word_before(all, t.caret), t.caret, {}), true;
      return rub_out(t), true;
    case Key::Delete:
      if (t.caret != t.anchor) return change(t, low(t), high(t), {}), true;
      return change(t, t.caret, far ? word_behind(all, t.caret) : behind(all, t.caret), {}), true;
    case Key::Enter:
      if (far || press.shift) return false;
      return new_line(t), true;
    case Key::Space: return !far && (type_character(t, " "), true);
    case Key::Character: break;
    default: return false;
  }
  if (!press.ctrl)
    return press.character >= 32 && press.character != 127 && (type_character(t, utf8(press.character)), true);
  const char32_t letter = press.character | 0x20;
  if (letter == U'a') return select_all(t), true;
  if (letter == U'z') return press.shift ? redo(t) : undo(t), true;
  if (letter == U'y') return redo(t), true;
  return false;
}

void select_all(EditedText& t) {
  t.anchor = 0;
  t.caret = t.text.size();
  t.joins = false;
}

void replace_all(EditedText& t, std::string_view words) {
  if (t.text == words) return;
  change(t, 0, t.text.size(), words);
  move(t, 0, false);
}

bool undo(EditedText& t) {
  if (t.undone_by.empty()) return false;
  EditedText::Change change = std::move(t.undone_by.back());
  t.undone_by.pop_back();
  t.text.replace(change.at, change.inserted.size(), change.removed);
  move(t, std::min(change.caret, t.text.size()), false);
  t.redone_by.push_back(std::move(change));
  return true;
}

bool redo(EditedText& t) {
  if (t.redone_by.empty()) return false;
  EditedText::Change change = std::move(t.redone_by.back());
  t.redone_by.pop_back();
  t.text.replace(change.at, change.removed.size(), change.inserted);
  move(t, change.at + change.inserted.size(), false);
  t.undone_by.push_back(std::move(change));
  return true;
}

std::vector<std::string_view> lines_of(const EditedText& t) {
  std::vector<std::string_view> lines;
  const std::string_view all = t.text;
  for (size_t at = 0; at <= all.size();) {
    const size_t end = line_end(all, at);
    lines.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

size_t characters(std::string_view text) { return size_t(std::ranges::count_if(text, begins)); }

TextPlace text_place(std::string_view text, size_t at) {
  const std::string_view above = text.substr(0, at);
  const size_t begin = line_begin(text, at);
  return {size_t(std::ranges::count(above, '\n')), characters(text.substr(begin, at - begin))};
}

size_t at_place(std::string_view text, TextPlace place) {
  size_t at = 0;
  for (; place.line > 0; --place.line) {
    const size_t end = text.find('\n', at);
    if (end == text.npos) break;
    at = end + 1;
  }
  const size_t end = line_end(text, at);
  for (; place.column > 0 && at < end; --place.column) at = behind(text, at);
  return std::min(at, end);
}

void put_caret(EditedText& t, TextPlace place, bool selects) { move(t, at_place(t.text, place), selects); }

std::string_view selected(const EditedText& t) { return std::string_view(t.text).substr(low(t), high(t) - low(t)); }

}  // namespace tilewalk
