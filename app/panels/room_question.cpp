#include "app/panels/room_question.h"

#include "app/panels/flow.h"
#include "app/panels/lesson_parts.h"
#include "app/panels/room_votes.h"
#include "app/session/class_moves.h"
#include "app/session/hand_counts.h"
#include "app/state/action.h"
#include "app/text/text.h"
#include "core/lesson/answer.h"
#include "core/lesson/control_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

constexpr float kLargest = 40, kUsual = 24, kSmallest = 14;  // type, in design pixels
// Of a question that asks for a number: it has no options to fill the page with. The number, of its type.
constexpr float kLargestAlone = 56, kNumberShare = 1.8f, kMostApartAlone = 1.2f;
constexpr float kHandsShare = 0.36f;   // of an option's width
constexpr float kReasonShare = 0.75f;  // of the options' type
// Of the room that is left, for the options and above all of it; and how far apart they may stand, in their type.
constexpr float kShareApart = 0.75f, kShareAbove = 0.4f, kMostApart = 0.7f;

struct Page {
  Scene& scene;
  const Style& style;
  const ProsePage& prose;
  const AskedQuestion& asked;
  const Instance& instance;
  bool revealed;
  std::vector<int> hands;  // that went up for each option, A first; empty: they were not counted
  ClassVotes votes;        // of a class, once they are shown
  const std::optional<Answering>& answering;
  bool counted() const {
    return std::ranges::any_of(votes.rounds, [](const ClassVotes::Round& round) { return round.votes > 0; });
  }
};

// On a page an option is a button, and the one that counts is framed.
void set_pressable(const Page& page, int place, bool chosen, Rect r) {
  const Style& st = page.style;
  const std::string id = fmt::format("vote:{}", place);
  const bool hot = page.answering->open && page.prose.view.hover == id;
  page.scene.box(r, st.r_medium(),
                 st[hot      ? Role::SurfaceStrong
                    : chosen ? Role::Surface
                             : Role::Background],
                 st[chosen ? Role::Text : Role::Border], st.px(chosen ? 3.5f : 1.5f));
  const std::string tip = fmt::format("Answer {}{}", char('A' + place), chosen ? ", which is yours" : "");
  page.scene.region(r, id, tip, page.answering->open, st.r_medium());
  page.scene.regions.back().press = means(VoteInClass{place});
}

void set_room_option(Flow& flow, const Page& page, int place, float width, float size, bool balanced) {
  const Style& st = page.style;
  const int index = page.instance.order[size_t(place)];
  const bool right = page.revealed && page.instance.right[size_t(index)];
  const float badge = size * 1.5f, tick = size * 1.2f, text_x = badge + tick + st.px(6);  // its place stays empty
  // Hands are a bar beside the words, as long as the option that most hands went up for is wide.
  const bool raised = size_t(place) < page.hands.size() && !page.counted();
  const int hands = raised ? page.hands[size_t(place)] : 0;
  const float bars = raised || page.counted() ? width * kHandsShare : 0, text_w = width - text_x - st.px(12) - bars;
  const int most = raised ? std::max(1, *std::ranges::max_element(page.hands)) : 1;
  const bool chosen = page.answering && page.answering->chosen == place;
  auto text = std::make_shared<Flow>();
  set_prose(*text, page.prose, page.asked.question->options[size_t(index)].text,
            {.width = text_w,
             .size = size,
             .pitch = size * 1.35f,
             .color = st[Role::Text],
             .strong = right,
             .mono_l = true,
             .balanced = balanced,
             .links = page.answering.has_value()});
  const float height = std::max(badge, text->height()) + st.px(12);
  flow.add(height, [&page, &scene = page.scene, &st, text, right, badge, tick, text_x, size, place, text_w, bars, hands,
                    most, chosen](Rect r) {
    if (page.answering) set_pressable(page, place, chosen, r);
    if (right) scene.box(r, st.r_medium(), {}, st[Role::RightText], st.px(2.5f));
    const Rect mark{r.x + st.px(6), r.center().y - badge / 2, badge, badge};
    scene.box(mark, st.r_small(), st[right ? Role::RightText : Role::Inverse]);
    scene.label(mark, std::string(1, char('A' + place)), Face::SansBold, size, st[Role::InverseText], Align::Center);
    if (right)
      scene.label({mark.right(), r.y, tick + st.px(4), r.h}, "✓", Face::SansBold, size, st[Role::RightText],
                  Align::Center);
    text->draw({r.x + text_x + st.px(6), r.center().y - text->height() / 2, text_w, text->height() + 1}, text_w, 0);
    if (bars <= 0) return;
    const Rect side{r.right() - bars + st.px(6), r.center().y - badge / 2, bars - st.px(12), badge};
    if (page.counted()) return draw_votes(scene, st, side, page.votes, size_t(place), size);
    const std::string count = std::to_string(hands);
    const float number_w = text_width("9999", Face::MonoBold, size), longest = bars - number_w - st.px(26);
    const Rect bar{r.right() - bars + st.px(6), r.center().y - badge / 2, longest * float(hands) / float(most), badge};
    if (hands > 0) scene.box(bar, st.px(3), st[Role::SurfaceStrong], st[Role::Text], st.px(1.5f));
    scene.label({bar.right() + st.px(8), r.y, number_w + st.px(2), r.h}, count, Face::MonoBold, size, st[Role::Text]);
  });
  flow.space(st.px(4));
}

