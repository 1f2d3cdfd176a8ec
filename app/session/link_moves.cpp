#include "app/session/link_moves.h"

#include "app/boards/board.h"
#include "app/session/beat_stage.h"
#include "app/session/charts_link.h"
#include "app/session/fields.h"
#include "app/session/go_to.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/lesson_walk.h"
#include "app/session/named_place.h"
#include "app/session/number_text.h"
#include "app/session/open_file.h"
#include "app/session/overlays.h"
#include "app/session/playback.h"
#include "app/session/tools.h"
#include "app/session/transport.h"
#include "app/session/write_link.h"
#include "app/session/write_moves.h"
#include "core/attention/presets.h"
#include "core/io/printable.h"
#include "core/kernel/kernel_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

void add(std::string& words, const std::string& sentence) {
  if (!sentence.empty()) words += (words.empty() ? "" : " ") + sentence;
}

// The number, brought into its range; what was changed goes to `words`.
int64_t clamped(std::string_view what, int64_t value, int64_t least, int64_t most, std::string& words) {
  const int64_t inside = std::clamp(value, least, std::max(least, most));
  if (inside != value) add(words, fmt::format("{} {} is out of range; {} is taken.", what, value, inside));
  return inside;
}

// The link's own words on the walk, without those that cannot be read or do not exist.
WalkWords words_of_link(const Link& link, const WalkWords& before, std::string& notes) {
  WalkWords own;
  if (const std::string* preset = link.find("preset")) {
    if (preset_named(*preset))
      own["preset"] = *preset;
    else
      add(notes, fmt::format("There is no preset called {}.", in_quotes(*preset, 40)));
  }
  const std::string* n = link.find("N");
  for (const SetupField& field : setup_fields()) {
    const std::string word = word_of_field(field.name);
    const std::string* text = field.link.empty() ? nullptr : link.find(field.link);
    if (!text && field.link == "Nq") text = n;  // N alone is both
    if (!text) continue;
    own[word] = *text;
    if (!field.size) continue;
    const ParsedNumber parsed = parse_whole(*text, field.link);
    if (!parsed.fault.empty()) {
      own.erase(word);
      if (text != n || field.link == "N") add(notes, parsed.fault);
      continue;
    }
    const Range range = range_of(field.name);
    std::string unsaid;  // N is said once
    own[word] = std::to_string(
        clamped(field.link, parsed.value, range.least, range.most, text == n && field.link != "N" ? unsaid : notes));
  }
  for (size_t tries = 0; tries < setup_fields().size(); ++tries) {
    WalkWords all = before;
    for (const auto& [word, text] : own) all[word] = text;
    const WantedWalk wanted = wanted_walk(all);
    if (wanted.faults.empty()) break;
    add(notes, wanted.faults.front().message);
    if (own.erase(word_of_field(wanted.faults.front().field)) == 0) break;
  }
  return own;
}

void open_trained_head(const Link& link, Session& session, ViewState& view, std::string& notes) {
  add(notes, open_real_head(session, view));
  if (!on_real_head(session, view)) return;
  const auto from_one = [&](std::string_view key, int last, int otherwise) {
    const std::string* text = link.find(key);
    const ParsedNumber parsed = parse_whole(text ? *text : "1", key);
    return text && parsed.fault.empty() ? int(clamped(key, parsed.value, 1, last, notes)) - 1 : otherwise;
  };
  const int layer = from_one("layer", int(view.file_groups.size()), view.file_group);
  const int head = from_one("head", view.file_heads, view.file_head);
  add(notes, open_head(session, view, layer, head));
  Setup setup = session.setup();
  const WalkWords own = words_of_link(link, {}, notes);
  for (const auto& [word, text] : own) {
    const bool fixed = word == "n-q" || word == "n-k" || word == "d" || word == "seed" || word == "distribution";
    if (!fixed && word != "fault" && word != "preset") put_field(setup, field_of_word(word), text);
  }
  if (const std::vector<Fault> faults = session.change(setup); !faults.empty()) add(notes, faults.front().message);
  seek(session.walk(), view, 0);
}

void put_walk(const Link& link, const WalkWords& before, Session& session, ViewState& view, std::string& notes) {
  const WalkWords own = words_of_link(link, before, notes);
  if (own.empty() && link.place == Link::Place::Lesson) return;
  WalkWords all = before;
  for (const auto& [word, text] : own) all[word] = text;
  bool changed = false;
  if (const std::vector<Fault> faults = take_walk(all, session, view, changed); !faults.empty())
    add(notes, faults.front().message);
  if (changed) seek(session.walk(), view, 0);
}

