#include "app/panels/room_foot.h"

#include "app/boards/draw.h"
#include "app/boards/fixed_premises.h"
#include "app/boards/kit.h"
#include "app/boards/knob_row.h"
#include "app/session/breaking.h"
#include "app/text/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

// What a knob is to the numbers of its board.
enum class Use : uint8_t {
  Other,
  Premise,      // they depend on it, wherever a board has a knob for it
  Method,       // likewise, and its value says what it is
  AlsoPremise,  // likewise, where there is room
  Overlap,      // of a timeline what may overlap, off or on
  Tiles,        // what they depend on besides, where there is room for it
  Seen,         // no premise: what the switch turns is seen, or is not there
};

// By a knob's label, or by its id.
struct Used {
  Use use;
  std::array<std::string_view, 14> knobs;
};
constexpr auto kUses = std::to_array<Used>({
    {Use::Method, {"Method"}},
    {Use::Tiles, {"Scales", "Sheet", "rows", "tile", "tiles", "keys", "loop", "inputs"}},
    {Use::Premise,
     {"gpu", "N", "d", "batch", "B", "H", "heads", "mask", "pass", "format", "machine", "shape", "torch", "schedule"}},
    {Use::AlsoPremise, {"threads", "Br", "Bc", "layer", "noise", "seed", "groups", "devices", "splits"}},
    {Use::Overlap, {"producer", "pingpong", "pipeline"}},
    {Use::Seen, {"trace", "reveal", "snap", "names", "paint", "first", "second", "flash", "keep", "time"}},
});

Use use_of(const Knob& knob) {
  const auto named = [&](const Used& used) {
    return std::ranges::any_of(
        used.knobs, [&](std::string_view each) { return !each.empty() && (each == knob.label || each == knob.id); });
  };
  const auto found = std::ranges::find_if(kUses, named);
  return found == kUses.end() ? Use::Other : found->use;
}

bool overlap(const Knob& knob) { return use_of(knob) == Use::Overlap; }
bool first_premise(const Knob& knob) { return use_of(knob) == Use::Premise || use_of(knob) == Use::Method; }
bool premise(const Knob& knob) { return first_premise(knob) || use_of(knob) == Use::AlsoPremise || overlap(knob); }
bool tiles(const Knob& knob) { return use_of(knob) == Use::Tiles; }
bool usually_so(const Knob& knob) { return knob.id == "mask" || knob.id == "pass" || knob.id == "format"; }

// "causal", "backward", "bf16", "H100 SXM": said without what it is.
bool speaks_for_itself(const Knob& knob) {
  return use_of(knob) == Use::Method || usually_so(knob) || knob.id == "gpu" || knob.label == "Schedule";
}
bool steps_order(const Knob& knob) { return knob.label == "Order of steps"; }  // "FA3 order"

// What "Break it" has broken, for as long as it is, says which of the knobs it turned.
bool says_what_breaks(const ViewState& view, const Knob& knob) {
  if (broken_words(view).empty() || !view.lesson.lent || view.lesson.lent->board.board != view.board.board)
    return false;
  const Board* board = board_named(view.board.board);
  return board && knob_value(*board, view.board, knob.id) != knob_value(*board, view.lesson.lent->board, knob.id);
}

// With N either the tokens are kept, and batch and heads follow, or these two are.
bool keeps_tokens(const Exhibit& view) {
  return std::ranges::any_of(view.board.knobs, [&](const Knob& each) {
    const size_t chosen = each.id == "batch" ? size_t(view.knob("batch")) : each.names().size();
    return chosen < each.names().size() && each.names()[chosen] == "tokens";
  });
}

// A batch cannot fall below one sequence: a longer one is more than those tokens.
bool is_one_sequence(const Exhibit& view, const Knob& knob) {
  return knob.id == "batch" && keeps_tokens(view) && view.knob("N") > double(benchmark_problem(1, 64).batch);
}

// What one who learns need not compute is no premise, nor what turns nothing.
bool says_nothing(const Exhibit& view, const Knob& knob) {
  if (says_what_breaks(view.view, knob)) return true;
  if (is_usual(knob, view.knob(knob.id)) && !overlap(knob)) return true;
  if (knob.id == "B" || knob.id == "H") return keeps_tokens(view);
  return knob.id == "given" || (knob.id == "batch" && !keeps_tokens(view));
}

// A switch that is not as it usually is.
bool switched(const Exhibit& view, const Knob& knob) {
  return knob.kind == Knob::Kind::Switch && view.knob(knob.id) != knob.initial && use_of(knob) != Use::Seen;
}

// In whole words, "Head dimension d 128"; in their letters, "d 128"; values alone where these speak for themselves; and
// in short what overlaps.
enum class Labels : uint8_t { Whole, Letters, Bare, Fewest };

// "Threads 128".
std::string_view label_of(const Knob& knob, Labels labels) {
  const std::string_view label = knob.label;
  const bool bare = labels >= Labels::Bare;
  if (knob.id == "batch" || (bare && (steps_order(knob) || speaks_for_itself(knob)))) return {};  // "16 K tokens"
  if (labels == Labels::Whole) return label;
  if (bare && label == "Threads that compute") return "Threads";
  if (bare && label == "Loads run ahead") return "Loads ahead";
  // "Softmax under P V" is no V, "Recorded time" no time.
  const size_t last = label.rfind(' ');
  if (knob.kind != Knob::Kind::Switch && last != std::string_view::npos && label.substr(last + 1) == knob.id)
    return knob.id;
  return label.starts_with(knob.id) && label.substr(knob.id.size()).starts_with(',') ? knob.id : label;
}

