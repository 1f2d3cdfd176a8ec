#include "app/boards/knob_row.h"

#include "app/boards/knob_places.h"
#include "app/state/action.h"
#include "app/text/text.h"
#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

constexpr float kLabel = 24, kControl = 40, kGap = 32, kOptionPad = 6;  // design pixels
constexpr float kHandle = 24, kAbove = 6, kSteady = 2;  // a slider's; what lies above its region; a hand's
constexpr size_t kMostSegments = 5, kWithinReach = 3;
constexpr std::string_view kMore = "knob:more/", kListPart = "/list";
constexpr std::string_view kTurned = "turn:";  // of a walk before a room: app/session/turn_walk.h

const Knob* knob_of(const Board& board, std::string_view id) {
  const std::string_view name = id.substr(id.find(':') + 1);
  const std::string_view bare = name.substr(0, name.find('/'));
  for (const Knob& knob : board.knobs)
    if (knob.id == bare) return &knob;
  return nullptr;
}

bool logarithmic(const Knob& knob) { return knob.kind == Knob::Kind::PowersOfTwo || knob.kind == Knob::Kind::Octaves; }

// Back from where a value lies between least and most.
double value_at(const Knob& knob, double share) {
  if (logarithmic(knob)) {
    const double value = std::exp2(std::log2(knob.least) + share * (std::log2(knob.most) - std::log2(knob.least)));
    return knob.kind == Knob::Kind::Octaves ? at_eighth(value) : value;
  }
  return knob.least + share * (knob.most - knob.least);
}

void layout_slider(const BoardView& view, const Knob& knob, double value, Rect rect, bool hot) {
  const float track = view.px(6), handle = view.px(kHandle), y = rect.center().y;
  const Rect inner{rect.x + handle / 2, y - track / 2, rect.w - handle, track};
  const float x = inner.x + inner.w * knob_share(knob, value);
  view.box(inner, track / 2, Role::SurfaceStrong, Role::Border, view.px(1));
  view.box({inner.x, inner.y, x - inner.x, track}, track / 2, Role::Inverse);
  view.box({x - handle / 2, y - handle / 2, handle, handle}, handle / 2, Role::Background, Role::Inverse,
           view.px(hot ? 6 : 4));
}

void layout_switch(const BoardView& view, bool on, Rect rect) {
  const float h = view.px(28), w = view.px(52), dot = view.px(20);
  const Rect body{rect.x, rect.center().y - h / 2, w, h};
  view.box(body, h / 2, on ? Role::Inverse : Role::SurfaceStrong, Role::Border, view.px(1.5f));
  const float x = on ? body.right() - dot - view.px(4) : body.x + view.px(4);
  view.box({x, body.center().y - dot / 2, dot, dot}, dot / 2, on ? Role::InverseText : Role::TextSecondary);
}

// One button of a choice; `stop`: Tab stops here. A row of them has one stop, the chosen one, and arrows go on from it.
void layout_option(const BoardView& view, Rect rect, std::string_view words, std::string id, std::string tip,
                   bool chosen, bool stop) {
  const bool hot = view.view.hover == id;
  view.box(rect, view.style.r_medium(),
           chosen ? view[Role::Inverse]
           : hot  ? view[Role::Line]
                  : view[Role::SurfaceStrong]);
  view.text(rect.inset(view.px(kOptionPad), 0), words, chosen ? Face::SansBold : Face::Sans, view.style.number(),
            chosen ? Role::InverseText : Role::Text, Align::Center);
  view.region(rect, std::move(id), std::move(tip), stop, view.style.r_medium());
}