// In the type that the text field has while somebody types, so that the number keeps its size.
void set_number_field(Flow& flow, const Page& page) {
  const Style& st = page.style;
  const float size = st.body();
  flow.space(st.px(10));
  flow.add(st.px(48), [&page, &st, size](Rect r) {
    const ViewState& view = page.prose.view;
    const Rect field{r.x, r.y, size * 12, r.h};
    const bool typing = view.editing == "field:class-number";
    page.scene.box(field, st.r_small(), st[Role::Background], st[typing ? Role::Focus : Role::Border],
                   st.px(typing ? 3 : 2));
    const std::string& typed = view.classroom.number;
    if (!typing)
      page.scene.label(field.inset(st.px(12), 0), typed.empty() ? "type a number" : typed,
                       typed.empty() ? Face::Sans : Face::MonoBold, size,
                       st[typed.empty() ? Role::TextSecondary : Role::Text]);
    page.scene.region(field, "field:class-number", "Type a number, then Enter: 66.9, 1e3, 2^20", true, st.r_small());
    const std::string& unit = page.asked.question->unit;
    const float unit_w = unit.empty() ? 0 : text_width(unit, Face::SansBold, size) + st.px(14);
    page.scene.label({field.right() + st.px(14), r.y, unit_w, r.h}, unit, Face::SansBold, size, st[Role::Text]);
    const Rect answer{field.right() + unit_w + st.px(20), r.y, text_width("Answer", Face::SansBold, size) + st.px(48),
                      r.h};
    page.scene.box(answer, answer.h / 2, st[typed.empty() ? Role::SurfaceStrong : Role::Inverse]);
    page.scene.label(answer, "Answer", Face::SansBold, size,
                     st[typed.empty() ? Role::TextSecondary : Role::InverseText], Align::Center);
    page.scene.region(answer, "vote:number", "Gives the number that you typed as your answer", true, answer.h / 2);
    page.scene.regions.back().press = means(VoteInClass{-1});
  });
  flow.space(st.px(10));
}

