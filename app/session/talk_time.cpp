#include "app/session/talk_time.h"

#include "app/session/kept_stops.h"
#include "app/session/questions.h"
#include "app/session/set_stops.h"
#include "app/session/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewalk {
namespace {

constexpr double kCountdown = 30, kMostCountdown = 600;

// Of a set list its place, with a tool that lies over it, too; in another lesson, and without a list, the beat.
StopKey timed_stop(const ViewState& view) {
  const Presentation& p = view.present;
  const bool elsewhere = off_set_list(view) && !tool_open(view) && !view.lesson.id.empty();
  return p.set.items.empty() || elsewhere ? StopKey{view.lesson.id, view.lesson.beat} : StopKey{{}, p.place};
}

}  // namespace

double time_at_stop(const ViewState& view) {
  const auto found = view.present.stood_at.find(timed_stop(view));
  return found == view.present.stood_at.end() ? 0 : found->second;
}

std::string clock_words(double seconds) {
  const int64_t s = int64_t(seconds);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02}", s / 60, s % 60);
}

StopTime planned_time(const SetList& set, int place) {
  double own = 0;
  int open = 0;
  for (const SetItem& item : set.items) item.seconds > 0 ? own += item.seconds : ++open;
  const double each = open > 0 ? std::max(0.0, set.length - own) / open : 0;
  StopTime time;
  for (int k = 0; k <= place && k < int(set.items.size()); ++k) {
    const double share = set.items[size_t(k)].seconds;
    time.begin = time.end;
    time.end += share > 0 ? share : each;
  }
  return time;
}

double behind_plan(const Presentation& p) {
  const StopTime planned = planned_time(p.set, p.place);
  return p.elapsed > planned.end ? p.elapsed - planned.end : std::min(0.0, p.elapsed - planned.begin);
}

std::string pace_words(const ViewState& view) {
  const Presentation& p = view.present;
  std::string words = "At this stop " + clock_words(time_at_stop(view));
  if (p.set.length <= 0) return words;
  words += fmt::format(" · {} of {}", clock_words(p.elapsed), clock_words(p.set.length));
  const double behind = behind_plan(p);
  if (std::abs(behind) < 1) return words + ", on time";
  return words + fmt::format(", {} {}", clock_words(std::abs(behind)), behind > 0 ? "behind" : "ahead");
}

void start_countdown(ViewState& view) {
  Presentation& p = view.present;
  if (const AskedQuestion asked = asked_now(view); p.question && asked.question && settled(view, asked)) {
    view.notice = "This question is answered already: nothing is counted down.";
    return;
  }
  if (p.frozen && p.countdown <= 0) {
    view.notice = "The room's picture is frozen and shows no countdown: F lifts it, then H begins one.";
    return;
  }
  p.countdown = std::min(kMostCountdown, std::ceil(p.countdown) + kCountdown);
  p.counts_at = timed_stop(view);
  if (p.frozen)
    view.notice = "The room's picture is frozen: it shows no countdown. F lifts it.";
  else if (p.blank != Blank::None)
    view.notice = "The room is blank: it shows the countdown when the picture is back.";
  else if (!p.presenters_window())
    view.notice.clear();  // it is to be seen
  else
    view.notice = fmt::format("The room sees {} s go by. H: {:.0f} s more; Esc takes it away.",
                              countdown_words(p.countdown), kCountdown);
}

std::string countdown_words(double left) {
  const int64_t s = int64_t(std::ceil(left));
  return s < 60 ? fmt::format("{}", s) : fmt::format("{}:{:02}", s / 60, s % 60);
}

void end_countdown_elsewhere(ViewState& view) {
  Presentation& p = view.present;
  if (p.counts_at != timed_stop(view)) p.countdown = 0;
}

void pass_talk_time(ViewState& view, double seconds) {
  Presentation& p = view.present;
  if (p.on || p.elapsed > 0) p.elapsed += seconds;
  if (!p.on) return;
  end_countdown_elsewhere(view);
  if (p.countdown > 0 && p.countdown <= seconds && p.presenters_window()) view.notice = "The room's countdown is over.";
  p.countdown = std::max(0.0, p.countdown - seconds);
  p.stood_at[timed_stop(view)] += seconds;
}

double seconds_to_countdown_change(const Presentation& p) {
  if (p.countdown <= 0) return std::numeric_limits<double>::infinity();
  return p.countdown - (std::ceil(p.countdown) - 1);
}

}  // namespace tilewalk