void layout_choice(const BoardView& view, const Knob& knob, double value, Rect rect) {
  const size_t chosen = size_t(value);
  const float gap = view.px(4);
  const std::span<const std::string_view> words = knob.words();
  const float w = (rect.w - gap * float(words.size() - 1)) / float(words.size());
  const bool readable = std::ranges::all_of(words, [&](std::string_view word) {
    return text_width(word, Face::SansBold, view.style.small()) <= w - view.px(2 * kOptionPad);
  });
  if (words.size() <= kMostSegments && readable) {
    for (size_t k = 0; k < words.size(); ++k)
      layout_option(view, {rect.x + float(k) * (w + gap), rect.y, w, rect.h}, words[k],
                    fmt::format("knob:{}/{}", knob.id, k), fmt::format("{}: {} (← →)", knob.label, words[k]),
                    k == chosen, k == chosen);
    return;
  }
  const float side = rect.h;
  layout_option(view, {rect.x, rect.y, side, rect.h}, "‹", fmt::format("knob:{}/-", knob.id),
                fmt::format("{}: the one before (←)", knob.label), false, true);
  layout_option(view, {rect.right() - side, rect.y, side, rect.h}, "›", fmt::format("knob:{}/+", knob.id),
                fmt::format("{}: the next one (→)", knob.label), false, true);
  const Rect middle{rect.x + side + gap, rect.y, rect.w - 2 * (side + gap), rect.h};
  const std::string list = choices_region(knob.id);
  view.box(middle, view.style.r_medium(), view[view.view.hover == list ? Role::Line : Role::SurfaceStrong]);
  // The words have the room; the mark of a list is there where it is left.
  const std::string words_now = knob_text(knob, value);
  const float pad = view.px(8), mark = view.px(16);
  const bool marked =
      text_width(words_now, Face::SansBold, view.style.number()) <= middle.w - 2 * pad - mark - view.px(2);
  const Rect text{middle.x + pad, middle.y, middle.w - 2 * pad - (marked ? mark : 0), middle.h};
  if (marked)
    view.text({text.right(), middle.y, mark, middle.h}, "▾", Face::SansBold, view.style.number(), Role::TextSecondary,
              Align::Center);
  view.text(text, words_now, Face::SansBold, view.style.number(), Role::Text, Align::Center);
  view.region(middle, list, fmt::format("{}: the list of all {} (Enter)", knob.label, words.size()), true,
              view.style.r_medium());
  view.scene.regions.back().press = means(OpenChoices{std::string(knob.id)});
}

// A knob that would show the answer: where it stands, and why it stays there.
void layout_locked(const BoardView& view, const Knob& knob, double value, Rect slot) {
  const Rect head{slot.x, slot.y, slot.w, view.px(kLabel)}, control{slot.x, head.bottom(), slot.w, view.px(kControl)};
  view.text(head, knob.label, Face::Sans, view.style.number(), Role::TextSecondary);
  view.box(control.inset(0, view.px(6)), view.style.r_medium(), Role::Background, Role::Border, view.px(1.5f));
  std::string words = knob_text(knob, value);
  for (const char* more : {" · locked for the questions", " · locked"})
    if (text_width(words + more, Face::Sans, view.style.number()) <= control.w - view.px(2 * kOptionPad)) {
      words += more;
      break;
    }
  view.text(control.inset(view.px(kOptionPad), 0), words, Face::Sans, view.style.number(), Role::TextSecondary,
            Align::Center);
  view.region(
      slot, fmt::format("label:{}", knob.id),
      fmt::format("{}: locked until the questions here are answered or skipped: it would show an answer", knob.label));
}

// A tool has all its knobs at hand, three at a time.
int pages_of(const Board& board) { return int((all_knobs(board).size() + kWithinReach - 1) / kWithinReach); }
int knob_pages(const Exhibit& view) {
  if (view.view.present.on) return pages_of(view.board);
  if (!view.view.before_tool || !view.state.show.empty()) return 1;
  return pages_of(view.board);
}

// Those on the page that is open: before a room those of the stop first, then all others. Null: an empty place.
std::vector<const Knob*> knobs_on_page(const Exhibit& view, int page) {
  if (!view.view.present.on) return knobs_in_reach(view.board, view.state);
  const std::vector<const Knob*> all = all_knobs(view.board);
  const size_t count = std::min(kWithinReach, all.size());
  std::vector<const Knob*> reach;
  if (!view.state.show.empty()) reach = knobs_in_reach(view.board, view.state);
  const std::vector<const Knob*> placed = placed_knobs(view.board, reach, view.view.lesson.course.get(), count);
  const size_t first = std::min(placed.size(), count * size_t(page));
  return {placed.begin() + std::ptrdiff_t(first),
          placed.begin() + std::ptrdiff_t(std::min(placed.size(), first + count))};
}

}  // namespace

std::string choices_region(std::string_view knob) {
  return fmt::format("{}{}{}", knob.starts_with(kTurned) ? "" : "knob:", knob, kListPart);
}
bool opens_choices(std::string_view id) {
  return (id.starts_with("knob:") || id.starts_with(kTurned)) && id.ends_with(kListPart);
}

std::vector<const Knob*> all_knobs(const Board& board) {
  std::vector<const Knob*> all;
  for (const Knob& knob : board.knobs)
    if (!knob.label.empty()) all.push_back(&knob);
  return all;
}

double next_octave(double value, int by) {
  const double at = std::log2(value);
  return std::exp2(by > 0 ? std::floor(at) + 1 : std::ceil(at) - 1);
}

double at_eighth(double value) {
  const double octave = std::exp2(std::floor(std::log2(value)));
  return std::max(1.0, std::round(value / octave * 8) / 8 * octave);
}

