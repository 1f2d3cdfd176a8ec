// The board "estimate", private to its files: what it is drawn from, and its parts.
#pragma once

#include "app/boards/attention_case.h"
#include "app/boards/board.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewalk {

// Everything that follows from the knobs.
struct EstimateNow {
  Case asked;
  Roofs roofs;
  Method method{}, fused{};  // the one whose roofs are shown; the fused one that wins
  Work work;                 // of `method`
  Estimate chosen, standard, eager, of_fused;
  // Where things turn, of forward and backward passes over N queries.
  std::optional<Saturation> saturation;
  std::optional<int64_t> out_of_memory;  // standard's first N that does not fit
  Bound bound;                           // of the fused method
  double ridge = 0, eta = 0, law = 0;    // law: 0 where the shortcut does not speak of this pass
  WinRange wins, wins_over_eager;        // of the fused method
  double win() const { return tilewalk::win(standard, of_fused); }
  double win_over_eager() const { return tilewalk::win(eager, of_fused); }
};
std::optional<EstimateNow> estimate_now(const Exhibit& view);

// What keeps the chosen method busy, roof by roof and then the launches.
struct EstimateRow {
  std::string_view name, key;
  std::optional<double> time;  // nothing: the rate is not known
  std::string how, source;
  bool binds;
};
std::vector<EstimateRow> estimate_rows(const EstimateNow& now);

// What to expect of the two methods whose times stand above, in one line, and whether anybody timed either.
bool anything_held(const EstimateNow& now);
void layout_estimate_held(const BoardView& view, Rect line, const EstimateNow& now, float size = 0);

// In front of a room: the win, each method's time and memory, and a bar for each row, all in type for the last row.
void layout_estimate_room(const BoardView& view, Rect area, const EstimateNow& now);

// A bar for each roof on one axis of time, the binding one inked, and where overlapped and serial execution end.
void layout_estimate_bars(const BoardView& view, Rect area, const EstimateNow& now);

// N on a ruler with what turns where: its handle is the region "board:N".
void layout_estimate_ruler(const BoardView& view, Rect area, const EstimateNow& now);
// The rule of thumb for long N beside the model's figure.
void layout_estimate_law(const BoardView& view, Rect line, const EstimateNow& now, float size = 0);

// "137 GFLOP", "1.07 G exponentials": what there is to do under a roof, and its rate.
std::string work_words(Roof roof, double amount);
std::string rate_words(Roof roof, const Rate& rate);

}  // namespace tilewalk
