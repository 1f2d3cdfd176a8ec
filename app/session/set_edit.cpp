#include "app/session/set_edit.h"

#include "app/session/overview.h"
#include "app/session/set_list.h"
#include "app/session/set_reread.h"
#include "app/session/set_stops.h"
#include "app/session/typed_slide.h"
#include "core/io/file.h"
#include "core/io/folder_lock.h"
#include "core/io/printable.h"
#include "core/io/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

constexpr uint64_t kMostBytes = 1 << 20;
constexpr double kSetPatience = 0.2;  // seconds that another window's change is waited for

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

// Where the item stands; nothing where the text is not the list's any more.
std::optional<std::ptrdiff_t> place_in(const std::vector<std::string>& lines, const SetItem& item) {
  const size_t line = size_t(item.line - 1);
  if (line >= lines.size() || !trimmed(lines[line]).starts_with(item.link)) return std::nullopt;
  return std::ptrdiff_t(line);
}

// What is typed stays on one line and within its own part of it. `slide`: of which there are several, behind bars.
std::string on_one_line(std::string text, bool title, bool slide = false) {
  for (char& c : text) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
    if (title && c == '"') c = '\'';
    if (title && !slide && c == '|') c = '/';
  }
  // Behind a blank a note begins; "deck.pdf#7" is a page.
  for (size_t at = text.find('#'); title && at != std::string::npos; at = text.find('#', at + 1))
    if (at == 0 || text[at - 1] == ' ') text.replace(at, 1, "No. ");
  return std::string(trimmed(text));
}

std::string not_as_read(const SetList& set) {
  return fmt::format("{} is not as it was read, or has no room there; nothing was changed.",
                     set.file.filename().string());
}

// Writes the text that `change` makes of the file's and reads the list again. Before that the list was read anew, so
// that what another program wrote stays; only what it writes in this very moment is in the way.
template <class Change>
std::string rewrite(ViewState& view, Change change, bool undoable) {
  Presentation& p = view.present;
  if (p.set.file.empty()) return "This set list has no file yet: Ctrl+D adds the view to one.";
  try {
    const FolderLock lock(p.set.file.has_parent_path() ? p.set.file.parent_path() : std::filesystem::path("."),
                          kSetPatience);
    const std::string before = read_file(p.set.file, kMostBytes);
    const std::optional<std::string> after = before == p.set.text ? change(before) : std::nullopt;
    if (!after) return not_as_read(p.set);
    write_file(p.set.file, *after);
    if (undoable) p.set_before.push_back(before);
    take_set(view, read_set_list(*after, p.set.file));
  } catch (const IoError& error) {
    return error.what();
  }
  return {};
}

// Lines behind the stop at `place`, from 0; the first of them is chosen then.
std::string put_behind(ViewState& view, int place, std::span<const std::string> slides) {
  Presentation& p = view.present;
  const SetItem item = p.set.items[size_t(place)];
  const auto inserted = [&](std::string_view text) -> std::optional<std::string> {
    std::vector<std::string> lines = lines_of(text);
    const auto at = place_in(lines, item);
    if (!at) return std::nullopt;
    lines.insert(lines.begin() + *at + 1, slides.begin(), slides.end());
    return text_of(lines);
  };
  if (std::string fault = rewrite(view, inserted, true); !fault.empty()) return fault;
  p.overview_at = place + 1;
  return {};
}

}  // namespace

std::optional<std::string> edited_set(std::string_view text, const SetList& set, int place, SetEdit edit) {
  const int count = int(set.items.size());
  const int other = edit == SetEdit::Earlier ? place - 1 : edit == SetEdit::Later ? place + 1 : place;
  if (place < 0 || place >= count || other < 0 || other >= count) return std::nullopt;
  std::vector<std::string> lines = lines_of(text);
  const auto from = place_in(lines, set.items[size_t(place)]), to = place_in(lines, set.items[size_t(other)]);
  if (!from || !to) return std::nullopt;
  const auto at = lines.begin() + *from;
  switch (edit) {
    case SetEdit::Earlier:
    case SetEdit::Later: std::swap(*at, lines[size_t(*to)]); break;
    case SetEdit::Twice: lines.insert(at, std::string(*at)); break;
    case SetEdit::Away: lines.erase(at); break;
  }
  return text_of(lines);
}