std::vector<const Knob*> knobs_in_reach(const Board& board, const BoardState& state) {
  std::vector<const Knob*> found;
  for (const std::string& id : state.show)
    if (const Knob* knob = knob_of(board, id)) found.push_back(knob);
  if (found.empty()) {
    found = all_knobs(board);
    const size_t first = kWithinReach * size_t(std::max(0, state.knob_page));
    if (first < found.size()) found.erase(found.begin(), found.begin() + std::ptrdiff_t(first));
  }
  if (found.size() > kWithinReach) found.resize(kWithinReach);
  return found;
}

float knob_row_height(const BoardView& view, float) {
  return knobs_in_reach(view.board, view.state).empty() ? 0 : view.px(kLabel + kControl);
}

void layout_knob_row(const BoardView& view, Rect row) {
  const int pages = knob_pages(view), page = view.state.knob_page % pages;
  const std::vector<const Knob*> knobs = knobs_on_page(view, page);
  const float gap = view.px(row.w < view.px(700) ? kGap / 2 : kGap);
  if (pages > 1) {
    const float more = view.px(104);
    layout_option(view, {row.right() - more, row.bottom() - view.px(kControl), more, view.px(kControl)},
                  fmt::format("More  {}/{}", page + 1, pages), std::string(kMore), "The next knobs of this board",
                  false, true);
    row.w -= more + gap;
  }
  const size_t slots = pages > 1 ? kWithinReach : knobs.size();  // on every page as wide
  const float w = (row.w - gap * float(slots - 1)) / float(slots);
  for (size_t k = 0; k < knobs.size(); ++k) {
    if (!knobs[k]) continue;
    const Knob& knob = *knobs[k];
    const double value = view.knob(knob.id);
    const Rect slot{row.x + float(k) * (w + gap), row.y, w, row.h};
    const Rect head{slot.x, slot.y, slot.w, view.px(kLabel)}, control{slot.x, head.bottom(), slot.w, view.px(kControl)};
    const std::string id = fmt::format("knob:{}", knob.id);
    if (is_locked(view.state, knob.id)) {
      layout_locked(view, knob, value, slot);
      continue;
    }
    const bool choice = knob.kind == Knob::Kind::Choice;
    const std::string field = fmt::format("field:knob/{}", knob.id);
    const bool typing = view.view.editing == field;
    const float number =
        typing   ? std::min(head.w * 0.5f, view.px(90))
        : choice ? 0
                 : std::min(head.w * 0.5f,
                            text_width(knob_text(knob, value), Face::MonoBold, view.style.body()) + view.px(4));
    view.text({head.x, head.y, head.w - number - view.px(6), head.h}, knob.label, Face::Sans, view.style.number(),
              Role::TextSecondary);
    view.region(head, fmt::format("label:{}", knob.id), fmt::format("{}: {}", knob.label, knob.tip));
    if (typing) {
      const Rect box{head.right() - number, head.y, number, head.h};
      view.box(box, view.style.r_small(), Role::Background, Role::Text, view.px(2));
      view.region(box, field, "Type a number, then Enter", true, view.style.r_small());
    } else if (!choice) {
      const Rect box{head.right() - number, head.y, number, head.h};
      view.text(box, knob_text(knob, value), Face::MonoBold, view.style.body(), Role::Text, Align::Right);
      if (typed_knob(view.board, id)) {  // the number is typed where it stands
        if (view.view.hover == field)
          view.line({box.x, box.bottom()}, {box.right(), box.bottom()}, Role::Text, view.px(2));
        view.region(box, field, fmt::format("{}: press, and type another number", knob.label));
      }
    }
    if (choice) {
      layout_choice(view, knob, value, control);
      continue;
    }
    const bool hot = view.view.hover == id || view.view.held == id;
    if (knob.kind == Knob::Kind::Switch)
      layout_switch(view, value != 0, control);
    else
      layout_slider(view, knob, value, control, hot);
    view.region(control.inset(0, view.px(kAbove)), id,
                fmt::format("{} = {}. {} (← →)", knob.label, knob_text(knob, value), knob.tip), true,
                view.style.r_medium());
  }
}

std::string focus_of_knob(const Board& board, const BoardState& state, std::string_view id) {
  const Knob* knob = knob_of(board, id);
  const size_t slash = id.find('/');
  const bool segment = knob && slash != std::string_view::npos && id.substr(slash) != "/+" &&
                       id.substr(slash) != "/-" && id.substr(slash) != kListPart;
  return segment ? fmt::format("knob:{}/{}", knob->id, int(knob_value(board, state, knob->id))) : std::string(id);
}

