#include "app/session/present_moves.h"

#include "app/session/beat_stage.h"
#include "app/session/class_moves.h"
#include "app/session/commands.h"
#include "app/session/home_knobs.h"
#include "app/session/jumps.h"
#include "app/session/kept_stops.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/link.h"
#include "app/session/link_moves.h"
#include "app/session/overlays.h"
#include "app/session/passing_words.h"
#include "app/session/questions.h"
#include "app/session/set_list.h"
#include "app/session/set_reread.h"
#include "app/session/set_stops.h"
#include "app/session/speaker_notes.h"
#include "app/session/stop_way.h"
#include "app/session/talk_time.h"
#include "app/session/tools.h"
#include "app/session/typing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tilewalk {

// Answers, progress and tools of the learner whose program it is: a talk neither shows nor changes them.
struct LearnersOwn {
  LearnerProgress progress;
  std::map<std::string, QuestionView> questions;
  std::map<std::string, BoardState, std::less<>> tools;
};

namespace {

// A note or a number that is being written belongs to its stop.
void hands_off(ViewState& view) {
  drop_half_typed(view);
  if (std::string said = leave_note(view); !said.empty()) view.notice = std::move(said);
  view.present.drawing = false;
}

// What a person drew belongs to what was shown.
void stage_goes_on(ViewState& view) {
  hands_off(view);
  view.present.knobs = view.present.tool_is_stop = false;
  wipe_strokes(view);
}

// The questions of the beat are asked anew.
void ask_anew(Session& session, ViewState& view) {
  for (const AskedQuestion& asked : questions_on_show(view)) view.lesson.questions.erase(asked.key);
  view.lesson.question = 0;
  view.present.question = false;
  put_question(session, view);
}

bool any_settled(const ViewState& view) {
  return std::ranges::any_of(questions_on_show(view), [&](const AskedQuestion& asked) { return settled(view, asked); });
}

// A board that stands as its beat has it for those who learn; with what is done for a room it is the talk's.
void show_to_room(ViewState& view) {
  const auto lesson = lesson_on_show(view);
  const Beat* beat = beat_on_show(view);
  if (!lesson || !beat) return;
  const BoardState own = fold(*lesson, view.lesson.beat).board;
  if (own.board == view.board.board && own.knobs == view.board.knobs && view.board.cells.empty())
    put_room_knobs(beat->stage, view.board);
}

// From off the set list to the stop that was left; false where one is on it.
bool back_on_list(Session& session, ViewState& view) {
  if (!off_stop(view)) return false;
  if (!tool_over_other_stop(view) && put_as_left(session, view)) return true;
  if (view.present.landed.beat >= 0 && restore_left(session, view, stop_key(view.present))) return true;
  return off_set_list(view) && open_set_item(session, view, view.present.place);
}

// A tool for what it was opened over, which may be off the list, too; else what is off the list for the stop.
bool leave_over_stop(Session& session, ViewState& view) {
  if (!tool_over_other_stop(view)) return back_on_list(session, view);
  leave_tool(view);
  return true;
}

}  // namespace

void begin_presenting(Session& session, ViewState& view, bool from_beginning) {
  Presentation& p = view.present;
  if (p.on) return;
  const std::string bad_lines = reread_set(view) ? fault_words(p.set) : std::string();
  auto kept = std::make_shared<LearnersOwn>();
  kept->progress = std::exchange(view.lesson.progress, {});
  kept->questions = std::exchange(view.lesson.questions, {});
  kept->tools = std::exchange(view.tools, {});
  Presentation fresh;
  fresh.on = true;
  fresh.kept = std::move(kept);
  fresh.set = std::move(p.set);
  fresh.set_before = std::move(p.set_before);
  fresh.place = from_beginning ? 0 : std::clamp(p.place, 0, std::max(0, int(fresh.set.items.size()) - 1));
  if (!fresh.set.items.empty()) fresh.landed = p.landed;
  fresh.begun = true;
  fresh.elapsed = from_beginning ? 0 : p.elapsed;
  if (!from_beginning)
    fresh.ways = std::move(p.ways), fresh.hands = std::move(p.hands), fresh.stood_at = std::move(p.stood_at);
  fresh.screens = p.screens;
  fresh.theme = p.theme;
  fresh.audience_scale = p.audience_scale;
  fresh.notes_size = p.notes_size;
  fresh.clock = p.clock;
  static_cast<LastingNotes&>(fresh) = std::move(p);
  p = std::move(fresh);
  view.playing = false;
  close_overlays(view);
  view.lesson.review = false;
  // "From here" is the charts, too, where they are of no lesson.
  const bool here = p.set.items.empty() ? !beat_on_show(view) : place_now(view) == p.landed;
  if (from_beginning || !here) view.gpu.enlarged = false;
  if (from_beginning && !p.set.items.empty())
    open_set_item(session, view, 0);
  else if (beat_on_show(view) && from_beginning)
    present_beat(session, view, 0);
  else
    show_to_room(view), ask_anew(session, view), begin_way(session, view);
  if (!bad_lines.empty()) view.notice += (view.notice.empty() ? "" : " ") + bad_lines;
  keep_stop(session, view);
}