std::string edit_set(ViewState& view, SetEdit edit) {
  Presentation& p = view.present;
  reread_set(view);
  const int place = chosen_card(p, int(p.set.items.size()));
  if (edit == SetEdit::Away && p.set.items.size() == 1) return "This is the last stop: a set list has one at least.";
  const int by = edit == SetEdit::Earlier ? -1 : edit == SetEdit::Later || edit == SetEdit::Twice ? 1 : 0;
  const std::string fault = rewrite(
      view, [&](std::string_view text) { return edited_set(text, p.set, place, edit); }, true);
  if (!fault.empty()) return fault;
  p.overview_at = std::clamp(place + by, 0, int(p.set.items.size()) - 1);
  constexpr std::string_view kDone[] = {"earlier", "later", "there twice", "out of the list"};
  return fmt::format("Stop {} is {}. Ctrl+Z takes it back.", place + 1, kDone[int(edit)]);
}

static std::string write_line(ViewState& view, int place, const SetItem& stop, bool undoable) {
  const SetItem item = view.present.set.items[size_t(place)];
  return rewrite(
      view, [&](std::string_view text) { return with_line(text, item, line_of(stop)); }, undoable);
}

std::string write_stop(ViewState& view, int place, const SetItem& stop) { return write_line(view, place, stop, true); }

void begin_stop_words(ViewState& view, bool title) {
  Presentation& p = view.present;
  reread_set(view);
  const SetItem& item = p.set.items[size_t(chosen_card(p, int(p.set.items.size())))];
  const std::string own = is_slide(item.link) ? slide_of(item.link).title : item.title;
  p.stop_text = !title                                ? std::string(words_of_note(item.note))
                : own.empty() && !is_slide(item.link) ? stop_title(item, view)
                                                      : own;
  p.words_before = p.stop_text;
  p.words_link = item.link;
  p.slide_begun = false;
  view.editing = title ? "field:stop-title" : "field:stop-note";
  view.typing_begun = false;
}

std::string keep_stop_words(ViewState& view) {
  Presentation& p = view.present;
  const bool title = view.editing == "field:stop-title";
  reread_set(view);
  const int place = chosen_card(p, int(p.set.items.size()));
  const auto close = [&] {
    view.editing.clear();
    p.slide_begun = false;
    p.stop_text.clear();
    p.words_before.clear();
  };
  // The field stays, and who types goes on behind what stands there.
  const auto refused = [&](std::string why) {
    view.typing_begun = true;
    return why;
  };
  if (place >= int(p.set.items.size()) || p.stop_text == p.words_before) return close(), std::string();
  const SetItem item = p.set.items[size_t(place)];
  if (item.link != p.words_link) return close(), not_as_read(p.set);
  const std::string typed = on_one_line(p.stop_text, title, is_slide(item.link));
  SetItem changed = item;
  if (!title) {
    changed.note = with_time_of(item.note, typed);
  } else if (is_slide(item.link)) {
    TypedSlide slide = typed_slide(item.link, typed, p.set.file);
    if (!slide.fault.empty()) return refused(std::move(slide.fault));
    changed.link = std::move(slide.line);
  } else if (p.stop_text.starts_with("tilewalk://")) {
    const std::vector<SetItem> line = read_set_list(on_one_line(p.stop_text, false), p.set.file).items;
    if (line.size() != 1 || line.front().link != item.link)
      return refused("Not kept: this is the link of another stop; what is typed here is a title alone.");
    changed.title = line.front().title;
  } else {
    changed.title = typed == stop_title({item.link, {}}, view) ? std::string() : typed;
  }
  if (line_of(changed) == line_of(item)) return close(), std::string();
  const bool here = place == p.place && slide_on_show(view);
  const bool added = p.slide_begun && !p.set_before.empty();  // and its title: one change
  if (std::string fault = write_line(view, place, changed, !added); !fault.empty()) return refused(std::move(fault));
  close();
  p.overview_at = place;
  // What the room sees of it is the slide as it is now.
  if (here && place < int(p.set.items.size())) {
    show_slide(view, p.set.items[size_t(place)].link);
    p.landed = place_now(view);
  }
  if (added) return fmt::format("The slide is kept as stop {}. Ctrl+Z takes it back.", place + 1);
  return fmt::format("The {} of stop {} is kept. Ctrl+Z takes it back.", title ? "title" : "note", place + 1);
}