// The number that was asked for, in the unit that it was asked in; a plate before.
void set_room_number(Flow& flow, const Page& page, float size) {
  const Style& st = page.style;
  const Question& question = *page.asked.question;
  if (page.counted()) {
    flow.space(st.px(10));
    const float told = st.px(kLargest);
    flow.add(size * 9 + told - size, [&page, &st, size, told](Rect r) {
      draw_numbers(page.scene, st, r, page.votes, *page.asked.question, size, told);
    });
    return flow.space(st.px(10));
  }
  if (page.answering && page.answering->open) return set_number_field(flow, page);
  std::string words = "?";
  if (page.revealed && page.instance.answer) {
    const auto own = answer_in_unit(page.instance.answer->value, question);
    words = std::string(mark_of(page.instance.answer->origin)) +
            (own ? *own : format_quantity(*page.instance.answer, question.format).value_or("?"));
  }
  const bool known = words != "?";
  flow.space(st.px(10));
  const float number = std::max(st.px(kLargest), size * (page.answering ? 1.2f : kNumberShare));
  flow.add(number * 2, [&scene = page.scene, &st, words, known, number, unit = question.unit](Rect r) {
    if (known) {  // marked as a right option is
      scene.box(r, st.r_medium(), {}, st[Role::RightText], st.px(2.5f));
      const Rect tick{r.x + st.px(6), r.y, number * 1.2f, r.h};
      scene.label(tick, "✓", Face::SansBold, number, st[Role::RightText], Align::Center);
      const Rect told{tick.right() + st.px(6), r.y, r.right() - tick.right() - st.px(18), r.h};
      const float fits = std::min(1.0f, told.w / std::max(1.0f, text_width(words, Face::MonoBold, number)));
      return scene.label(told, words, Face::MonoBold, number * fits, st[Role::Text]);
    }
    scene.box(r, st.r_medium(), st[Role::SurfaceStrong], st[Role::Border], st.px(2));  // as wide as the answer's
    scene.label(r, words, Face::MonoBold, number, st[Role::Text], Align::Center);
    const float behind = r.center().x + number * 0.8f;
    if (!unit.empty())
      scene.label({behind, r.y, r.right() - behind, r.h}, unit, Face::SansBold, number, st[Role::Text]);
  });
  flow.space(st.px(10));
}

// Why the right one is right.
void set_room_reason(Flow& flow, const Page& page, float width, float size, bool balanced) {
  const Question& question = *page.asked.question;
  const auto set = [&](const Prose& why) {
    if (why.empty()) return;
    flow.space(page.style.px(8));
    set_prose(flow, page.prose, why,
              {.width = width,
               .size = size,
               .pitch = size * 1.35f,
               .color = page.style[Role::Text],
               .mono_l = true,
               .balanced = balanced,
               .links = page.answering.has_value()});
  };
  for (size_t k = 0; k < question.options.size(); ++k)
    if (page.instance.right[k]) set(question.options[k].why);
  set(question.why);
}

bool has_number(const Prose& prose) {
  return std::ranges::any_of(prose, [](const Block& block) {
    return std::ranges::any_of(block.spans, [](const Span& span) { return span.kind == Span::Kind::Quantity; });
  });
}

// The beat's prose, where a number is asked for and the question does not give the ones it needs by itself; without
// what is said to the hands at a desk.
Prose given_with(const AskedQuestion& asked) {
  const Question& question = *asked.question;
  if (!question.options.empty() || has_number(question.text)) return {};
  for (const Beat& beat : asked.lesson->beats)
    if (std::ranges::any_of(beat.questions, [&](const Question& q) { return q.id == question.id; }))
      return without_controls(beat.text);
  return {};
}

}  // namespace

std::string answer_words(const Session& session, const ViewState& view, const AskedQuestion& asked) {
  if (!asked.question) return {};
  const Instance instance = instance_on_show(asked, session, view);
  if (asked.question->options.empty()) {
    if (!instance.answer) return {};
    const auto own = answer_in_unit(instance.answer->value, *asked.question);
    return own ? *own : format_quantity(*instance.answer, asked.question->format).value_or("");
  }
  std::string letters;
  for (size_t place = 0; place < instance.order.size(); ++place)
    if (instance.right[size_t(instance.order[place])])
      letters += (letters.empty() ? "" : ", ") + std::string(1, char('A' + place));
  return letters;
}

