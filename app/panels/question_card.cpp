// A question as a card under the text: what is asked, the options or the field, and after the answer the reasons.
#include "app/panels/cards.h"
#include "app/panels/lesson_parts.h"
#include "app/scene/digit_keys.h"
#include "app/text/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

struct Card {
  Flow& flow;
  const Column& column;
  const AskedQuestion& asked;
  const QuestionView& answer;
  const Instance& instance;
  const ProsePage& page;
  float width;
  ProseLook look;
};

float badge_size(const Column& column) { return column.px(26); }

// Quantities within an option have no place of their own to point at: the option's tip says theirs.
std::string tip_of_option(const Card& card, const AnswerOption& option, int place) {
  std::string tip =
      settled(card.answer) ? fmt::format("Answer {}", place + 1) : fmt::format("Answer {} ({})", place + 1, place + 1);
  for (const Block& block : option.text)
    for (const Span& span : block.spans)
      if (span.kind == Span::Kind::Quantity) tip += ". " + card.page.words.quantity(span).tip;
  return tip;
}

void set_option(const Card& card, int place) {
  const Column& column = card.column;
  const Question& question = *card.asked.question;
  const int index = card.instance.order[size_t(place)];
  const AnswerOption& option = question.options[size_t(index)];
  const bool locked = settled(card.answer);  // one that was skipped has no choice to judge
  const bool chosen = card.answer.chosen == place && !card.answer.skipped;
  const bool right = locked && card.instance.right[size_t(index)];
  const float badge = badge_size(column), pad = column.px(10), text_x = pad + badge + column.px(12);
  const bool inverse = chosen && !locked;

  ProseLook look = card.look;
  look.width = card.width - text_x - pad;
  if (inverse) look.color = column.color(Role::InverseText);
  if (locked && !chosen && !right) look.color = column.color(Role::TextSecondary);
  Flow text;
  set_prose(text, card.page, option.text, look);
  const float height = std::max(badge, text.height()) + column.px(card.look.size > column.style.number() ? 16 : 10);
  const std::string id = fmt::format("option:{}", place), tip = tip_of_option(card, option, place);
  card.flow.add(height, [&column, text, look, inverse, chosen, right, locked, badge, pad, text_x, id, tip,
                         place](Rect r) {
    const Style& style = column.style;
    const bool hot = !locked && column.view.hover == id;
    const Color edge = right ? style[Role::RightText] : chosen && locked ? style[Role::WrongText] : style[Role::Border];
    column.scene.box(r, style.r_medium(),
                     inverse ? style[Role::Inverse]
                     : hot   ? style[Role::SurfaceStrong]
                             : style[Role::Background],
                     inverse ? Color{} : edge, style.px(locked && (right || chosen) ? 2.5f : 1.5f));
    const Rect mark{r.x + pad, r.center().y - badge / 2, badge, badge};
    if (locked && (right || chosen)) {
      column.scene.label(mark, right ? "✓" : "✕", Face::SansBold, style.heading(),
                         style[right ? Role::RightText : Role::WrongText], Align::Center);
    } else {
      column.scene.box(mark, style.r_small(), inverse ? style[Role::InverseText] : style[Role::SurfaceStrong]);
      column.scene.label(mark, fmt::format("{}", place + 1), Face::SansBold, style.number(),
                         inverse ? style[Role::Inverse] : style[locked ? Role::TextSecondary : Role::Text],
                         Align::Center);
    }
    text.draw({r.x + text_x, r.center().y - text.height() / 2, look.width, text.height() + 1}, look.width, 0);
    column.scene.region(r, id, tip, !locked, style.r_medium());
  });
  card.flow.space(column.px(8));
}

void set(const Card& card, ui::Node node, float height, float below) {
  card.column.set(card.flow, std::move(node).height(ui::px(height)), card.width);
  card.flow.space(card.column.px(below));
}

void set_field(const Card& card) {
  if (card.answer.skipped) return;
  const std::string &typed = card.answer.typed, &unit = card.asked.question->unit;
  ui::Node field = card.answer.locked ? ui::text(typed, {22, Face::MonoBold})
                                      : field_of(card.column.view, "field:answer", typed, "type a number",
                                                 "Type a number, then Enter: 66.9, 1e3, 2^20")
                                            .width(ui::between(0, 220));
  set(card, ui::row(ui::of(std::move(field), ui::text(unit, {18, Face::SansBold}), ui::spacer()), 12), 48, 8);
}

// Digits for a hand that has only a pointer.
void set_digits(const Card& card) {
  if (settled(card.answer)) return;
  const Column& column = card.column;
  set(card, ui::canvas([&column](Scene& scene, Rect r, const Style& style) {
        digit_keys(scene, style, r, "1234567890.<", "digit:", column.view.hover);
      }),
      32, 6);
}

// What the answer was worth, and why.
void set_verdict(const Card& card) {
  const Column& column = card.column;
  const Question& question = *card.asked.question;
  const bool number = question.options.empty(), skipped = card.answer.skipped;
  const Judged judged = skipped ? Judged() : judge(question, card.instance, card.answer);
  const std::string words = verdict_words(question, card.instance, card.answer);
  card.flow.space(column.px(4));
  const Role role = skipped ? Role::TextSecondary : judged.right ? Role::RightText : Role::WrongText;
  set_lines(card.flow, column, words, {.size = 20, .face = Face::SansBold, .role = role, .pitch = 28}, card.width);
  card.flow.space(column.px(4));
  if (number && card.instance.answer) {
    const ProseWords words = words_of_answer(card.page.words, question, card.instance);
    set_spans(card.flow, {card.page.scene, card.page.style, card.page.view, words}, answer_spans(question), card.look);
  }
  for (const Prose* why : reasons_of(question, card.instance, card.answer)) {
    set_prose(card.flow, card.page, *why, card.look);
    card.flow.space(column.px(6));
  }
}

