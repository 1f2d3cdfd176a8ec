#include "app/panels/room_foot.h"

#include "app/boards/draw.h"
#include "app/boards/kit.h"
#include "app/boards/knob_row.h"
#include "app/session/breaking.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

// What a number depends on, wherever a board has a knob for it.
constexpr auto kPremises = std::to_array<std::string_view>(
    {"gpu", "N", "d", "batch", "B", "H", "heads", "mask", "pass", "format", "machine", "shape", "torch", "schedule"});
constexpr auto kAlsoPremises = std::to_array<std::string_view>({"threads", "Br", "Bc", "layer", "noise", "seed"});
// Of a timeline what may overlap, off or on.
constexpr auto kOverlaps = std::to_array<std::string_view>({"producer", "pingpong", "pipeline"});
// Switches that are no premise: what they turn is seen, or is not there.
constexpr auto kSeen = std::to_array<std::string_view>(
    {"trace", "reveal", "snap", "names", "paint", "first", "second", "flash", "keep", "time"});
// And what it depends on besides, where there is room for it.
constexpr auto kTilesAndLoops = std::to_array<std::string_view>({"rows", "tile", "tiles", "keys", "loop", "inputs"});

bool one_of(std::span<const std::string_view> ids, const Knob& knob) {
  return std::ranges::find(ids, knob.id) != ids.end();
}

bool named_method(const Knob* knob) { return knob->label == "Method"; }
bool premise(const Knob* knob) {
  return named_method(knob) || one_of(kPremises, *knob) || one_of(kAlsoPremises, *knob) || one_of(kOverlaps, *knob);
}
bool usually_so(const Knob* knob) { return knob->id == "mask" || knob->id == "pass" || knob->id == "format"; }
bool tile_or_loop(const Knob* knob) {
  return knob->label == "Scales" || knob->label == "Sheet" || one_of(kTilesAndLoops, *knob);
}

// "causal", "backward", "bf16", "H100 SXM": said without what it is.
bool speaks_for_itself(const Knob* knob) {
  return named_method(knob) || usually_so(knob) || knob->id == "gpu" || knob->label == "Schedule";
}
bool steps_order(const Knob* knob) { return knob->label == "Order of steps"; }  // "FA3 order"

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
  if (is_usual(knob, view.knob(knob.id)) && !one_of(kOverlaps, knob)) return true;
  if (knob.id == "B" || knob.id == "H") return keeps_tokens(view);
  return knob.id == "given" || (knob.id == "batch" && !keeps_tokens(view));
}

// A switch that is not as it usually is.
bool switched(const Exhibit& view, const Knob& knob) {
  return knob.kind == Knob::Kind::Switch && view.knob(knob.id) != knob.initial && !one_of(kSeen, knob);
}

// "Threads 128".
std::string_view shorter(std::string_view label) {
  return label == "Threads that compute" ? "Threads" : label == "Loads run ahead" ? "Loads ahead" : label;
}

}  // namespace