void layout_room_question(Scene& scene, const Session& session, const ViewState& view, const AskedQuestion& asked,
                          Rect area, const Style& st, const std::optional<Answering>& answering) {
  const QuestionView& answer = question_view(view, asked);
  const Instance instance = instance_on_show(asked, session, view);
  const ProseWords words =
      words_of(*asked.lesson, &instance, fmt::format("{}#{}", asked.key, answer.seed), session, view);
  const ProsePage prose{scene, st, view, words};
  std::vector<int> hands = hands_for(view, asked);
  if (hands.size() != asked.question->options.size()) hands.clear();
  const PollLeft* left = answering ? answering->left : nullptr;
  ClassVotes votes = left ? votes_of(left->asked, left->rounds, true, instance) : class_votes(view, asked, instance);
  const bool revealed = answering ? votes.told : settled(answer);
  const Page page{scene, st, prose, asked, instance, revealed, std::move(hands), std::move(votes), answering};
  const Prose given = given_with(asked);
  const ProseWords lesson_words = words_of(*asked.lesson, nullptr, "", session, view);
  const ProsePage lesson_prose{scene, st, view, lesson_words};
  const int options = int(std::min(asked.question->options.size(), instance.order.size()));
  // `apart` lies above each option, the number and the reason, beyond what they have anyway. Balanced lines are as many
  // as others, so that whatever measures does without.
  const auto set = [&](float size, bool reason, float apart, bool balanced = false) {
    Flow flow;
    if (!given.empty()) {
      set_prose(flow, lesson_prose, given,
                {.width = area.w,
                 .size = size,
                 .pitch = size * 1.35f,
                 .color = st[Role::Text],
                 .mono_l = true,
                 .balanced = balanced,
                 .links = answering.has_value()});
      flow.space(st.px(18));
    }
    set_prose(flow, prose, asked.question->text,
              {.width = area.w,
               .size = size,
               .pitch = size * 1.35f,
               .color = st[Role::Text],
               .strong = true,
               .mono_l = true,
               .balanced = balanced,
               .links = answering.has_value()});
    flow.space(st.px(14));
    for (int k = 0; k < options; ++k) {
      flow.space(apart);
      set_room_option(flow, page, k, area.w, size, balanced);
    }
    if (asked.question->options.empty()) flow.space(apart), set_room_number(flow, page, size);
    if (options > 0 && page.counted())
      flow.add(size * 1.3f, [&page, &st, size](Rect r) {
        draw_votes_key(page.scene, st, r, page.votes, std::max(size * 0.7f, st.small()));
      });
    if (const std::string count = teaches(view) ? count_words(view) : std::string(); !count.empty() && !page.revealed)
      flow.add(size * 1.6f, [&page, &st, size, count](Rect r) {
        page.scene.label(r, count, Face::SansBold, size, st[Role::AccentText]);
      });
    if (!reason) return flow;
    flow.space(apart);
    set_room_reason(flow, page, area.w, std::min(size, std::max(st.caption(), size * kReasonShare)), balanced);
    return flow;
  };
  // The largest type in which all of it fits, and larger than usual where the reason fits in it, too; so the answer
  // keeps the size of its question, and gives its reason where there is room. What is left sets the options apart.
  const bool alone = options == 0 && !answering;
  for (float design = alone ? kLargestAlone : kLargest; design >= kSmallest; design -= 2) {
    const float size = st.px(design), height = set(size, false, 0).height(), whole = set(size, true, 0).height();
    if (design > kSmallest && (height > area.h || (design > kUsual && whole > area.h))) continue;
    const bool reason = page.revealed && whole <= area.h;
    const float left = std::max(0.0f, area.h - (reason ? whole : height));
    const float gaps = float(std::max(1, options) + int(reason));
    const float apart =
        answering ? 0 : std::min(size * (alone ? kMostApartAlone : kMostApart), left * kShareApart / gaps);
    const Flow flow = set(size, reason, apart, true);
    const float above = std::max(0.0f, (area.h - flow.height()) * kShareAbove);
    flow.draw({area.x, area.y + above, area.w, area.h - above}, area.w, 0);
    return;
  }
}

}  // namespace tilewalk