void put_place(const Link& link, Session& session, ViewState& view, std::string& notes) {
  if (const std::string* at = link.find("at")) add(notes, go_to(*at, session, view));
  if (link.step) {
    const int64_t length = session.walk().replay.length();
    seek(session.walk(), view, clamped("Step", *link.step, 0, length, notes));
  }
  if (const std::string* row = link.find("row")) {
    const ParsedNumber parsed = parse_whole(*row, "row");
    add(notes, parsed.fault);
    if (parsed.fault.empty()) view.row = clamped("Row", parsed.value, 1, session.problem().n_q, notes) - 1;
  }
}

void put_board(const Link& link, const Session& session, ViewState& view, std::string& notes) {
  const Board& board = *board_named(view.board.board);
  for (const Knob& knob : board.knobs) {
    const std::string* text = link.find(knob.id);
    if (!text) continue;
    const std::optional<double> value = knob_value_of(knob, *text);
    if (!value) {
      add(notes,
          fmt::format("{} cannot be {}; it stays.", knob.label.empty() ? knob.id : knob.label, in_quotes(*text, 40)));
      continue;
    }
    add(notes, knob_fault(knob, *value, *text));
    view.board.knobs[std::string(knob.id)] = clamp_knob(knob, *value);
  }
  if (board.turns_with) board.turns_with({}, view.board);
  for (const std::string_view name : board.texts)
    if (const std::string* text = link.find(name)) {
      const std::string fault = text_fault(name, *text);
      add(notes, fault);
      if (fault.empty()) view.board.cells[std::string(name)] = *text;
    }
  if (const std::string* show = link.find("show")) {
    add(notes, show_fault(board, *show));
    view.board.show = read_board_state(fmt::format("{}?show={}", board.id, *show)).show;
  }
  if (link.step) seek_board(session, view, int(clamped("Step", *link.step, 0, board_steps(session, view), notes)));
}

void put_tab(const Link& link, ViewState& view) {
  const std::string* name = link.find("view");
  if (!name) return;
  const std::optional<Tab> tab = named<Tab>(kTabNames, *name);
  if (!tab || (*tab == Tab::Lesson && !beat_on_show(view))) return;
  view.tab = *tab;
  view.page = 0;
}

// The kernel's own source beside the walk.
void put_source(const Link& link, const Session& session, ViewState& view, std::string& notes) {
  const std::string* name = link.find("source");
  view.source = {};
  if (!name) return;
  const auto rungs = rungs_of(session.setup().schedule);
  const auto kernel = kernel_named(*name);
  if (!kernel || std::ranges::find(rungs, *kernel) == rungs.end())
    return add(notes, fmt::format("There is no source {} of this schedule.", in_quotes(*name, 40)));
  view.source = {true, kernel};
}

std::shared_ptr<const Lesson> lesson_named(std::string_view name, const ViewState& view) {
  if (!view.lesson.course) return nullptr;
  const ParsedNumber number = parse_whole(name, "lesson");
  if (number.fault.empty() && number.value > 0 && number.value < 1000)
    if (auto lesson = view.lesson.course->lesson_numbered(int(number.value))) return lesson;
  if (auto lesson = lesson_called(view.lesson, name)) return lesson;
  // A relative goes by the letter that the rail gives it, too.
  return name.size() == 1 ? relative_called(name, *view.lesson.course) : nullptr;
}

// Keys, and parts of the path, that say nothing here; such as another version may know.
std::string unknown_words(const Link& link, const ViewState& view) {
  constexpr std::array<std::string_view, 10> kWalk{"preset", "at",    "row",    "inputs",  "layer",
                                                   "head",   "stage", "source", "program", "puzzle"};
  const Board* board = board_named(view.board.board);
  const bool lesson = link.place == Link::Place::Lesson;
  const std::string *inputs = link.find("inputs"), *stage = link.find("stage");
  const bool trained = link.place == Link::Place::Walk && inputs && *inputs == kTrainedHead;
  std::vector<std::string> unknown = link.unknown;
  if (inputs && !trained) unknown.push_back("inputs=" + *inputs);
  if (stage && *stage != kWalkStage) unknown.push_back("stage=" + *stage);
  for (const auto& [key, value] : link.keys) {
    const auto named = [&key = key](const auto& each) { return each == key; };
    const bool of_walk = std::ranges::any_of(kWalk, named) ||
                         std::ranges::find(setup_fields(), key, &SetupField::link) != setup_fields().end();
    const bool of_charts = link.place == Link::Place::Walk && link.find("charts") && is_charts_key(key);
    const bool of_board =
        board && (key == "show" || std::ranges::any_of(board->texts, named) ||
                  std::ranges::any_of(board->knobs, [&](const Knob& each) { return each.id == key; }));
    const bool tab = key == "view" && tilewalk::named<Tab>(kTabNames, value).has_value();
    // The trained head has its own numbers, sizes and all; layers and heads are of it alone.
    const bool of_head = key == "layer" || key == "head";
    const bool fixed = trained && (key == "N" || key == "Nq" || key == "d" || key == "seed" || key == "distribution");
    if (of_head ? !trained : fixed) unknown.push_back(key);
    if (!tab && !(board ? of_board || (lesson && key == "stage") : of_walk || of_charts))
      unknown.push_back(key == "view" ? "view=" + value : key);
  }
  return unknown.empty() ? std::string() : fmt::format("The link says what is not known there: {}.", some_of(unknown));
}

