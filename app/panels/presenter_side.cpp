#include "app/panels/presenter_side.h"

#include "app/panels/cards.h"
#include "app/panels/flow.h"
#include "app/panels/lesson_parts.h"
#include "app/panels/place_scene.h"
#include "app/panels/room_question.h"
#include "app/panels/widgets.h"
#include "app/session/breaking.h"
#include "app/session/class_moves.h"
#include "app/session/commands.h"
#include "app/session/hand_counts.h"
#include "app/session/lesson_moves.h"
#include "app/session/overview.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_stops.h"
#include "app/session/speaker_notes.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewalk {
namespace {

// What the room's picture is, in words and never by colour alone.
std::string_view state_words(const Presentation& p) {
  if (p.blank == Blank::Black) return "Black (B)";
  if (p.blank == Blank::White) return "White (W)";
  return p.frozen ? "Frozen (F)" : "Live";
}

std::string room_words(const Presentation& p) {
  return p.screens == Screens::Two ? fmt::format("The room sees: {}", state_words(p))
                                   : fmt::format("{}: this window is the room's again", keys_of("swap-screens"));
}

// A field that is typed into: what is typed covers its region, so that the frame lies round it.
void framed_field(Scene& scene, Rect field, std::string id, std::string tip, const Style& s) {
  const float frame = s.px(3);
  scene.box(field, s.r_small(), s[Role::Background], s[Role::Focus], frame);
  scene.region(field.inset(frame), std::move(id), std::move(tip));
}

// The notes, that of the set list's stop strong and above a line, the beat's below it; their numbers looked up, in the
// size that was asked for or the largest that fits; while one is written its field stands below, and what is typed
// shows above as it will be.
void layout_notes(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& s) {
  const Presentation& p = view.present;
  if (view.editing == "field:note") {
    const float h = s.px(44);
    const Rect field{area.x, area.bottom() - h, area.w, h};
    framed_field(scene, field, "field:note", "Enter keeps the note, Esc leaves it as it was", s);
    area.h -= h + s.px(10);
  }
  const ShownNotes notes = notes_on_show(view);
  const std::shared_ptr<const Lesson> lesson = lesson_on_show(view);
  if (notes.stop.empty() && notes.beat.empty()) return;
  static const Lesson kNone;
  const Prose of_stop = read_prose(notes.stop), of_beat = read_prose(notes.beat);
  const ProseWords words = words_of(lesson ? *lesson : kNone, nullptr, "", session, view);
  const ProsePage page{scene, s, view, words};
  const auto set = [&](float design) {
    Flow flow;
    const float size = s.px(design), pitch = std::round(size * 1.4f);
    set_prose(flow, page, of_stop, {area.w, size, pitch, s[Role::Text], true});
    if (!of_stop.empty() && !of_beat.empty())
      flow.add(s.px(26), [&scene, &s](Rect r) {
        scene.line({r.x, r.center().y}, {r.right(), r.center().y}, s[Role::Border], s.px(1));
      });
    set_prose(flow, page, of_beat, {area.w, size, pitch, s[Role::Text], false});
    return flow;
  };
  Flow flow = set(p.notes_size);
  for (float size = p.notes_size; flow.height() > area.h && size > 16; flow = set(size)) size -= 2;
  flow.draw(area, area.w, 0);
}

// The title of what comes next, beside its picture where that is a stop. Returns how high it is.
float layout_next(Scene& scene, const ViewState& view, Rect area, const std::string& title, bool pictured,
                  const Style& s) {
  const float pitch = s.px(30);
  const size_t most = pictured ? 3 : 2;
  float text_w = area.w;
  if (pictured) {
    const Rect picture{std::floor(area.right() - s.px(176)), std::floor(area.y), std::floor(s.px(176)),
                       std::floor(s.px(99))};
    text_w -= picture.w + s.px(14);
    const Presentation& p = view.present;
    if (p.next_picture && p.next_id == next_card(view)) {
      scene.box(picture, 0, p.next_picture->background);
      place_items(scene, *p.next_picture, {picture.x, picture.y});
    } else {
      scene.box(picture, 0, s[Role::Surface]);
    }
    scene.box(picture.inset(-s.px(1)), 0, {}, s[Role::Border], s.px(1));
    scene.region(picture, "present:next", "The next stop: " + title);
  }
  const std::vector<std::string> lines =
      wrap_text(title.empty() ? "The end" : title, Face::SansBold, s.heading(), text_w);
  float y = area.y;
  for (size_t k = 0; k < lines.size() && k < most; ++k, y += pitch)
    scene.label({area.x, y, text_w, pitch}, ellipsize(lines[k], Face::SansBold, s.heading(), text_w), Face::SansBold,
                s.heading(), s[Role::Text]);
  return pictured ? std::max(area.h + s.px(6), y - area.y) : y - area.y;
}

// "23 of 30", or nothing.
std::string short_count(const ViewState& view) {
  const VoteCount& count = view.classroom.with->count();
  return count_words(view).empty() ? std::string() : fmt::format("{} of {}", count.votes, count.of);
}

// Of a beat that breaks something the room sees what is whole until this key is pressed.
std::string breaking_words(const ViewState& view) {
  const Beat* beat = slide_on_show(view) ? nullptr : beat_on_show(view);
  if (!beat || beat->kind != BeatKind::Break || view.present.question) return {};
  const std::string words = break_words(view);
  return words.empty() ? std::string() : fmt::format("{}: {}", keys_of("break"), words);
}

// While the room votes: half a minute, and the hands that went up. Returns how high it is.
float layout_vote(Scene& scene, const ViewState& view, Rect row, const AskedQuestion& asked, const Style& s) {
  const float above = s.px(8);
  row.y += above;
  if (view.editing == "field:hands") {
    const float label = s.px(28);
    scene.label({row.x, row.y, row.w, label}, "Hands, A first: 12 5 0 (Enter shows them)", Face::SansBold, s.number(),
                s[Role::Text]);
    row.y += label;
    framed_field(scene, row, "field:hands",
                 "Hands for each option, A first: 12 5 0. Enter shows them, Esc leaves them as they were", s);
    return row.h + above + label;
  }
  const std::string counted = hands_words(view, asked), votes = teaches(view) ? short_count(view) : std::string();
  const auto button = [](std::string words, std::string_view command) {
    return ui::text(std::move(words), {16, Face::Sans, Role::Text, Align::Center, 0, true})
        .padding(6, 0)
        .width(ui::grow())
        .on({Role::SurfaceStrong, Role::Line, {}, 10})
        .pressed(runs(command));
  };
  ui::show(
      scene,
      ui::row(ui::of(button(fmt::format("{} Countdown", keys_of("countdown")), "countdown"),
                     !votes.empty() ? button(fmt::format("{} Again · {}", keys_of("class-again"), votes), "class-again")
                     : counted.empty() ? button(fmt::format("{} Hands", keys_of("hands")), "hands")
                                       : button(counted, "hands")),
              6),
      row, s, view.hover);
  return row.h + above;
}

// Where none can be counted, why, above the field that takes what is typed all the same. Returns how high it is.
float layout_no_hands(Scene& scene, const ViewState& view, Rect area, const Style& s) {
  float y = area.y + s.px(8);
  for (const std::string& line :
       wrap_text(why_no_hands(view) + " Esc leaves this.", Face::SansBold, s.body(), area.w)) {
    scene.label({area.x, y, area.w, s.px(28)}, line, Face::SansBold, s.body(), s[Role::Text]);
    y += s.px(28);
  }
  const Rect field{area.x, y + s.px(4), area.w, s.px(40)};
  framed_field(scene, field, "field:hands", "What is typed here is not counted; Esc leaves it", s);
  return field.bottom() - area.y;
}

}  // namespace