// Names and values of the knobs that the beat puts within reach, and of the premises, with what no knob turns; the
// longest of these that fits: in whole words, "Head dimension d 128", in their letters, "d 128", the premises and what
// is not as it always is, these with values alone where they speak for themselves, without mask and pass as they
// usually are, without what overlaps, what each problem has, without the format, too, the premises alone.
std::string knob_words(const Exhibit& view, const Style& st, float width) {
  BoardState first = view.state;
  first.knob_page = 0;  // the row's page is the speaker's
  std::vector<const Knob*> reach = knobs_in_reach(view.board, first), all = reach;
  const auto add = [&](std::vector<const Knob*>& to, bool (*wanted)(const Knob*)) {
    for (const Knob* knob : all_knobs(view.board))
      if (std::ranges::find(to, knob) == to.end() && wanted(knob)) to.push_back(knob);
  };
  add(all, premise);
  for (const Knob* knob : all_knobs(view.board))
    if (switched(view, *knob) && std::ranges::find(all, knob) == all.end()) all.push_back(knob);
  std::vector<const Knob*> more = all;
  add(more, tile_or_loop);
  for (std::vector<const Knob*>* knobs : {&reach, &all, &more})
    std::erase_if(*knobs, [&](const Knob* knob) { return says_nothing(view, *knob); });
  // In the board's order, whatever the stop puts within reach: two walls that say the same say it alike.
  for (std::vector<const Knob*>* knobs : {&reach, &all, &more}) std::ranges::sort(*knobs);
  enum Labels : uint8_t { Whole, Letters, Bare };
  const auto words_of = [&](const std::vector<const Knob*>& knobs, Labels labels) {
    const bool letters = labels != Whole;
    std::string words, off;
    const auto put_off = [&] {
      if (!off.empty()) words += (words.empty() ? "" : " · ") + std::exchange(off, {});
    };
    for (const Knob* knob : knobs) {
      std::string_view label = knob->label;
      // "Softmax under P V" is no V.
      if (const size_t last = label.rfind(' ');
          letters && last != std::string_view::npos && label.substr(last + 1) == knob->id)
        label.remove_prefix(last + 1);
      if (labels == Bare) label = shorter(label);
      if (letters && label.starts_with(knob->id) && label.substr(knob->id.size()).starts_with(',')) label = knob->id;
      const bool bare_order = labels == Bare && steps_order(knob);
      if (knob->id == "batch" || bare_order || (labels == Bare && speaks_for_itself(knob)))
        label = {};  // "16 K tokens"
      // "Last tile first".
      std::string value = is_one_sequence(view, *knob) ? "B 1" : knob_text(*knob, view.knob(knob->id));
      if (bare_order) value += " order";
      if (knob->kind == Knob::Kind::Switch && value == "on") value.clear();
      if (labels == Bare && one_of(kOverlaps, *knob) && value == "off") {  // "off: Ping-pong, Softmax under P V"
        off += fmt::format("{}{}", off.empty() ? "off: " : ", ", label);
        continue;
      }
      if (!one_of(kOverlaps, *knob)) put_off();
      if (knob->id == "mask")
        label = {}, value = value == "full" || value == "none" ? "no mask"
                            : value == "causal"                ? value
                                                               : value + " mask";
      words +=
          fmt::format("{}{}{}{}", words.empty() ? "" : " · ", label, label.empty() || value.empty() ? "" : " ", value);
    }
    put_off();
    return words;
  };
  std::vector<const Knob*> needed, typed, still, first_ones, named, turned, alone;
  for (const Knob* knob : all) {
    const bool other = view.knob(knob->id) != knob->initial, usual = !other && usually_so(knob);
    if (premise(knob) || other) needed.push_back(knob);
    if ((premise(knob) || other) && (!usual || knob->id == "format")) typed.push_back(knob);
    if ((premise(knob) || other) && !one_of(kOverlaps, *knob) && knob->id != "threads") still.push_back(knob);
    if (one_of(kPremises, *knob) || named_method(knob)) first_ones.push_back(knob);
    if ((premise(knob) || other) && !usual) named.push_back(knob);
    if (std::ranges::find(reach, knob) != reach.end() || other) turned.push_back(knob);
    if (premise(knob) && !named_method(knob)) alone.push_back(knob);
  }
  const auto with_fixed = [&](std::string words) {
    return words + (words.empty() || view.board.fixed.empty() ? "" : " · ") + std::string(view.board.fixed);
  };
  for (const std::string& words :
       {words_of(more, Whole), words_of(more, Letters), words_of(more, Bare), words_of(all, Letters),
        words_of(needed, Letters), words_of(needed, Bare), words_of(typed, Bare), words_of(still, Bare),
        words_of(first_ones, Bare), words_of(named, Letters), words_of(alone, Letters), words_of(turned, Letters),
        words_of(reach, Letters)})
    if (std::string told = with_fixed(words); text_width(told, Face::Sans, st.small()) <= width) return told;
  return words_of(reach, Letters);
}

}  // namespace tilewalk
