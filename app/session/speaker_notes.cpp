// notes.json: {"tilewalk_notes": 1, "notes": {"online-softmax / A row": "Ask who has seen this before."}}
#include "app/session/speaker_notes.h"

#include "app/session/commands.h"
#include "app/session/lesson_moves.h"
#include "app/session/set_edit.h"
#include "app/session/set_list.h"
#include "app/session/set_reread.h"
#include "app/session/set_stops.h"
#include "core/io/file.h"
#include "core/io/folder_lock.h"
#include "core/io/json_reader.h"
#include "core/io/merge.h"
#include "core/io/paths.h"
#include "core/io/printable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace tilewalk {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr uint64_t kMostNoteBytes = 4 << 20;

struct NotedBeat {
  std::string key;  // by its title, so that a beat that moves within its lesson keeps it
  std::string note;
};
NotedBeat noted(const std::shared_ptr<const Lesson>& lesson, const Beat* beat) {
  return lesson && beat ? NotedBeat{lesson->id + " / " + beat->title, beat->note} : NotedBeat{};
}
NotedBeat beat_of_note(const ViewState& view) {
  const Presentation& p = view.present;
  if (slide_on_show(view)) return {};
  if (beat_on_show(view)) return noted(lesson_on_show(view), beat_on_show(view));
  if (!p.on || !p.set.items.empty() || !view.lesson.course) return {};
  const auto left = view.lesson.course->lesson_with(p.landed.lesson);
  const bool there = left && p.landed.beat >= 0 && p.landed.beat < int(left->beats.size());
  return there ? noted(left, &left->beats[size_t(p.landed.beat)]) : NotedBeat{};
}

std::string note_of_beat(const ViewState& view) {
  const NotedBeat beat = beat_of_note(view);
  const auto own = view.present.own_notes.find(beat.key);
  return own != view.present.own_notes.end() ? own->second : beat.note;
}

// The stop on show; over a tool, the stop that Page Down returns to: what is typed has a place wherever one stands, and
// its letters are no commands.
const SetItem* stop_of_note(const ViewState& view) {
  const Presentation& p = view.present;
  if (const SetItem* item = stop_on_show(view); item || beat_on_show(view)) return item;
  return p.place >= 0 && p.place < int(p.set.items.size()) ? &p.set.items[size_t(p.place)] : nullptr;
}

// Line breaks are blanks in the field and in a set list's line.
std::string on_one_line(std::string text) {
  for (char& c : text)
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  return text;
}

}  // namespace

ShownNotes notes_on_show(const ViewState& view) {
  const SetItem* item = view.editing == "field:note" ? stop_of_note(view) : stop_on_show(view);
  ShownNotes notes{item ? item->note : std::string(), note_of_beat(view)};
  if (view.editing == "field:note") (item ? notes.stop : notes.beat) = with_time_of(notes.stop, view.present.note_text);
  return notes;
}

bool can_write_note(const ViewState& view) {
  const Presentation& p = view.present;
  return p.on && (stop_of_note(view) || !beat_of_note(view).key.empty());
}

std::string why_no_note(const ViewState& view) {
  const Presentation& p = view.present;
  if (!p.on)
    return fmt::format("{} writes the note of a stop while you present: {} begins.", keys_of("note-write"),
                       key_of("present"));
  return "No beat and no stop of a set list is on the stage to write a note of.";
}

std::string stop_left_of_note(const ViewState& view) {
  const Presentation& p = view.present;
  if (stop_on_show(view) || beat_on_show(view)) return {};
  return p.set.items.empty() ? fmt::format("beat {}", p.landed.beat + 1) : fmt::format("stop {}", p.place + 1);
}