bool can_go_on_presenting(const ViewState& view) {
  const Presentation& p = view.present;
  const bool same_lesson = !p.landed.lesson.empty() && p.landed.lesson == view.lesson.id;
  return !p.on && p.begun && (!p.set.items.empty() || same_lesson);
}

void go_on_presenting(Session& session, ViewState& view) {
  if (!can_go_on_presenting(view)) return begin_presenting(session, view, true);
  const StopKey left = stop_key(view.present);
  const StopWay way = view.present.ways[left];
  begin_presenting(session, view, false);
  const Presentation& p = view.present;
  if (!back_on_list(session, view) && !way.points.empty()) {
    view.present.ways[left] = way;
    restore_left(session, view, left);
  }
  const std::string place = p.set.items.empty() ? fmt::format("beat {}", view.lesson.beat + 1)
                                                : fmt::format("stop {} of {}", p.place + 1, p.set.items.size());
  view.notice += fmt::format("{}Goes on at {}, and so does the clock. {} begins anew.", view.notice.empty() ? "" : " ",
                             place, keys_of("present-anew"));
}

void present_anew(Session& session, ViewState& view) {
  end_presenting(session, view);
  begin_presenting(session, view, true);
}

void end_presenting(Session& session, ViewState& view) {
  Presentation& p = view.present;
  if (!p.on) return;
  drop_half_typed(view);
  if (std::string said = leave_note(view); !said.empty()) view.notice = std::move(said);
  if (worked_on_stop(view)) restore_way(session, view, stop_key(p));
  const bool revealed = any_settled(view);
  if (p.kept) {
    view.lesson.progress = p.kept->progress;
    view.lesson.questions = p.kept->questions;
    view.tools = p.kept->tools;
    view.lesson.progress_changed = false;
  }
  Presentation after;
  after.set = std::move(p.set);
  after.begun = p.begun;
  after.place = p.place;
  after.landed = p.landed;
  after.elapsed = p.elapsed;
  after.hands = std::move(p.hands);
  after.ways = std::move(p.ways);
  after.stood_at = std::move(p.stood_at);
  after.screens = p.screens;
  after.theme = p.theme;
  after.audience_scale = p.audience_scale;
  after.notes_size = p.notes_size;
  static_cast<LastingNotes&>(after) = std::move(p);
  p = std::move(after);
  view.playing = false;
  // The room was shown an answer, and what it leads to, that the learner has still to give.
  if (revealed && !any_settled(view)) show_beat(session, view, view.lesson.beat);
  cover_board(view);
}

void leave_presenting(Session& session, ViewState& view) {
  end_presenting(session, view);
  Presentation& p = view.present;
  p.room_stays = p.screens == Screens::Two;
  if (p.room_stays)
    view.notice = fmt::format("The room keeps its last picture: {} goes on, {} closes it.",
                              keys_of(can_go_on_presenting(view) ? "present" : "present-here"), keys_of("present-end"));
}

void present_lesson(Session& session, ViewState& view, const Lesson& lesson, int beat) {
  stage_goes_on(view);
  end_lights(view);
  view.present.turned = view.present.elsewhere = false;
  view.present.slide.clear();
  open_lesson(session, view, lesson.id, beat);
  ask_anew(session, view);
  begin_way(session, view);
}