void leave_stop_words(ViewState& view) {
  Presentation& p = view.present;
  view.editing.clear();
  p.stop_text.clear();
  p.words_before.clear();
  if (!std::exchange(p.slide_begun, false)) return;
  const int behind = p.overview_at - 1;
  view.notice = undo_set_edit(view);
  p.overview_at = std::clamp(behind, 0, std::max(0, int(p.set.items.size()) - 1));
}

SlidesAdded add_slides(ViewState& view, std::span<const std::filesystem::path> files) {
  namespace fs = std::filesystem;
  Presentation& p = view.present;
  if (p.set.file.empty() || p.set.items.empty())
    return {false,
            "A picture is shown as a slide of a set list: drop the list (talk.set) first, or keep a place in one "
            "with Ctrl+D."};
  reread_set(view);
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(fs::absolute(p.set.file, error).parent_path(), error);
  std::vector<std::string> slides;
  for (const fs::path& file : files) {
    Slide slide;
    slide.picture = fs::weakly_canonical(file, error).lexically_relative(folder).generic_string();
    if (slide.picture.empty() || slide.picture.starts_with(".."))
      return {false, fmt::format("{} does not lie beside {}: copy it there, or into a folder there, and drop it again.",
                                 printable_path(file.filename()), printable_path(p.set.file.filename()))};
    const SetList read = read_set_list(line_of(slide), p.set.file);
    if (read.items.empty() || slide_of(read.items.front().link).picture != slide.picture)
      return {false, fmt::format("The name of {} cannot stand in a set list: leave | and # out of it.",
                                 printable_path(file.filename()))};
    slides.push_back(line_of(slide));
  }
  const int place = p.overview ? chosen_card(p, int(p.set.items.size())) : int(p.set.items.size()) - 1;
  if (const std::string fault = put_behind(view, place, slides); !fault.empty()) return {false, fault};
  const std::string what = files.size() == 1
                               ? fmt::format("A slide of {} stands", printable_path(files.front().filename()))
                               : fmt::format("{} slides stand", files.size());
  return {true, fmt::format("{} behind stop {}. Ctrl+Z in the overview (O) takes that back.", what, place + 1)};
}

std::string add_stop_behind(ViewState& view, std::string_view link) {
  Presentation& p = view.present;
  reread_set(view);
  const std::string line(link);
  const int behind = std::clamp(p.place, 0, int(p.set.items.size()) - 1);
  if (std::string fault = put_behind(view, behind, {&line, 1}); !fault.empty()) return fault;
  return p.stop_added = fmt::format("Added to {}: stop {}, {}. Ctrl+Z takes it back.", p.set.file.string(), behind + 2,
                                    stop_title(p.set.items[size_t(behind) + 1], view));
}

bool undo_added_stop(ViewState& view) {
  const Presentation& p = view.present;
  if (!p.on || p.stop_added.empty() || !view.notice.starts_with(p.stop_added) || p.set_before.empty()) return false;
  view.notice = undo_set_edit(view);
  return true;
}

std::string add_title_slide(ViewState& view) {
  const std::string line = line_of(Slide{.title = "A slide", .picture = {}, .lines = {}});
  reread_set(view);
  std::string fault = put_behind(view, chosen_card(view.present, int(view.present.set.items.size())), {&line, 1});
  if (!fault.empty()) return fault;
  begin_stop_words(view, true);
  view.present.slide_begun = true;
  return {};
}

std::string undo_set_edit(ViewState& view) {
  Presentation& p = view.present;
  if (reread_set(view))
    return fmt::format("{} was changed by another program and is read again: what was before stays behind.",
                       p.set.file.filename().string());
  if (p.set_before.empty()) return "Nothing was changed in the set list.";
  const std::string before = p.set_before.back();
  const std::vector<SetItem> changed = p.set.items;
  if (std::string fault = rewrite(
          view, [&](std::string_view) { return std::optional(before); }, false);
      !fault.empty())
    return fault;
  p.set_before.pop_back();
  // The first stop that is another now is the one that came back.
  const auto same = [](const SetItem& a, const SetItem& b) {
    return a.link == b.link && a.title == b.title && a.note == b.note;
  };
  const auto other = std::ranges::mismatch(p.set.items, changed, same).in1;
  p.overview_at = std::min(int(other - p.set.items.begin()), int(p.set.items.size()) - 1);
  return "The set list is as it was before.";
}

}  // namespace tilewalk