void begin_note(ViewState& view) {
  reread_set(view);
  const SetItem* item = stop_of_note(view);
  view.present.note_text = on_one_line(item ? std::string(words_of_note(item->note)) : note_of_beat(view));
  view.present.words_before = view.present.note_text;
  view.present.words_link = item ? item->link : std::string();
  const auto& unkept = view.present.unkept_notes;
  if (const auto own = unkept.find(view.present.words_link); own != unkept.end()) view.present.note_text = own->second;
  view.editing = "field:note";
  view.typing_begun = false;  // what there was is selected
}

std::string keep_note(ViewState& view) {
  Presentation& p = view.present;
  const std::string text = on_one_line(p.note_text);
  reread_set(view);
  const SetItem* item = stop_of_note(view);
  if (!p.words_link.empty() && (!item || item->link != p.words_link))
    return fmt::format("{} was changed by another program: the stop of this note is not in it any more.",
                       p.set.file.filename().string());
  if (item) {
    if (const std::string note = with_time_of(item->note, text); text != p.words_before && note != item->note) {
      SetItem changed = *item;
      changed.note = note;
      if (std::string fault = write_stop(view, p.place, changed); !fault.empty()) return fault;
    }
  } else if (const NotedBeat beat = beat_of_note(view); !beat.key.empty()) {
    const bool as_it_came = text.empty() || text == on_one_line(beat.note);
    if (as_it_came)
      p.own_notes.erase(beat.key);
    else
      p.own_notes[beat.key] = text;
    p.notes_changed = true;
  }
  p.unkept_notes.erase(p.words_link);
  p.note_text.clear();
  p.words_before.clear();
  view.editing.clear();
  return {};
}

std::string leave_note(ViewState& view) {
  if (view.editing != "field:note") return {};
  const std::string fault = keep_note(view);
  if (fault.empty()) return {};
  Presentation& p = view.present;
  p.unkept_notes[p.words_link] = std::exchange(p.note_text, {});
  p.words_before.clear();
  view.editing.clear();
  return fmt::format("The note is not written yet. {} {} at its stop has it.", fault, keys_of("note-write"));
}

OwnNotes load_notes(const fs::path& file, std::string_view suffix) {
  OwnNotes out;
  std::error_code missing;
  if (file.empty() || fs::symlink_status(file, missing).type() == fs::file_type::not_found) return out;
  try {
    const Json json = read_json(read_file(file, kMostNoteBytes));
    if (json.at("tilewalk_notes").get<int>() == 1) {
      json.at("notes").get_to(out.notes);
      return out;
    }
    out.notice = fmt::format("{} was written by a newer Tilewalk", printable_path(file));
  } catch (const Json::exception&) {
    out.notice = fmt::format("{} is damaged", printable_path(file));
  } catch (const JsonError& error) {
    out.notice = fmt::format("{} is damaged: it {}", printable_path(file), error.what());
  } catch (const IoError& error) {
    out.notice = error.what();
    if (out.notice.ends_with('.')) out.notice.pop_back();
  }
  out.notes.clear();
  try {
    out.notice += fmt::format("; it was set aside as {}, and notes begin anew.",
                              printable_path(set_aside(file, suffix).filename()));
  } catch (const IoError&) {
    out.notice += "; it could not be set aside: remove it.";
    out.blocked = true;
  }
  return out;
}

OwnNotes keep_notes(const fs::path& file, const Notes& known, const Notes& ours, std::string_view suffix,
                    double patience) {
  if (file.empty()) return {ours, {}};
  if (file.has_parent_path()) make_folder(file.parent_path());
  const FolderLock lock(file.parent_path(), patience);
  OwnNotes kept = load_notes(file, suffix);
  if (kept.blocked) throw IoError(kept.notice);
  std::error_code missing;
  const Notes before = std::exchange(kept.notes, {});
  kept.notes = fs::exists(file, missing) ? merged_by_key(known, ours, before) : ours;
  if (kept.notes == before && fs::exists(file, missing)) return kept;
  const Json json{{"tilewalk_notes", 1}, {"notes", kept.notes}};
  write_file(file, json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
  return kept;
}

}  // namespace tilewalk
