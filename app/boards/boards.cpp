// The registry, and what a knob's values may be.
#include "app/boards/boards.h"

#include "core/io/number.h"
#include "core/io/printable.h"
#include "core/machine/words.h"
#include "core/roofline/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr auto kBoards = std::to_array<const Board*>({
    &kClocksBoard,       &kHierarchyBoard, &kMatrixBoard,    &kLaunchesBoard,  &kRoundingBoard,  &kTilesBoard,
    &kRowBoard,          &kPaperBoard,     &kTapeBoard,      &kCausalBoard,    &kSplitBoard,     &kRingBoard,
    &kDifferentialBoard, &kSparseBoard,    &kLatentBoard,    &kLanesBoard,     &kOccupancyBoard, &kFp8Board,
    &kDispatchBoard,     &kFamilyBoard,    &kDetectiveBoard, &kPublishedBoard, &kGrowthBoard,    &kWordsBoard,
    &kDeskBoard,         &kPathBoard,      &kDrawBoard,      &kEstimateBoard,  &kCurvesBoard,
});

}  // namespace

std::span<const Board* const> boards() { return kBoards; }

const Board* board_named(std::string_view id) {
  for (const Board* board : kBoards)
    if (board->id == id) return board;
  return nullptr;
}

double clamp_knob(const Knob& knob, double value) {
  if (!(value >= knob.least)) return knob.least;  // NaN too
  if (value > knob.top()) return knob.top();
  switch (knob.kind) {
    case Knob::Kind::Linear:
      return std::min(knob.least + std::round((value - knob.least) / knob.step) * knob.step, knob.most);
    case Knob::Kind::Octaves: return std::round(value);
    case Knob::Kind::PowersOfTwo: return std::clamp(std::exp2(std::round(std::log2(value))), knob.least, knob.most);
    case Knob::Kind::Choice:
    case Knob::Kind::Switch: return std::round(value);
  }
  return value;
}

double knob_value(const Board& board, const BoardState& state, std::string_view id) {
  for (const Knob& knob : board.knobs) {
    if (knob.id != id) continue;
    const auto set = state.knobs.find(id);
    return clamp_knob(knob, set == state.knobs.end() ? knob.initial : set->second);
  }
  return 0;
}

void turn_to(const Board& board, BoardState& state, std::string_view id, double value) {
  for (const Knob& knob : board.knobs)
    if (knob.id == id) state.knobs[std::string(id)] = clamp_knob(knob, value);
  if (board.turns_with) board.turns_with(id, state);
}

std::string knob_text(const Knob& knob, double value) {
  const auto with_unit = [&](std::string number) {
    return knob.unit.empty() ? number : fmt::format("{} {}", number, knob.unit);
  };
  if (knob.said) return knob.said(value);
  switch (knob.kind) {
    case Knob::Kind::Choice: {
      const auto at = size_t(std::clamp(value, 0.0, double(knob.words().size()) - 1));
      return knob.words().empty() ? std::string() : std::string(knob.words()[at]);
    }
    case Knob::Kind::Switch: return value != 0 ? "on" : "off";
    case Knob::Kind::PowersOfTwo:
    case Knob::Kind::Octaves: return with_unit(with_commas(std::llround(value)));
    case Knob::Kind::Linear: break;
  }
  return with_unit(value == std::round(value) ? with_commas(std::llround(value)) : fmt::format("{:.4g}", value));
}

