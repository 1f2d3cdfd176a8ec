// Time before a room: how long one has stood at a stop, all visits together, how far a talk of a given length is
// behind, and the countdown that the room sees. All in seconds.
#pragma once

#include "app/state/view_state.h"

#include <string>

namespace tilewalk {

std::string clock_words(double seconds);  // "12:10", "1:02:10"; what has begun is not counted

// By the shares of the stops: those that their notes give ("[4 min]"), the others alike of what is left.
struct StopTime {
  double begin = 0, end = 0;
};
StopTime planned_time(const SetList& set, int place);
// Above 0: behind; below: ahead. Within the stop's own time neither.
double behind_plan(const Presentation& p);
double time_at_stop(const ViewState& view);  // seconds, of all visits to it
// "At this stop 2:05", and of a talk that has a length "12:10 of 40:00, 1:20 behind".
std::string pace_words(const ViewState& view);

// Half a minute that the room sees go by; once more: half a minute more. What the one who talks is told.
void start_countdown(ViewState& view);
void end_countdown_elsewhere(ViewState& view);  // it is of the stop at which it was begun
std::string countdown_words(double left);       // "30", "1:05"; the second that has begun is counted

// The clock, which goes on for who leaves for a while; while one presents the countdown and the time at the stop, too.
void pass_talk_time(ViewState& view, double seconds);
double seconds_to_countdown_change(const Presentation& p);  // infinity without one

}  // namespace tilewalk
