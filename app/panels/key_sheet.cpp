// All keys on one sheet, made from the command table; typing narrows it down.
#include "app/panels/panels.h"
#include "app/panels/widgets.h"
#include "app/session/commands.h"
#include "app/session/present_commands.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <vector>

namespace tilewalk {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = char(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

struct Entry {
  std::string_view heading;  // or a command's title and keys
  std::string_view title;
  std::string keys;
  std::string_view id;
};

// Keys that go to wherever one is, and so belong to no command.
constexpr std::string_view kFocus = "Without a mouse";
const Entry kOfFocus[] = {{{}, "The next control; Shift: the one before", "Tab", {}},
                          {{}, "The next part of the window", "F6", {}},
                          {{}, "Press it", "Enter", {}},
                          {{}, "Turn it", "← →", {}},
                          {{}, "Point at the next thing on the stage", "J", {}},
                          {{}, "At the one before", "K", {}}};

// While presenting: those of the command's keys that a presenter's command does not take; empty where none is left.
std::string keys_left(const Command& command) {
  static const std::vector<KeyPress> taken = [] {
    std::vector<KeyPress> all;
    for (const Command& c : present_commands())
      if (c.mode == Mode::Present) std::ranges::copy(parse_keys(c.keys), std::back_inserter(all));
    return all;
  }();
  std::string left;
  for (std::string_view words = command.keys; !words.empty();) {
    const std::string_view word = words.substr(0, words.find(" or "));
    words.remove_prefix(std::min(words.size(), word.size() + 4));
    const KeyPress key = parse_keys(word).front();
    if (std::ranges::none_of(taken, [&](const KeyPress& other) { return same_key(key, other); }))
      left += (left.empty() ? "" : " or ") + std::string(word);
  }
  return left;
}

// Of the focus: what a presenter's table leaves to it.
bool left_to_focus(const Entry& entry) { return entry.keys == "Tab" || entry.keys == "F6" || entry.keys == "← →"; }

// Headings and commands that the filter lets through, in the table's order, group by group. While presenting a
// presenter's come first, and what their keys override is left out.
std::vector<Entry> entries_for(std::string_view filter, bool presenting) {
  const std::string wanted = lower(filter);
  std::vector<Entry> entries;
  std::vector<std::string_view> groups;
  const std::string_view presenters = present_commands().front().group;
  if (presenting) groups.push_back(presenters);
  for (const Command& c : commands())
    if (std::ranges::find(groups, c.group) == groups.end()) groups.push_back(c.group);
  for (std::string_view group : groups) {
    bool headed = false;
    for (const Command& c : commands()) {
      if (c.group != group) continue;
      if (presenting && c.group == presenters && c.mode == Mode::Any) continue;  // it begins what has begun
      const std::string keys = presenting && c.mode == Mode::Any ? keys_left(c) : std::string(c.keys);
      if (keys.empty() && !c.keys.empty()) continue;
      const std::string all = lower(c.title) + " " + lower(keys) + " " + lower(c.group);
      if (!wanted.empty() && all.find(wanted) == std::string::npos) continue;
      if (!headed) entries.push_back({group, {}, {}, {}});
      headed = true;
      entries.push_back({{}, c.title, keys, c.id});
    }
  }
  bool headed = false;
  for (const Entry& e : kOfFocus) {
    if (presenting && !left_to_focus(e)) continue;
    if ((lower(e.title) + " " + lower(e.keys) + " " + lower(kFocus)).find(wanted) == std::string::npos) continue;
    if (!headed) entries.push_back({kFocus, {}, {}, {}});
    headed = true;
    entries.push_back(e);
  }
  return entries;
}

// The column of each entry: groups stay together where that leaves the columns about even.
std::vector<int> columns_of(const std::vector<Entry>& entries, int columns) {
  const size_t even = (entries.size() + size_t(columns) - 1) / size_t(columns);
  std::vector<int> whole(entries.size());
  size_t height = 0, highest = 0;
  int column = 0;
  for (size_t k = 0; k < entries.size(); ++k) {
    if (!entries[k].heading.empty()) {
      size_t end = k + 1;
      while (end < entries.size() && entries[end].heading.empty()) ++end;
      if (height > 0 && height + end - k > even + even / 6 && column + 1 < columns) ++column, height = 0;
    }
    whole[k] = column;
    highest = std::max(highest, ++height);
  }
  if (highest <= even + even / 4 + 1) return whole;
  std::vector<int> flowing(entries.size());
  for (size_t k = 0; k < entries.size(); ++k) flowing[k] = int(k / even);
  // A heading does not stand alone at the foot of a column.
  for (size_t k = 0; k + 1 < entries.size(); ++k)
    if (!entries[k].heading.empty() && flowing[k + 1] > flowing[k]) flowing[k] = flowing[k + 1];
  return flowing;
}

}  // namespace

void layout_key_sheet(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  const KeySheet& sheet = std::get<KeySheet>(view.over);
  scrim(scene, s, window, 0.35f);
  const std::vector<Entry> entries = entries_for(sheet.filter, view.present.on);
  const float w = std::min(window.w - s.px(48), s.px(1320)), list_w = w - s.px(64);
  constexpr int kColumns = 3;
  // The card keeps its size while the filter narrows the list down.
  const auto tallest = [&](const std::vector<int>& column) {
    int most = 1;
    for (int c = 0; c <= *std::ranges::max_element(column); ++c)
      most = std::max(most, int(std::ranges::count(column, c)));
    return most;
  };
  const float head = s.px(62), pad = s.px(24);
  // As many pages as leave the lines room enough to be pointed at.
  const std::vector<Entry> every = entries_for({}, view.present.on);
  const float room = window.h - s.px(32) - head - 2 * pad;
  int pages = 1, all = tallest(columns_of(every, kColumns));
  while (room / float(all) < s.px(26) && pages < 4) all = tallest(columns_of(every, kColumns * ++pages));
  const float row = std::min(s.px(38), room / float(all));
  const float text = row < s.px(28) ? s.small() : s.number();  // air between the lines where the window is low
  const float h = head + 2 * pad + float(all) * row;
  const Rect box{window.center().x - w / 2, window.center().y - h / 2, w, h};
  card(scene, s, box);
  const Rect inner = box.inset(s.px(32), pad);
  scene.label({inner.x, inner.y, s.px(120), s.px(40)}, "Keys", Face::SansBold, s.title(), s[Role::Text]);
  text_field(scene, view, s, {inner.x + s.px(130), inner.y, std::min(s.px(420), inner.w - s.px(350)), s.px(40)},
             "field:key-filter", sheet.filter, "type to search", "Type to search the keys");
  icon_button(scene, view, s, {inner.right() - s.px(40), inner.y, s.px(40), s.px(40)}, Icon::Close, "escape",
              Look::Plain);

  const Rect list{inner.x, inner.y + head, inner.w, inner.h - head};
  if (entries.empty()) {
    fitted(scene, {list.x, list.y, list.w, s.px(40)}, "No command has this in its name or its keys.", Face::Sans,
           s.body(), s[Role::TextSecondary]);
    return;
  }
  // What is left of a search stands in one column; the whole list in as many as there is room for.
  const bool whole = int(entries.size()) > all;
  if (int(entries.size()) <= kColumns * all) pages = 1;
  const std::vector<int> column = whole ? columns_of(entries, kColumns * pages) : std::vector<int>(entries.size(), 0);
  const float gap = s.px(list_w < s.px(1100) ? 24 : 36),
              column_w = (list.w - gap * float(kColumns - 1)) / float(kColumns);
  const int page = pages > 1 ? (sheet.page % pages + pages) % pages : 0;
  if (pages > 1)
    text_button(scene, view, s, {inner.right() - s.px(200), inner.y, s.px(150), s.px(40)},
                fmt::format("Page {} of {}", page + 1, pages), "key-page:next",
                "The next keys (Page Down, or the wheel)", Look::Solid, Face::Sans, s.number());
  std::vector<int> filled(size_t(kColumns * pages), 0);
  for (size_t k = 0; k < entries.size(); ++k) {
    const Entry& entry = entries[k];
    const int of_all = std::min(column[k], kColumns * pages - 1), at = filled[size_t(of_all)]++;
    const int c = of_all - page * kColumns;
    if (c < 0 || c >= kColumns) continue;
    const Rect line{list.x + float(c) * (column_w + gap), list.y + float(at) * row, column_w, row};
    if (!entry.heading.empty()) {
      fitted(scene, line, entry.heading, Face::SansBold, text, s[Role::AccentText]);
      continue;
    }
    const std::string id = "command:" + std::string(entry.id);
    if (view.hover == id) scene.box(line.inset(-s.px(8), s.px(1)), s.r_small(), s[Role::SurfaceStrong]);
    // Where it is narrow the first of two ways has to do.
    std::string_view keys = entry.keys;
    const float title_w = text_width(entry.title, Face::Sans, text);
    if (title_w + text_width(keys, Face::Mono, s.small()) + s.px(14) > line.w) keys = keys.substr(0, keys.find(" or "));
    const float keys_w = text_width(keys, Face::Mono, s.small());
    scene.label({line.right() - keys_w, line.y, keys_w, row}, keys, Face::Mono, s.small(), s[Role::Text]);
    fitted(scene, {line.x, line.y, line.w - keys_w - s.px(14), row}, entry.title, Face::Sans, text,
           s[Role::TextSecondary]);
    if (entry.id.empty()) continue;
    // Lines too close for a focus ring are no stops: each has its key beside it.
    scene.region(line, id, std::string(entry.title), row >= s.px(24));
    scene.regions.back().focus_radius = s.r_small();
  }
}

}  // namespace tilewalk