void layout_presenter_side(Scene& scene, const Session& session, const ViewState& view, Rect area, const Style& s) {
  const Presentation& p = view.present;
  float y = area.y;
  const auto heading = [&](std::string_view words) {
    scene.label({area.x, y, area.w, s.px(24)}, words, Face::SansBold, s.number(), s[Role::AccentText]);
    y += s.px(26);
  };
  heading("Next");
  const AskedQuestion asked = slide_on_show(view) ? AskedQuestion{} : asked_now(view);
  // Off the list Page Down leads back to it, and the question goes on with Enter.
  const bool unanswered = asked.question && !settled(view, asked);
  const std::string here = next_in_beat_words(view), next = here.empty() ? next_title(view) : here;
  y += layout_next(scene, view, {area.x, y, area.w, s.px(99)}, next, here.empty() && !next.empty() && !p.overview, s);
  if (const std::string answer = answer_words(session, view, asked); !answer.empty()) {
    scene.label({area.x, y, area.w, s.px(30)}, ellipsize("Answer: " + answer, Face::SansBold, s.body(), area.w),
                Face::SansBold, s.body(), s[Role::RightText]);
    scene.region({area.x, y, area.w, s.px(30)}, "present:answer", "The right answer, as the room has it");
    y += s.px(30);
  }
  if (const std::string breaks = breaking_words(view); !breaks.empty()) {
    scene.label({area.x, y, area.w, s.px(30)}, ellipsize(breaks, Face::SansBold, s.body(), area.w), Face::SansBold,
                s.body(), s[Role::WrongText]);
    scene.region({area.x, y, area.w, s.px(30)}, "present:breaks", breaks);
    y += s.px(30);
  }
  const bool votes = unanswered && (teaches(view) || !asked.question->options.empty());
  const bool typed = view.editing == "field:hands";
  if (typed && !can_count_hands(view))
    y += layout_no_hands(scene, view, {area.x, y, area.w, 0}, s);
  else if (p.question && (votes || typed))
    y += layout_vote(scene, view, {area.x, y, area.w, s.px(40)}, asked, s);
  y += s.px(18);

  const float room_w = std::min(area.w, s.px(400)), room_h = room_w * 9 / 16;
  const Rect room{area.right() - room_w, area.bottom() - room_h, room_w, room_h};
  const float notes_end = room.y - s.px(44);

  const std::string other = stop_left_of_note(view);
  heading(view.editing == "field:note"
              ? fmt::format("Note{}{} (Enter keeps it, Esc leaves it)", other.empty() ? "" : " of ", other)
              : fmt::format("Notes (N: size, {}: write)", keys_of("note-write")));
  layout_notes(scene, session, view, {area.x, y, area.w, notes_end - y}, s);

  scene.label({room.x, room.y - s.px(30), room.w, s.px(26)}, room_words(p), Face::SansBold, s.number(),
              p.frozen || p.blank != Blank::None ? s[Role::Text] : s[Role::TextSecondary]);
  scene.box(room.inset(-s.px(3)), s.px(3), s[Role::Background], s[Role::Border], s.px(2));
  scene.region(room, "present:room", "The room's picture as it is now");
}

}  // namespace tilewalk