// "Your prediction" on the left, and whether one is sure on the right.
void set_head(const Card& card, const std::string& kind) {
  // Where the whole of it has no room, what matters most: that the question is another lesson's.
  std::vector<std::string> forms{kind};
  if (card.asked.returns) {
    forms.push_back(fmt::format("Again, from lesson {}", card.asked.lesson->number));
    forms.push_back(fmt::format("Again: lesson {}", card.asked.lesson->number));
  }
  std::vector<ui::Node> head =
      ui::of(ui::text(std::move(forms), {16, Face::SansBold, Role::AccentText}).width(ui::grow()));
  if (!settled(card.answer)) {
    const bool sure = card.answer.sure;
    const ui::Surface on{.fill = Role::Inverse, .radius = 4},
        off{.border = Role::TextSecondary, .radius = 4, .border_width = 1.5f};
    ui::Node tick = ui::text(sure ? "✓" : "", {14, Face::SansBold, Role::InverseText, Align::Center})
                        .width(ui::px(16))
                        .height(ui::px(16))
                        .on(sure ? on : off);
    head.push_back(ui::row(ui::of(std::move(tick),
                                  ui::text("I am sure", {16, Face::Sans, sure ? Role::Text : Role::TextSecondary})),
                           7, ui::Across::Center)
                       .padding(6, 0)
                       .on({.hot = Role::SurfaceStrong, .radius = 6})
                       .pressed(runs("question-sure", "Kept with the answer")));
  }
  set(card, ui::row(std::move(head)), 30, 0);
}

void set_button(const Card& card, std::string words, ui::Press press, ui::Fill fill, float height, float pad) {
  ui::Node button = ui::button(std::move(words), std::move(press), fill, {16, Face::SansBold}).padding(pad, 0);
  set(card, ui::row(ui::of(std::move(button), ui::spacer())), height, 0);
}

void set_foot(const Card& card) {
  const Column& column = card.column;
  if (!card.answer.fault.empty())
    set_lines(card.flow, column, card.answer.fault, {.role = Role::WrongText, .pitch = 22.4f}, card.width);
  // On the review page the card has its own buttons; in a lesson they are below the text.
  if (!settled(card.answer) && !column.view.lesson.review) return;
  card.flow.space(column.px(4));
  // Other numbers are promised only where there are some.
  const bool varies = !card.asked.question->vary.empty();
  if (!settled(card.answer))
    set_button(card, "Lock answer", runs("lesson-next", "Locks the answer (Enter)"), ui::Fill::Round, 40, 18);
  else if (varies)
    set_button(card, "Another one", runs("question-another", "The same question with other numbers (A)"),
               ui::Fill::Solid, 34, 16);
  else
    set_button(card, "Try again", runs("question-another", "The same question once more (A)"), ui::Fill::Solid, 34, 16);
}

}  // namespace

void set_question(Flow& flow, const Column& column, const AskedQuestion& asked, int place, int count, float width,
                  float size) {
  const QuestionView& answer = question_view(column.view, asked);
  const Instance instance = instance_on_show(asked, column.session, column.view);
  const float pad = column.px(width > column.px(420) ? 18 : 12);
  const float inner = width - 2 * pad;
  const ProseWords words =
      words_of(*asked.lesson, &instance, fmt::format("{}#{}", asked.key, answer.seed), column.session, column.view);
  const ProsePage page{column.scene, column.style, column.view, words};
  const bool low = size < column.style.body();
  Flow body;
  Card card{body,     column, asked, answer,
            instance, page,   inner, {inner, size, size * 1.4f, column.color(Role::Text), false}};

  const std::string kind = question_title(asked, place, count);
  body.space(column.px(low ? 6 : 10));
  set_head(card, kind);
  ProseLook asks = card.look;
  asks.strong = true;
  set_prose(body, page, asked.question->text, asks);
  body.space(column.px(low ? 8 : 12));
  if (!instance.fault.empty()) {
    set_lines(body, column, instance.fault, {.role = Role::WrongText, .pitch = 22.4f}, inner);
  } else {
    const int options = int(std::min(asked.question->options.size(), instance.order.size()));
    // With the reasons on show, what is neither chosen nor right makes room for them.
    for (int k = 0; k < options; ++k)
      if (!settled(answer) || (answer.chosen == k && !answer.skipped) ||
          instance.right[size_t(instance.order[size_t(k)])])
        set_option(card, k);
    if (asked.question->options.empty()) set_field(card), set_digits(card);
    if (settled(answer)) set_verdict(card);
    set_foot(card);
  }
  body.space(column.px(low ? 6 : 12));

  const float top = flow.height();
  flow.append(body, pad, inner);
  flow.ground(top, [&scene = column.scene, &style = column.style](Rect r) {
    scene.box(r, style.r_large(), style[Role::Background], style[Role::Accent], style.px(2.5f));
  });
}

}  // namespace tilewalk