float knob_share(const Knob& knob, double value) {
  if (knob.most <= knob.least) return 0;
  if (logarithmic(knob))
    return float((std::log2(value) - std::log2(knob.least)) / (std::log2(knob.most) - std::log2(knob.least)));
  return float((value - knob.least) / (knob.most - knob.least));
}

bool has_slider(const Board& board, std::string_view id) {
  const Knob* knob = knob_of(board, id);
  return knob && (knob->kind == Knob::Kind::Linear || logarithmic(*knob));
}

const Knob* typed_knob(const Board& board, std::string_view id) {
  const Knob* knob = knob_of(board, id);
  if (!knob || knob->kind == Knob::Kind::Switch) return nullptr;
  const auto is_number = [](std::string_view word) { return !word.empty() && word[0] >= '0' && word[0] <= '9'; };
  return knob->kind != Knob::Kind::Choice || std::ranges::all_of(knob->words(), is_number) ? knob : nullptr;
}

bool is_switch(const Board& board, std::string_view id) {
  const Knob* knob = knob_of(board, id);
  return knob && knob->kind == Knob::Kind::Switch;
}

bool is_usual(const Knob& knob, double value) {
  return value == knob.initial && (knob.kind == Knob::Kind::Switch || knob.id == "order");
}

bool is_locked(const BoardState& state, std::string_view knob) {
  return std::ranges::find(state.locked, knob) != state.locked.end();
}

void turn_knob(const Board& board, BoardState& state, std::string_view id, Vec2 at, bool dragged) {
  if (id == kMore) {
    if (!dragged) state.knob_page = (state.knob_page + 1) % std::max(1, pages_of(board));
    return;
  }
  const Knob* knob = knob_of(board, id);
  if (!knob || is_locked(state, knob->id)) return;
  double& value = state.knobs.try_emplace(std::string(knob->id), knob->initial).first->second;
  const size_t slash = id.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view rest = id.substr(slash + 1);
    if (dragged) return;
    if (kListPart.substr(1) == rest) return;  // opens the list
    if (rest == "+" || rest == "-") return nudge_knob(board, state, id, rest == "+" ? 1 : -1);
    value = clamp_knob(*knob, number_or(rest, int(value)));
  } else if (knob->kind == Knob::Kind::Switch) {
    if (!dragged) value = value != 0 ? 0 : 1;
  } else {
    value = clamp_knob(*knob, value_at(*knob, std::clamp(double(at.x), 0.0, 1.0)));
  }
  if (board.turns_with) board.turns_with(knob->id, state);
}

void turn_slider(const Board& board, BoardState& state, std::string_view id, const Rect& region, Vec2 at,
                 bool dragged) {
  const Knob* knob = knob_of(board, id);
  if (!knob) return;
  const float pixel = region.h / (kControl - 2 * kAbove), handle = pixel * kHandle;
  const Rect track{region.x + handle / 2, region.y, region.w - handle, region.h};
  if (track.w <= 0) return;
  const double before = knob_value(board, state, knob->id);
  const float share = (at.x - track.x) / track.w;
  if (!dragged) {
    state.grip.reset();
    if (std::fabs(share - knob_share(*knob, before)) * track.w <= handle / 2) {
      state.grip = SliderGrip{share, before};
      return;
    }
  }
  float stands = share;
  if (const std::optional<SliderGrip> grip = state.grip) {
    const auto [taken, value] = *grip;
    stands = share - taken + knob_share(*knob, value);
    // Where it was taken it has the value that it had, which may lie between two places.
    if (std::fabs(share - taken) * track.w <= kSteady * pixel) {
      if (value != before) turn_to(board, state, knob->id, value);
      return;
    }
  }
  turn_knob(board, state, id, {stands, 0.5f}, dragged);
}

void nudge_knob(const Board& board, BoardState& state, std::string_view id, int by) {
  const Knob* knob = knob_of(board, id);
  if (!knob || is_locked(state, knob->id)) return;
  double& value = state.knobs.try_emplace(std::string(knob->id), knob->initial).first->second;
  value = clamp_knob(*knob, value);
  switch (knob->kind) {
    case Knob::Kind::PowersOfTwo:
    case Knob::Kind::Octaves: value = next_octave(value, by); break;
    case Knob::Kind::Linear: value += by * knob->step; break;
    case Knob::Kind::Choice: {
      const double count = knob->top() - knob->least + 1;  // round and round
      value = knob->least + std::fmod(value - knob->least + by + count, count);
      break;
    }
    case Knob::Kind::Switch: value = by > 0 ? 1 : 0; break;
  }
  value = clamp_knob(*knob, value);
  if (board.turns_with) board.turns_with(knob->id, state);
}

}  // namespace tilewalk