std::string words_of_knob(const Exhibit& view, const Knob& knob, Labels labels) {
  std::string value = is_one_sequence(view, knob) ? "B 1" : knob_text(knob, view.knob(knob.id));
  if (knob.id == "mask")
    return value == "full" || value == "none" ? "no mask" : value == "causal" ? value : value + " mask";
  if (labels >= Labels::Bare && steps_order(knob)) value += " order";
  if (knob.kind == Knob::Kind::Switch && value == "on") value.clear();
  const std::string_view label = label_of(knob, labels);
  return fmt::format("{}{}{}", label, label.empty() || value.empty() ? "" : " ", value);
}

// "Loads ahead", "off: Ping-pong, Softmax under P V"; in short "only Loads ahead".
std::vector<std::string> words_of_overlaps(const Exhibit& view, const std::vector<const Knob*>& knobs, Labels labels) {
  std::vector<std::string> on, off;
  for (const Knob* knob : knobs) (view.on(knob->id) ? on : off).emplace_back(label_of(*knob, labels));
  const auto list = [](const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); };
  if (labels == Labels::Fewest && std::ranges::count_if(view.board.knobs, overlap) == std::ptrdiff_t(knobs.size()))
    return {on.empty()               ? "no overlap"
            : off.empty()            ? "all overlaps"
            : on.size() > off.size() ? "all but " + list(off)
                                     : "only " + list(on)};
  if (!off.empty()) on.push_back("off: " + list(off));
  return on;
}

std::string words_of(const Exhibit& view, const std::vector<const Knob*>& knobs, Labels labels) {
  std::vector<const Knob*> overlaps;
  std::ranges::copy_if(knobs, std::back_inserter(overlaps), [](const Knob* knob) { return overlap(*knob); });
  std::vector<std::string> words;
  if (!overlaps.empty()) words = words_of_overlaps(view, overlaps, labels);
  for (const Knob* knob : knobs)
    if (!overlap(*knob)) words.push_back(words_of_knob(view, *knob, labels));
  return fmt::format("{}", fmt::join(words, " · "));
}

}  // namespace

// Names and values of the knobs that the beat puts within reach, and of the premises, with what no knob turns; the
// longest of these that fits: in whole words, in their letters, the premises and what is not as it always is, these
// with values alone where they speak for themselves, without mask and pass as they usually are, with what overlaps in
// short, without it, what each problem has, without the format, too, the premises alone.
std::string knob_words(const Exhibit& view, const Style& st, float width) {
  BoardState first = view.state;
  first.knob_page = 0;  // the row's page is the speaker's
  std::vector<const Knob*> reach = knobs_in_reach(view.board, first), all = reach;
  const auto add = [&](std::vector<const Knob*>& to, auto&& wanted) {
    for (const Knob* knob : all_knobs(view.board))
      if (std::ranges::find(to, knob) == to.end() && wanted(*knob)) to.push_back(knob);
  };
  add(all, [&](const Knob& knob) { return premise(knob) || switched(view, knob); });
  std::vector<const Knob*> more = all;
  add(more, tiles);
  // In the board's order, whatever the stop puts within reach: two walls that say the same say it alike.
  for (std::vector<const Knob*>* knobs : {&reach, &all, &more}) {
    std::erase_if(*knobs, [&](const Knob* knob) { return says_nothing(view, *knob); });
    std::ranges::sort(*knobs);
  }
  std::vector<const Knob*> needed, typed, still, first_ones, named, turned, alone;
  for (const Knob* knob : all) {
    const bool other = view.knob(knob->id) != knob->initial, usual = !other && usually_so(*knob);
    const bool counts = premise(*knob) || (other && use_of(*knob) != Use::Seen);
    if (counts) needed.push_back(knob);
    if (counts && (!usual || knob->id == "format")) typed.push_back(knob);
    if (counts && !overlap(*knob) && knob->id != "threads") still.push_back(knob);
    if (first_premise(*knob)) first_ones.push_back(knob);
    if (counts && !usual) named.push_back(knob);
    if (other || std::ranges::find(reach, knob) != reach.end()) turned.push_back(knob);
    if (premise(*knob) && use_of(*knob) != Use::Method) alone.push_back(knob);
  }
  const std::string fixed = fixed_premises(view);
  using enum Labels;
  for (const auto& [knobs, labels] : {std::pair{more, Whole},
                                      {more, Letters},
                                      {more, Bare},
                                      {all, Letters},
                                      {needed, Letters},
                                      {needed, Bare},
                                      {typed, Bare},
                                      {typed, Fewest},
                                      {still, Bare},
                                      {first_ones, Bare},
                                      {named, Letters},
                                      {alone, Letters},
                                      {turned, Letters},
                                      {reach, Letters}}) {
    std::string words = words_of(view, knobs, labels);
    if (!words.empty() && !fixed.empty()) words += " · ";
    if (words += fixed; text_width(words, Face::Sans, st.small()) <= width) return words;
  }
  return words_of(view, reach, Letters);
}

}  // namespace tilewalk