std::optional<double> knob_value_of(const Knob& knob, std::string_view text) {
  if (knob.kind == Knob::Kind::Choice)
    for (size_t k = 0; k < knob.words().size(); ++k)
      if (knob.words()[k] == text || (k < knob.names().size() && knob.names()[k] == text)) return double(k);
  if (knob.kind == Knob::Kind::Switch && (text == "on" || text == "true")) return 1.0;
  if (knob.kind == Knob::Kind::Switch && (text == "off" || text == "false")) return 0.0;
  const auto value = number_of<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

namespace {

// Sets one "name=value" of the words; false where the board knows no such thing.
bool set_pair(const Board& board, BoardState& state, std::string_view name, std::string_view value) {
  if (name == "show") {
    for (size_t at = 0; at <= value.size();) {
      const size_t comma = std::min(value.find(',', at), value.size());
      state.show.emplace_back(value.substr(at, comma - at));
      at = comma + 1;
    }
    return true;
  }
  if (name == "step") {
    const auto step = number_of<int>(value);
    state.step = step.value_or(state.step);
    return step.has_value();
  }
  for (const Knob& knob : board.knobs)
    if (knob.id == name)
      if (const auto set = knob_value_of(knob, value)) {
        state.knobs[std::string(name)] = clamp_knob(knob, *set);
        return true;
      }
  if (std::ranges::find(board.texts, name) == board.texts.end()) return false;
  state.cells[std::string(name)] = value;
  return true;
}

std::string range_words(const Knob& knob) {
  const std::string ends = fmt::format("from {} to {}", knob.least, knob.top());
  if (knob.kind == Knob::Kind::PowersOfTwo) return "a power of two " + ends;
  if (knob.kind == Knob::Kind::Octaves || knob.step == 1) return "a whole number " + ends;
  return fmt::format("a number {} in steps of {}", ends, knob.step);
}

// What can be set on a board, for people who set it by words.
std::string words_for(const Board& board, std::string_view name) {
  std::string all;
  const auto add = [&](std::string_view word) { all += (all.empty() ? "" : ", ") + std::string(word); };
  for (const Knob& knob : board.knobs) {
    if (knob.id != name) continue;
    if (knob.kind == Knob::Kind::Switch) return "on or off";
    if (knob.kind != Knob::Kind::Choice) return range_words(knob);
    for (size_t k = 0; k < knob.words().size(); ++k) add(k < knob.names().size() ? knob.names()[k] : knob.words()[k]);
    return "one of " + all;
  }
  for (const Knob& knob : board.knobs) add(knob.id);
  return all;
}

}  // namespace

std::string text_fault(std::string_view name, std::string_view text) {
  const auto parts = std::ranges::count(text, ',') + (text.empty() ? 0 : 1);
  const bool roofs = name.starts_with("roofs"), points = name.starts_with("points");
  if (roofs && std::ssize(read_drawn_roofs(text)) != parts)
    return fmt::format("{} is {}; it must be roofs and their rates: dram:3.35e12,tensor:9.9e14.", name,
                       in_quotes(text, 40));
  if (points && std::ssize(read_drawn_points(text)) != parts)
    return fmt::format("{} is {}; it must be methods with their FLOP and bytes: fa2:34e9:b8.4e6,standard:34e9:b545e6.",
                       name, in_quotes(text, 40));
  return {};
}

std::string knob_fault(const Knob& knob, double asked, std::string_view written) {
  const double taken = clamp_knob(knob, asked);
  if (std::fabs(taken - asked) <= 1e-9 * std::max(1.0, std::fabs(asked))) return {};
  const bool outside = asked < knob.least || asked > knob.top();
  return fmt::format(
      "{} {} is {}; {} is taken.", knob.id, written,
      outside ? fmt::format("out of range, {} to {}", knob_text(knob, knob.least), knob_text(knob, knob.top()))
              : "no place of its slider",
      knob_text(knob, taken));
}

std::string show_fault(const Board& board, std::string_view names) {
  for (const std::string& name : read_board_state(fmt::format("{}?show={}", board.id, names)).show)
    if (std::ranges::find(board.knobs, name, &Knob::id) == board.knobs.end())
      return fmt::format("show names {}, which is no knob of the board {}; it has {}.", in_quotes(name, 40), board.id,
                         words_for(board, {}));
  return {};
}

BoardState read_board_state(std::string_view words, std::vector<std::string>* faults) {
  BoardState state;
  const auto fault = [&](std::string sentence) {
    if (faults) faults->push_back(std::move(sentence));
  };
  const size_t question = words.find('?');
  const Board* board = board_named(words.substr(0, question));
  if (!board) {
    std::string all;
    for (const Board* each : kBoards) all += (all.empty() ? "" : ", ") + std::string(each->id);
    fault(fmt::format("There is no board called {}; there are {}.", in_quotes(words.substr(0, question), 40), all));
    return state;
  }
  state.board = board->id;
  std::string_view rest = question == std::string_view::npos ? std::string_view{} : words.substr(question + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
    const size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view name = pair.substr(0, equals), value = pair.substr(std::min(equals + 1, pair.size()));
    const auto knob = std::ranges::find(board->knobs, name, &Knob::id);
    const bool known = knob != board->knobs.end();
    const auto wanted = known ? knob_value_of(*knob, value) : std::nullopt;
    const bool other =
        wanted && !knob_fault(*knob, *wanted, value).empty();  // another value is taken, and that is said
    if (set_pair(*board, state, name, value) && !other) {
      const std::string wrong = !faults ? "" : name == "show" ? show_fault(*board, value) : text_fault(name, value);
      if (!wrong.empty()) fault(wrong);
      continue;
    }
    if (known)
      fault(fmt::format("{} is {}; it must be {}.", name, in_quotes(value, 40), words_for(*board, name)));
    else
      fault(fmt::format("The board {} has nothing called {}; it has {}.", board->id, in_quotes(name, 40),
                        words_for(*board, {})));
  }
  if (board->turns_with) board->turns_with({}, state);
  return state;
}

double Exhibit::knob(std::string_view id) const { return knob_value(board, state, id); }

bool Exhibit::covered(std::string_view reading) const {
  if (std::ranges::find(state.covered, reading) != state.covered.end()) return true;
  // "l2", the sum after tile 2, gives l away.
  const size_t base = reading.find_last_not_of("0123456789") + 1;
  return base < reading.size() && std::ranges::find(state.covered, reading.substr(0, base)) != state.covered.end();
}

}  // namespace tilewalk
