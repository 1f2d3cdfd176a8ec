#include "app/panels/describe.h"

#include "app/boards/board.h"
#include "app/boards/estimate_model.h"
#include "app/boards/knob_row.h"
#include "app/panels/lesson_parts.h"
#include "app/panels/told_prose.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/playback.h"
#include "app/session/questions.h"
#include "app/stage/stage.h"
#include "app/state/inputs_words.h"
#include "app/state/why_a_model.h"
#include "core/machine/words.h"
#include "core/playback/output_state.h"
#include "core/playback/row_view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <map>

namespace tilewalk {
namespace {

using Lines = std::vector<std::string>;

constexpr int kDigits = 6;
constexpr size_t kMostNumbers = 64;  // of one row

void tell_question(Lines& out, const AskedQuestion& asked, const Session& session, const ViewState& view) {
  const Instance instance = instance_on_show(asked, session, view);
  const ProseWords words = words_of(*asked.lesson, &instance, asked.key, session, view);
  out.push_back("");
  out.push_back("Question:");
  tell_prose(out, asked.question->text, words);
  for (size_t place = 0; place < instance.order.size(); ++place) {  // as a room sees them
    Lines option;
    tell_prose(option, asked.question->options[size_t(instance.order[place])].text, words);
    out.push_back(fmt::format("  {}) {}", char('A' + place), fmt::join(option, " ")));
  }
  if (asked.question->options.empty())
    out.push_back(asked.question->unit.empty() ? std::string("  A number is asked.")
                                               : fmt::format("  A number is asked, in {}.", asked.question->unit));
}

void tell_lesson(Lines& out, const Session& session, const ViewState& view) {
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  const Beat* beat = beat_on_show(view);
  if (!lesson || !beat) return;
  out.push_back(lesson->number > 0 ? fmt::format("{}: {}", lesson_words(*lesson), lesson->title) : lesson->title);
  const std::string kind(title_of(beat->kind));
  out.push_back(fmt::format("Beat {} of {}. {}{}", view.lesson.beat + 1, lesson->beats.size(), kind,
                            beat->title.empty() ? "" : ": " + beat->title));
  out.push_back("");
  tell_prose(out, beat->text, words_of(*lesson, nullptr, "", session, view));
  for (const AskedQuestion& asked : questions_on_show(view)) tell_question(out, asked, session, view);
  if (!beat->kernel.empty()) {
    out.push_back("For kernel people:");
    tell_prose(out, beat->kernel, words_of(*lesson, nullptr, "", session, view));
  }
  out.push_back("");
}

// `seen`: how many of them lie before the first key that the mask hides.
void tell_numbers(Lines& out, std::string_view name, const std::vector<double>& values,
                  int64_t seen = std::numeric_limits<int64_t>::max()) {
  if (values.empty()) return;
  Lines words;
  for (size_t k = 0; k < std::min(values.size(), kMostNumbers); ++k)
    words.push_back(int64_t(k) >= seen && values[k] == 0 ? "masked" : number_words(values[k], kDigits));
  const std::string more =
      values.size() > kMostNumbers ? fmt::format(" and {} more", values.size() - kMostNumbers) : "";
  out.push_back(fmt::format("  {}: {}{}", name, fmt::join(words, ", "), more));
}

// "L2" or "DRAM" of a tile that waits there; empty of anything else.
std::string_view memory_of(const Region& region) {
  if (!region.id.starts_with("tile:")) return {};
  for (const std::string_view memory : {"L2", "DRAM"})
    if (region.tip.find(fmt::format(" in {}.", memory)) != std::string::npos) return memory;
  return {};
}

// What the pointer would be told of everything on the stage, each thing once. Tiles that wait in a memory are listed by
// name; single numbers and what cannot be anywhere are left out.
void tell_tips(Lines& out, const SeenStage& seen) {
  Lines told;
  std::map<std::string, Lines> waiting;  // by memory
  for (const Region& region : seen.scene->regions) {
    const std::string& tip = region.tip;
    if (!seen.area.contains(region.rect.center()) || (seen.without_stops && region.focusable)) continue;
    if (tip.empty() || region.id.starts_with("cell:") || region.id.starts_with("row:")) continue;
    if (tip.find("never reaches DRAM") != std::string::npos) continue;
    if (const std::string_view memory = memory_of(region); !memory.empty()) {
      Lines& names = waiting[std::string(memory)];
      if (std::string name = tip.substr(0, tip.find(':')); std::ranges::find(names, name) == names.end())
        names.push_back(std::move(name));
    } else if (std::ranges::find(told, tip) == told.end()) {
      told.push_back(tip);
    }
  }
  if (told.empty()) return;
  out.push_back("");
  out.push_back("On the stage:");
  for (const std::string& tip : told) out.push_back("  " + tip);
  for (const auto& [memory, names] : waiting)
    out.push_back(fmt::format("  In {}: {}.", memory, fmt::join(names, ", ")));
}

void tell_all_tips(Lines& out, const Scene& scene) {
  constexpr float kFar = 1e9f;
  tell_tips(out, {&scene, {-kFar, -kFar, 2 * kFar, 2 * kFar}, false});
}

void tell_walk(Lines& out, Session& session, const ViewState& view, const SeenStage* seen) {
  const Problem& p = session.problem();
  const Moment moment = moment_of(session.walk(), view);
  const int64_t length = session.walk().replay.length();
  out.push_back(fmt::format("{}: {}. Step {} of {}.", session.walk().schedule.name, session.walk().schedule.title,
                            view.playhead, length));
  const std::string n = p.n_q == p.n_k ? fmt::format("N {}", p.n_q) : queries_and_keys(p);
  out.push_back(fmt::format("{}, d {}, Br {}, Bc {}, {} mask; inputs: {}.", n, p.d, p.br, p.bc, name_of(p.mask),
                            inputs_words(session)));
  if (std::string model = why_a_model(session.walk().schedule.id, session.walk().spec); !model.empty())
    out.push_back(std::move(model));
  out.push_back("");
  out.push_back(moment.words.caption);
  if (!moment.words.formula.empty()) out.push_back(moment.words.formula);

  if (moment.step()) {
    const Step& step = *moment.step();
    RowView row = view_row(moment.after, step.i, step.j, moment.row);
    if (row.lse && output_is_divided(moment.walk->replay.steps(), moment.playhead, step.i, moment.walk->schedule))
      row.alpha.reset();
    out.push_back("");
    out.push_back(fmt::format("Row {} of Q:", moment.tile * p.br + moment.row + 1));
    tell_numbers(out, "S", row.s);
    const Tiling& t = session.walk().plan().tiling;
    const int64_t keys = !t.causal ? t.n_k : t.first_row(step.i) + moment.row + t.offset + 1;
    tell_numbers(out, "P", row.p, keys - step.j * t.bc);
    for (const auto& [name, value] : {std::pair{"m", row.m}, std::pair{"α", row.alpha}, std::pair{"l", row.l},
                                      std::pair{"L", row.lse}, std::pair{"D", row.d}})
      if (value) out.push_back(fmt::format("  {} = {}", name, number_words(*value, kDigits)));
    tell_numbers(out, "O", row.o);
    tell_numbers(out, "dP", row.dp);
    tell_numbers(out, "dS", row.ds, keys - step.j * t.bc);
    tell_numbers(out, "dQ", row.dq);
  }
  if (seen)
    tell_tips(out, *seen);
  else
    tell_all_tips(out, layout_stage_scene(session, view, {1920, 1080}));

  const Meters& m = moment.after.meters;
  out.push_back("");
  out.push_back(
      fmt::format("So far, computed: {} from L2 into the SM, {} back; {} FLOP in matrix products, {} others, "
                  "{} exponentials.",
                  bytes_words(m.fill_bytes()), bytes_words(m.drain_bytes()), with_commas(m.matrix_flop),
                  with_commas(m.vector_flop), with_commas(m.exponentials)));
}

void tell_board(Lines& out, const Board& board, Session& session, const ViewState& view, const SeenStage* seen) {
  const Exhibit shown{view.board, session, view, board};
  const int steps = board_steps(session, view);
  out.push_back(steps > 0 ? fmt::format("{}. Step {} of {}.", board.title, view.board.step, steps)
                          : fmt::format("{}.", board.title));
  out.push_back("");
  out.push_back(board.caption(shown));
  if (!board.knobs.empty()) {
    out.push_back("");
    out.push_back("Set to:");
  }
  for (const Knob& knob : board.knobs) {
    if (board.has && !board.has(knob.id, view.board)) continue;
    out.push_back(fmt::format("  {}: {}{}", knob.label.empty() ? knob.id : knob.label,
                              knob_text(knob, shown.knob(knob.id)),
                              is_locked(view.board, knob.id) ? ", locked until the question is answered" : ""));
  }
  const std::vector<Reading> readings = board.readings ? board.readings(shown) : std::vector<Reading>{};
  if (!readings.empty()) {
    out.push_back("");
    out.push_back("It shows:");
  }
  for (const Reading& reading : readings) {
    const std::string value =
        shown.covered(reading.id)
            ? std::string("covered until the question is answered")
            : fmt::format("{}{}, {}", mark_of(reading.quantity.origin),
                          format_quantity(reading.quantity, "").value_or("?"), name_of(reading.quantity.origin));
    out.push_back(fmt::format("  {}: {}", reading.label, value));
  }
  if (const SaidOfModel* said = said_of_model(shown)) {
    out.push_back("");
    out.push_back("Your model:");
    for (const std::string& sentence : said->sentences) out.push_back("  " + sentence);
    if (!said->unknown.empty()) out.push_back("Not known here:");
    for (const std::string& sentence : said->unknown) out.push_back("  " + sentence);
  }
  if (seen) return tell_tips(out, *seen);
  Scene scene;
  scene.size = {1920, 1080};
  layout_board(scene, session, view, view.board, {0, 0, 1920, 1080}, Style(view.theme, 1));
  tell_all_tips(out, scene);
}

}  // namespace

std::string stage_caption(const Session& session, const ViewState& view) {
  const Board* board = board_named(view.board.board);
  if (!board) return moment_of(session.walk(), view).words.caption;
  return board->caption({view.board, session, view, *board});
}

std::vector<std::string> describe_stage(Session& session, const ViewState& view, const SeenStage* seen) {
  Lines out;
  if (const Board* board = board_named(view.board.board))
    tell_board(out, *board, session, view, seen);
  else
    tell_walk(out, session, view, seen);
  return out;
}

std::vector<std::string> describe(Session& session, const ViewState& view) {
  Lines out;
  tell_lesson(out, session, view);
  const Lines stage = describe_stage(session, view);
  out.insert(out.end(), stage.begin(), stage.end());
  return out;
}

}  // namespace tilewalk
