// What there is to say about the followed row at one moment: the step, its tile's keys, and the row before and after.
// Private to explain_text.cpp and explain_moves.cpp.
#pragma once

#include "app/panels/explain_text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

inline std::string count_words(int64_t count) {
  constexpr std::array<std::string_view, 13> kWords{"no",    "one",   "two",  "three", "four",   "five",  "six",
                                                    "seven", "eight", "nine", "ten",   "eleven", "twelve"};
  return count >= 0 && count < int64_t(kWords.size()) ? std::string(kWords[size_t(count)]) : with_commas(count);
}

inline std::string capital(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z') words[0] = char(words[0] - 'a' + 'A');
  return words;
}

inline std::string keys_words(int64_t count) { return count == 1 ? "one key" : count_words(count) + " keys"; }

// "key 9", "keys 9 and 10", "keys 9 to 12"; arguments count from 1.
inline std::string range_words(std::string_view thing, int64_t first, int64_t last) {
  if (first == last) return fmt::format("{} {}", thing, first);
  return fmt::format("{}s {} {} {}", thing, first, last == first + 1 ? "and" : "to", last);
}

class ToldRow {
 public:
  ToldRow(const Moment& moment, const RowTrace& trace)
      : moment_(moment), plan_(moment.walk->plan()), t_(plan_.tiling), id_(moment.walk->schedule.id), trace_(trace) {
    if (!moment.step()) return;
    step_ = *moment.step();
    row_ = step_.i * t_.br + moment.row;
    first_key_ = step_.j * t_.bc;
    last_key_ = first_key_ + t_.cols(step_.j) - 1;
    for (const RowTrace::Visit& v : trace.visits) (v.j == step_.j ? here_ : before_) = v;
    if (trace.open) here_ = *trace.open;
    // FA3 has the scores of the next tile before it is done with this one: those are no past yet.
    std::vector<bool> past(size_t(t_.tc), standard());
    for (const RowTrace::Visit& v : trace.visits) past[size_t(v.j)] = true;
    for (int64_t c = 0; c < t_.n_k; ++c) {
      const RowTrace::Key& key = trace.keys[size_t(c)];
      if (c >= first_key_ && c <= last_key_) {
        hidden_ += key.score == kMinusInfinity;
        if (key.score != kMinusInfinity && (best_ < 0 || key.score > trace.keys[size_t(best_)].score)) best_ = c;
      } else if (key.seen && past[size_t(key.tile)] && key.score != kMinusInfinity) {
        ++seen_before_;
        if (champion_ < 0 || key.score > trace.keys[size_t(champion_)].score) champion_ = c;
      }
      visible_ += key.score != kMinusInfinity;
    }
  }

 protected:
  std::string name(Tensor tensor) const { return tile_name(tensor, step_.i, step_.j); }
  bool fa1() const { return id_ == ScheduleId::Fa1; }
  bool fa3() const { return id_ == ScheduleId::Fa3; }
  bool standard() const { return id_ == ScheduleId::Standard; }
  bool did(StepKind kind) const {
    return std::any_of(moment_.steps.begin(), moment_.steps.end(), [&](const Step& s) { return s.kind == kind; });
  }
  int64_t turns() const {
    int64_t count = 1;
    for (size_t k = 1; k < moment_.steps.size(); ++k)
      count += moment_.steps[k].section != moment_.steps[k - 1].section ||
               moment_.steps[k].visit != moment_.steps[k - 1].visit;
    return count;
  }

  // Of several steps, the one whose idea is told.
  StepKind subject() const {
    using enum StepKind;
    if (did(RowMax) && did(RowSum)) return RowMax;
    if (did(RowSum)) return RowSum;
    if (did(Rescale) && alpha() != 1) return Rescale;
    for (StepKind kind :
         {Accumulate, Mask, RowMax, Normalize, NormalizeP, Convert, StoreO, StoreS, StoreP, LoadQ, LoadK})
      if (did(kind)) return kind;
    return step_.kind;
  }

  double max_before() const { return before_ ? before_->m : kMinusInfinity; }
  double max_now() const { return here_ ? here_->m : max_before(); }
  double sum_before() const { return before_ ? before_->l : 0; }
  double sum_now() const { return here_ && !trace_.open ? here_->l : sum_before(); }
  double alpha() const { return here_ ? here_->alpha : 1; }
  bool all_hidden() const { return hidden_ == last_key_ - first_key_ + 1; }
  std::string tile_keys() const { return range_words("key", first_key_ + 1, last_key_ + 1); }
  std::string tile_rows() const { return range_words("row", step_.i * t_.br + 1, step_.i * t_.br + t_.rows(step_.i)); }

  const Moment& moment_;
  const Plan& plan_;
  const Tiling& t_;
  ScheduleId id_;
  const RowTrace& trace_;
  Step step_;
  int64_t row_ = 0, first_key_ = 0, last_key_ = 0, hidden_ = 0, seen_before_ = 0, visible_ = 0;
  int64_t best_ = -1, champion_ = -1;             // keys from 0: best of this tile, best of those seen before
  std::optional<RowTrace::Visit> before_, here_;  // the visit before this tile, and this tile's
};

// Loads, stores and first values, the start of the walk, and units of many steps.
Explanation explain_moves(const ToldRow& row);

}  // namespace tilewalk