void present_beat(Session& session, ViewState& view, int beat) {
  stage_goes_on(view);
  end_lights(view);
  view.present.turned = view.present.elsewhere = false;
  view.present.slide.clear();
  view.lesson.beat = -1;  // whatever was turned at the one before it
  show_beat(session, view, beat);
  ask_anew(session, view);
  begin_way(session, view);
}

void take_stage(ViewState& view) {
  if (!view.present.on) return;
  view.present.elsewhere = true;
  end_lights(view);
}

bool open_set_item(Session& session, ViewState& view, int place) {
  Presentation& p = view.present;
  if (place < 0 || place >= int(p.set.items.size())) return false;
  stage_goes_on(view);
  p.place = place;
  const SetItem& item = p.set.items[size_t(place)];
  Opened opened{true, {}, {}};
  p.slide.clear();
  if (!is_slide(item.link)) opened = open_link(item.link, session, view);
  if (opened.there) {
    end_lights(view);
    p.turned = p.elsewhere = false;
    view.before_tool.reset();  // a stop lies over nothing, also where it is a tool's board
    opened.words = show_slide(view, item.link) + opened.words;
    p.landed = place_now(view);
    ask_anew(session, view);
    begin_way(session, view);
  }
  view.notice = opened.words.empty()
                    ? std::string()
                    : fmt::format("{} line {}: {}", p.set.file.filename().string(), item.line, opened.words);
  return opened.there;
}

void present_next(Session& session, ViewState& view) {
  if (std::exchange(view.present.joining, false)) return;  // the invitation lay over the stage
  stage_goes_on(view);
  if (can_ask_again(view) && next_in_beat(session, view)) return;  // a vote is ended before it is left
  if (off_stop(view) && asked_goes_on(view) && next_in_beat(session, view)) return;
  if (back_on_list(session, view) || next_in_beat(session, view)) return;
  const Presentation& p = view.present;
  if (!p.set.items.empty()) {
    // A line that leads nowhere is said and passed over.
    for (int place = p.place + 1; place < int(p.set.items.size()); ++place)
      if (come_back_ahead(session, view, {{}, place}) || open_set_item(session, view, place)) return;
    if (view.notice.empty()) view.notice = "That was the last of the set list.";
    return;
  }
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (const int next = view.lesson.beat + 1; !lesson || next >= int(lesson->beats.size()))
    view.notice = lesson ? "That was the last beat of the lesson." : "No lesson is on the stage: G goes to one.";
  else if (!come_back_ahead(session, view, {lesson->id, next}))
    present_beat(session, view, next);
}

void present_back(Session& session, ViewState& view) {
  if (std::exchange(view.present.joining, false)) return;
  stage_goes_on(view);
  if ((votes_shown(view) && ask_class_again(view)) || keeps_vote(view)) return;
  if (back_on_list(session, view)) return;
  if (back_in_beat(session, view)) return;
  const Presentation& p = view.present;
  if (p.question) return ask_anew(session, view), begin_way(session, view);
  const StopKey from = stop_key(p);
  if (!p.set.items.empty()) {
    for (int place = p.place - 1; place >= 0; --place)
      if (restore_left(session, view, {{}, place}) || open_set_item(session, view, place)) break;
  } else if (beat_on_show(view) && view.lesson.beat > 0) {
    const int before = view.lesson.beat - 1;
    if (!restore_left(session, view, {view.lesson.id, before})) present_beat(session, view, before);
  }
  if (stop_key(p) != from) view.present.ways[from].ahead = true;
}

void present_restore(Session& session, ViewState& view) {
  Presentation& p = view.present;
  stage_goes_on(view);
  if (back_on_list(session, view)) return;
  const bool again = p.since_restore < kStopSeconds;  // pressed twice to be sure, it leads nowhere else
  const bool back = differs_from_prepared(session, view) && restore_way(session, view, stop_key(p));
  if (!back && !again && go_way_back(session, view)) return;
  if (back) p.since_restore = 0;
  view.notice = back || again ? kAsPrepared : kNothingTurned;
  if (const std::string leads = way_back_words(session, view); !leads.empty())
    view.notice += fmt::format(" {} once more {}.", keys_of("present-restore"), leads);
}