void close_what_lies_over(ViewState& view) {
  leave_tool(view);
  leave_write(view);
  view.playing = false;
  view.lesson.review = view.gpu.enlarged = false;
  close_overlays(view);
}

}  // namespace

Opened open_link(std::string_view text, Session& session, ViewState& view) {
  const ReadLink read = read_link(text);
  if (!read.fault.empty()) return {false, read.fault, {}};
  const Link& link = read.link;
  Opened out{true, {}, {}};
  if (link.version > kLinkVersion)
    out.words = fmt::format(
        "This link is of a newer Tilewalk (version {} of links, this one knows {}); what it does "
        "not know is left out.",
        link.version, kLinkVersion);
  add(out.words, link.repeated());

  if (link.place == Link::Place::Lesson) {
    const std::shared_ptr<const Lesson> lesson = lesson_named(link.name, view);
    if (!lesson)
      return {false,
              fmt::format("The link leads to lesson {}, which is not here: it was renamed or taken out, or the "
                          "link is of another version.",
                          in_quotes(link.name, 40)),
              {}};
    const int beats = int(lesson->beats.size());
    int beat = link.beat ? int(clamped("Beat", *link.beat, 1, beats, out.words)) - 1 : 0;
    // A step without a beat is of the first beat that walks; where none does, of a walk beside the lesson's text.
    const std::string* stage = link.find("stage");
    bool walks = stage && *stage == kWalkStage;
    if (!link.beat && (link.step || link.find("at"))) {
      while (beat < beats && stage_of_beat(*lesson, beat) != kWalkStage) ++beat;
      if (beat == beats) beat = 0, walks = true;
    }
    close_what_lies_over(view);
    open_lesson(session, view, lesson->id, beat);
    add(out.words, view.notice);
    if (walks) view.board = {};
    if (view.board.board.empty()) put_walk(link, walk_of_beat(view), session, view, out.words);
  } else if (link.place == Link::Place::Board) {
    const Board* board = board_named(link.name);
    if (!board)
      return {
          false, fmt::format("The link leads to a board called {}, which is not here.", in_quotes(link.name, 40)), {}};
    close_what_lies_over(view);
    BoardState state;
    state.board = board->id;
    open_tool(view, std::move(state));  // so that one can go back to where one was
  } else {
    close_what_lies_over(view);
    drop_lesson(view);
    view.row = 0;
    const std::string* inputs = link.find("inputs");
    if (inputs && *inputs == kTrainedHead)
      open_trained_head(link, session, view, out.words);
    else
      put_walk(link, {}, session, view, out.words);
    add(out.words, put_program(link, session, view));
    seek(session.walk(), view, 0);
  }
  if (view.board.board.empty())
    put_place(link, session, view, out.words), put_source(link, session, view, out.words);
  else
    put_board(link, session, view, out.words);
  put_tab(link, view);
  if (link.place == Link::Place::Walk)
    put_charts(link, session, view, out.words);
  else if (link.find("charts"))
    add(out.words,
        "The GPU's charts are a place of their own, beside lessons and boards: tilewalk://walk?charts=compare.");
  view.notice = out.lost = out.words;
  add(out.lost, unknown_words(link, view));
  return out;
}

std::string go_anywhere(std::string_view words, Session& session, ViewState& view) {
  std::string link(words);
  std::string_view place;
  const size_t slash = words.find('/');
  if (slash != std::string_view::npos && slash > 0 &&
      words.substr(0, slash).find_first_not_of("0123456789") == std::string_view::npos) {
    link = fmt::format("tilewalk://lesson/{}/step/0", words.substr(0, slash));
    place = words.substr(slash + 1);
  }
  if (is_link(link)) {
    const Opened opened = open_link(link, session, view);
    if (!opened.there) return opened.words;
    return place.empty() ? std::string() : go_to(place, session, view);
  }
  const std::optional<std::string> said = go_to_lesson(words, session, view);
  std::string fault = said ? *said : go_to(words, session, view);
  if (fault.empty()) return fault;
  const NamedPlace found = place_named(words, view.lesson);
  if (!found.word.empty()) return view.over = WordSheet{found.word, 0}, std::string();
  if (found.lesson) return open_lesson(session, view, found.lesson->id, found.beat), std::string();
  const std::vector<BeatPlace> saying = beats_saying(words, view.lesson);
  if (saying.empty()) return fault;
  open_lesson(session, view, saying.front().lesson->id, saying.front().beat);
  return {};
}

}  // namespace tilewalk
