// All keys on one sheet, made from the command table; typing narrows it down.
#include "app/panels/cards.h"
#include "app/panels/panels.h"
#include "app/session/commands.h"
#include "app/session/overview.h"
#include "app/session/present_commands.h"
#include "core/io/letters.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace tilewalk {
namespace {

using namespace ui;

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
                          {{}, "Set a knob to a number", "0 to 9", {}},
                          {{}, "Point at the next thing on the stage", "J", {}},
                          {{}, "At the one before", "K", {}}};

constexpr std::string_view kOverview = "Set list, in the overview (O)";

// While presenting: those of the command's keys that a presenter's command does not take; empty where none is left.
std::string keys_left(const Command& command) {
  static const std::vector<KeyPress> taken = [] {
    std::vector<KeyPress> all;
    for (const Command& c : commands())
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

// What begins what has begun, and what would take the wall for something that is no stop.
bool not_in_a_talk(std::string_view id) {
  return id == "present" || id == "present-here" || id == "free-walk" || id == "lesson-back";
}

// Headings and commands that the filter lets through, in the table's order, group by group. While presenting a
// presenter's come first, and what their keys override is left out.
std::vector<Entry> entries_for(std::string_view filter, bool presenting) {
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
      if (presenting && not_in_a_talk(c.id)) continue;
      const std::string keys = presenting && c.mode == Mode::Any ? keys_left(c) : std::string(c.keys);
      if (keys.empty() && !c.keys.empty()) continue;
      if (!has_letters(fmt::format("{} {} {}", c.title, keys, c.group), filter)) continue;
      if (!headed) entries.push_back({group, {}, {}, {}});
      headed = true;
      entries.push_back({{}, c.title, keys, c.id});
    }
  }
  bool headed = false;
  for (const OverviewKey& key : set_keys()) {
    if (!has_letters(fmt::format("{} {} {}", key.title, key.keys, kOverview), filter)) continue;
    if (!headed) entries.push_back({kOverview, {}, {}, {}});
    headed = true;
    entries.push_back({{}, key.title, std::string(key.keys), {}});
  }
  headed = false;
  for (const Entry& e : kOfFocus) {
    if (presenting && !left_to_focus(e)) continue;
    if (!has_letters(fmt::format("{} {} {}", e.title, e.keys, kFocus), filter)) continue;
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

constexpr int kColumns = 3;

int tallest(const std::vector<int>& column) {
  int most = 1;
  for (int c : column) most = std::max(most, int(std::ranges::count(column, c)));
  return most;
}

// How the sheet is set: on so many pages, in lines of this type that are no lower than that.
struct Setting {
  int pages;
  float size;
  Size pitch;
  float gap;  // between columns
};

Node key_line(const Entry& e, const Setting& set) {
  if (!e.heading.empty())
    return text(std::string(e.heading), {set.size, Face::SansBold, Role::AccentText}).height(set.pitch);
  // Where it is narrow the first of two ways has to do.
  Node line = row(of(text(std::string(e.title), {set.size, Face::Sans, Role::TextSecondary}).width(grow()),
                     text({e.keys, e.keys.substr(0, e.keys.find(" or "))}, {14, Face::Mono})),
                  14)
                  .height(set.pitch);
  if (e.id.empty()) return line;
  return std::move(line)
      .on({.hot = Role::SurfaceStrong, .radius = 6, .inset = {-8, 1}})
      .pressed(runs(e.id, std::string(e.title)));
}

// Columns `first` and the next two, filled up so that their lines stand beside each other.
Node key_page(const std::vector<Entry>& entries, const std::vector<int>& column, int first, const Setting& set) {
  std::vector<Node> columns;
  for (int c = first; c < first + kColumns; ++c) {
    std::vector<Node> lines;
    for (size_t k = 0; k < entries.size(); ++k)
      if (column[k] == c) lines.push_back(key_line(entries[k], set));
    while (int(lines.size()) < tallest(column)) lines.push_back(spacer(set.pitch));
    columns.push_back(ui::column(std::move(lines)).width(grow()));
  }
  return row(std::move(columns), set.gap);
}

Node key_card(const ViewState& view, const KeySheet& sheet, const Setting& set) {
  const std::vector<Entry> every = entries_for({}, view.present.on),
                           entries = entries_for(sheet.filter, view.present.on);
  const std::vector<int> whole = columns_of(every, kColumns * set.pages);
  // What is left of a search stands in one column, or in as many as the sheet has; the card keeps its size meanwhile.
  std::vector<int> column(entries.size(), 0);
  const int all = tallest(whole), pages = int(entries.size()) <= kColumns * all ? 1 : set.pages;
  if (int(entries.size()) > all) column = columns_of(entries, kColumns * pages);
  const int page = (sheet.page % pages + pages) % pages;
  std::vector<Node> head =
      of(field_of(view, "field:key-filter", sheet.filter, "type to search", "Type to search the keys")
             .width(between(0, 420))
             .height(px(40)),
         spacer());
  if (pages > 1)
    head.push_back(button(fmt::format("Page {} of {}", page + 1, pages),
                          {"key-page:next", "The next keys (Page Down, or the wheel)", means(NextKeys{})}, Fill::Solid,
                          {16})
                       .width(px(150))
                       .height(px(40)));
  std::vector<Node> seen = of(key_page(every, whole, 0, set));
  seen.push_back(
      entries.empty()
          ? text("No command has this in its name or its keys.", {18, Face::Sans, Role::TextSecondary}).height(px(40))
          : key_page(entries, column, page * kColumns, set));
  return card(ui::column(of(title_row("Keys", std::move(head)), spacer(px(22)), ui::pages(std::move(seen), 1))),
              between(0, 1320), {32, 24});
}

}  // namespace

void layout_key_sheet(Scene& scene, const ViewState& view, Rect window, const Style& s) {
  const KeySheet& sheet = std::get<KeySheet>(view.over);
  // As few pages as leave the lines room to be pointed at, with air between them where there is room.
  const float gap = window.w < s.px(1212) ? 24 : 36;
  std::vector<std::function<Node()>> forms;
  for (int pages = 1; pages <= 4; ++pages)
    for (const auto& [size, least] : {std::pair{16.0f, 28.0f}, {14.0f, 26.0f}})
      forms.push_back(
          [&view, &sheet, set = Setting{pages, size, between(least, 38), gap}] { return key_card(view, sheet, set); });
  show_overlay(scene, view, window, s, 0.35f, first_that_fits(std::move(forms)));
}

}  // namespace tilewalk