void present_reveal(Session& session, ViewState& view) {
  const AskedQuestion asked = asked_now(view);
  if (!asked.question || settled(view, asked) || slide_on_show(view)) return;
  stage_goes_on(view);
  next_in_beat(session, view);
}

void present_poll(Session& session, ViewState& view) {
  Presentation& p = view.present;
  stage_goes_on(view);
  p.question = !p.question;
  const std::vector<AskedQuestion> all = questions_on_show(view);
  const auto open = std::ranges::find_if(all, [&](const AskedQuestion& asked) { return !settled(view, asked); });
  if (p.question && open != all.end()) view.lesson.question = int(open - all.begin());
  cover_board(view);
  note_on_way(session, view);
}

void present_escape(Session& session, ViewState& view) {
  Presentation& p = view.present;
  const bool twice = p.since_escape < kStopSeconds, leaves_stop = std::exchange(p.tool_is_stop, false);
  p.since_escape = 1000;
  if (p.since_swap < kSwapSeconds) {  // S asked for a second one
    p.since_swap = 1000;
    view.notice.clear();
  } else if (shows_home_knobs(view)) {
    p.knobs = false;
  } else if (p.overview) {
    p.overview = false;
  } else if (p.joining) {
    p.joining = false;
  } else if (p.countdown > 0) {
    p.countdown = 0;
  } else if (p.lens) {
    p.lens = false;
  } else if (p.tool != Tool::Normal) {
    take_tool(view, Tool::Normal);
  } else if (tool_open(view) && (p.frozen || p.blank != Blank::None)) {  // unseen: the room sees no tool that is left
    if (!leave_over_stop(session, view)) leave_tool(view);
  } else if (p.blank != Blank::None) {
    p.blank = Blank::None;
  } else if (p.frozen) {
    p.frozen = false;
  } else if (!view.selection.empty()) {
    view.selection.clear();
  } else if (undo_compare(session, view)) {
    view.notice = "The comparison is taken back.";
  } else if (leave_over_stop(session, view)) {
    hands_off(view);
  } else if (leaves_stop) {
    view.notice = "No tool is open: this is the stop itself.";
  } else if (twice || (p.first_escape_ends && !p.presenters_window())) {
    leave_presenting(session, view);
  } else {
    p.since_escape = 0;
    view.notice = fmt::format("{}; {} does, too.", kTwiceEnds, keys_of("present-end"));
  }
}

static void pass_notice(ViewState& view, float seconds) {
  Presentation& p = view.present;
  p.since_notice = p.noticed == view.notice ? std::min(1000.0f, p.since_notice + seconds) : 0;
  if (notice_passes(view) && p.since_notice >= kNoticeSeconds) view.notice.clear();
  p.noticed = view.notice;
}

void pass_presentation_time(ViewState& view, float seconds) {
  Presentation& p = view.present;
  pass_talk_time(view, double(seconds));
  if (!p.on) return;
  p.since_escape = std::min(1000.0f, p.since_escape + seconds);
  p.since_swap = std::min(1000.0f, p.since_swap + seconds);
  p.since_restore = std::min(1000.0f, p.since_restore + seconds);
  p.since_pointer = std::min(1000.0f, p.since_pointer + seconds);
  pass_notice(view, seconds);
}

float seconds_to_presentation_change(const ViewState& view) {
  const Presentation& p = view.present;
  float until = std::numeric_limits<float>::infinity();
  if (!p.on) return until;
  if (p.since_pointer < kPointerSeconds) until = kPointerSeconds - p.since_pointer;
  if (p.since_escape < kStopSeconds) until = std::min(until, kStopSeconds - p.since_escape);
  until = std::min(until, float(seconds_to_countdown_change(p)));
  if (!view.notice.empty() && notice_passes(view))
    until = std::min(until, p.noticed == view.notice ? kNoticeSeconds - p.since_notice : 0);
  // The clock of the presenter's view goes by seconds.
  if (p.presenters_window()) until = std::min(until, float(std::floor(p.elapsed) + 1 - p.elapsed));
  return std::max(0.0f, until);
}

}  // namespace tilewalk
