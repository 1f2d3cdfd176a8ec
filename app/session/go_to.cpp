#include "app/session/go_to.h"

#include "app/session/transport.h"
#include "core/io/letters.h"
#include "core/io/number.h"
#include "core/playback/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace tilewalk {
namespace {

std::string plain(std::string_view words) {
  std::string out;
  for (char c : words) {
    const bool space = std::isspace(static_cast<unsigned char>(c));
    if (!space) out += lowered(c);
    if (space && !out.empty() && out.back() != ' ') out += ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// Where the first part of the n-th unit has been taken, n from 1.
Target nth(int64_t n, Unit unit, std::string_view what, const Walk& walk) {
  const std::vector<Step>& steps = walk.replay.steps();
  int64_t begin = 0, count = 0;
  while (begin < int64_t(steps.size())) {
    if (++count == n) return {unit_forward(steps, begin, Unit::Part), {}, {}};
    begin = unit_forward(steps, begin, unit);
  }
  return {std::nullopt, {}, fmt::format("There is no {} {}: this walk has {}, counted from 1.", what, n, count)};
}

// "first rise", "next max rise", "last rise of Q tile 2": where the max of a row that has a sum already rises. Nothing
// where the words are about something else.
std::optional<Target> rise_of(std::string_view text, const Walk& walk, int64_t playhead) {
  std::string_view rest = text, order = "first";
  for (std::string_view word : {"first", "next", "last"})
    if (rest.starts_with(word)) {
      order = word;
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
  if (rest.starts_with("max ")) rest.remove_prefix(4);
  if (rest != "rise" && !rest.starts_with("rise ")) return std::nullopt;
  rest.remove_prefix(std::min<size_t>(rest.size(), 5));
  std::optional<int64_t> tile;
  if (!rest.empty()) {
    if (rest.starts_with("of ")) rest.remove_prefix(3);
    if (rest.starts_with("q tile ")) tile = number_of<int64_t>(rest.substr(7));
    if (!tile) return Target{{}, {}, fmt::format("\"{}\" is not understood. Write \"first rise of Q tile 2\".", text)};
  }
  Target found;
  for (const Marker& marker : walk.replay.markers()) {
    if (marker.kind != Marker::MaxRose || (order == "next" && marker.step <= playhead)) continue;
    if (tile && walk.replay.steps()[size_t(marker.step - 1)].i + 1 != *tile) continue;
    found = {marker.step, marker.first_row, {}};
    if (order != "last") return found;
  }
  if (!found.playhead) found.fault = fmt::format("No running max of {} rises there.", walk.schedule.name);
  return found;
}

// A rescale is seen on a row whose max rose in the same visit, if there is one.
std::optional<int64_t> row_to_watch(const Walk& walk, int64_t playhead) {
  const std::vector<Step>& steps = walk.replay.steps();
  const Step& here = steps[size_t(playhead - 1)];
  if (here.kind != StepKind::Rescale) return std::nullopt;
  for (const Marker& marker : walk.replay.markers()) {
    if (marker.kind != Marker::MaxRose || marker.step > playhead) continue;
    const Step& rise = steps[size_t(marker.step - 1)];
    if (rise.section == here.section && rise.visit == here.visit && rise.i == here.i) return marker.first_row;
  }
  return std::nullopt;
}

}  // namespace

Target target_of(std::string_view words, const Walk& walk, int64_t playhead) {
  const std::string text = plain(words);
  const int64_t length = walk.replay.length();
  if (text.empty()) return {std::nullopt, {}, "Type a step, a tile, a row, or what happens there."};
  if (text == "start" || text == "first") return {0, {}, {}};
  if (text == "end" || text == "last") return {length, {}, {}};

  const bool step = text.starts_with("step ");
  if (const auto k = number_of<int64_t>(step ? std::string_view(text).substr(5) : text)) {
    if (*k >= 0 && *k <= length) return {*k, {}, {}};
    return {std::nullopt, {}, fmt::format("There is no step {}: this walk has steps 0 to {}.", *k, length)};
  }
  if (text.starts_with("q tile ")) {
    if (const auto n = number_of<int64_t>(std::string_view(text).substr(7))) {
      const std::vector<Step>& steps = walk.replay.steps();
      for (int64_t k = 0; k < length; ++k)
        if (steps[size_t(k)].i + 1 == *n) return {unit_forward(steps, k, Unit::Part), {}, {}};
      return {std::nullopt, {}, fmt::format("There is no Q tile {}: this walk has {}.", *n, walk.plan().tiling.tr)};
    }
  }
  if (text.starts_with("row ")) {
    const int64_t rows = walk.plan().problem.n_q;
    if (const auto n = number_of<int64_t>(std::string_view(text).substr(4))) {
      if (*n >= 1 && *n <= rows) return {std::nullopt, *n - 1, {}};
      return {std::nullopt, {}, fmt::format("There is no row {}: Q has {}, counted from 1.", *n, rows)};
    }
  }
  for (const auto& [word, unit] : {std::pair{"tile", Unit::Tile}, std::pair{"turn", Unit::Row}}) {
    const std::string start = fmt::format("{} ", word);
    if (!text.starts_with(start)) continue;
    if (const auto n = number_of<int64_t>(std::string_view(text).substr(start.size())))
      return nth(*n, unit, word, walk);
  }

  if (const auto rise = rise_of(text, walk, playhead)) return *rise;
  const ParsedQuery parsed = parse_query(text);
  if (!parsed.query) return {std::nullopt, {}, parsed.fault};
  if (const auto k = find(walk.replay.steps(), *parsed.query)) return {*k, row_to_watch(walk, *k), {}};
  return {std::nullopt, {}, fmt::format("No step of {} matches \"{}\".", walk.schedule.name, text)};
}

std::string go_to(std::string_view words, const Session& session, ViewState& view) {
  const Target target = target_of(words, session.walk(), view.playhead);
  if (target.playhead) seek(session.walk(), view, *target.playhead);
  if (target.row) view.row = *target.row;
  return target.fault;
}

}  // namespace tilewalk
