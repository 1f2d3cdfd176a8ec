// The review page, on the stage: which questions, a list of them, and the one that is open with its answer.
#include "app/panels/cards.h"
#include "app/panels/form.h"
#include "app/panels/lesson_parts.h"
#include "app/session/lesson_path.h"
#include "app/session/review.h"
#include "core/lesson/review_of_ten.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

const AnswerRecord* answer_of(const ViewState& view, std::string_view lesson, const std::string& id) {
  const LessonRecord* record = record_of(view.lesson.progress, lesson);
  if (!record) return nullptr;
  const auto found = record->answers.find(id);
  return found == record->answers.end() ? nullptr : &found->second;
}

// The questions' line: a mark for what was known, the question, and where it is taught.
struct ListedRow {
  std::string id;  // of its region
  const Prose* question;
  const AnswerRecord* answer;
  std::string where;  // "lesson 4 · senior"
  bool open;
};

// The text of a card's question stands alone: its quantities are of no lesson.
const Lesson& no_lesson() {
  static const Lesson kNone{};
  return kNone;
}

void set_row(Flow& flow, const Column& column, const ListedRow& row, const ProseWords& words, float width) {
  const Style& style = column.style;
  const float mark = style.px(34), where = style.px(150), pad = style.px(8);
  const ProsePage page{column.scene, style, column.view, words};
  Flow text;
  const float text_w = width - mark - where - pad;
  set_prose(text, page, *row.question, {text_w, style.body(), style.body() * 1.4f, column.color(Role::Text), row.open});
  flow.add(text.height() + style.px(20), [&column, row, text, mark, where, text_w](Rect r) {
    const Style& s = column.style;
    const bool hot = column.view.hover == row.id;
    if (hot) column.scene.box(r, s.r_medium(), s[Role::Surface]);
    const Rect slot{r.x, r.y, mark, r.h};
    if (row.answer)
      column.scene.label(slot, row.answer->right ? "✓" : "✕", Face::SansBold, s.body(),
                         s[row.answer->right ? Role::RightText : Role::WrongText], Align::Center);
    else
      column.scene.label(slot, row.open ? "–" : "+", Face::SansBold, s.body(), s[Role::TextSecondary], Align::Center);
    text.draw({r.x + mark, r.y + s.px(10), text_w, text.height() + 1}, text_w, 0);
    fitted(column.scene, {r.right() - where, r.y, where - s.px(8), r.h}, row.where, Face::Sans, s.small(),
           s[Role::TextSecondary], Align::Right);
    column.scene.region(r, row.id, row.open ? "Closes it" : "Opens it: think of an answer first", true, s.r_medium());
  });
}

ui::Node verdict_button(const ReviewCard& card, std::string words, std::string_view verb, std::string tip) {
  return ui::button(std::move(words), {fmt::format("review:{}/{}", verb, card.id), std::move(tip)}, ui::Fill::Solid,
                    {16, Face::SansBold})
      .padding(16, 0)
      .height(ui::px(36));
}

void set_card(Flow& flow, const Column& column, const ReviewCard& card, const ProseWords& words, float width) {
  const Style& style = column.style;
  const float indent = style.px(34), inner = width - indent - style.px(40);
  const ProsePage page{column.scene, style, column.view, words};
  Flow body;
  const ProseLook look{inner, style.body(), style.body() * 1.5f, column.color(Role::Text), false};
  set_prose(body, page, card.answer, look);
  if (!card.listen.empty()) {
    body.space(style.px(10));
    std::string listen;
    for (const std::string& one : card.listen) listen += (listen.empty() ? "A good answer has: " : "; ") + one;
    set_lines(body, column, listen + ".", {16, Face::Sans, Role::TextSecondary}, inner);
  }
  body.space(style.px(12));
  column.set(body,
             ui::row(ui::of(verdict_button(card, "I knew it", "knew", "Keeps that you knew it"),
                            verdict_button(card, "Not yet", "again", "Keeps that it has to come again"), ui::spacer()),
                     8, ui::Across::Start)
                 .height(ui::px(44)),
             inner);
  flow.append(body, indent, inner);
  flow.space(style.px(14));
}

// What it is, how it is used, and what is chosen among: kinds first, then level and company of interviews.
ui::Node review_head(const ReviewView& about) {
  std::vector<Chip> kinds, filters;
  for (int k = 0; k < kCardKindCount; ++k) {
    const std::string name(name_of(CardKind(k)));
    kinds.push_back({"review:kind/" + name, std::string(title_of(CardKind(k))), "Shows these", about.kind == name});
  }
  const bool lessons = about.kind == "lessons";
  kinds.push_back({"review:kind/lessons", "Questions of the lessons", "Every question of every lesson", lessons});
  for (const int after : kReviewsAfter)
    kinds.push_back({"lesson:" + review_id(after), fmt::format("Ten on lessons 1 to {}", after),
                     review_title(after) + ", first those that went wrong", false});
  if (about.kind == name_of(CardKind::Interview)) {
    for (const std::string& level : review_levels())
      filters.push_back(
          {"review:level/" + level, level, "Only questions of this level; again for all", about.level == level});
    for (const std::string& at : review_companies())
      filters.push_back({"review:at/" + at, at, "Only questions asked there; again for all", about.at == at});
  }
  ui::Node title = ui::row(ui::of(ui::text("Review", {26, Face::SansBold}),
                                  ui::text(lessons ? "Open a question and answer it here."
                                                   : "Answer in your head, then open it and compare.",
                                           {16, Face::Sans, Role::TextSecondary})
                                      .width(ui::grow()),
                                  close_button("review")),
                           20, ui::Across::Center)
                       .height(ui::px(44));
  std::vector<ui::Node> all = ui::of(std::move(title), ui::spacer(ui::px(8)), chips_node(kinds, 34));
  if (!filters.empty()) {
    all.push_back(ui::spacer(ui::px(10)));
    all.push_back(chips_node(filters, 34));
  }
  return ui::column(std::move(all));
}

}  // namespace

void layout_review(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                   const Style& style) {
  const Column column{scene, session, moment, view, style};
  const float pad = style.px(area.w < style.px(800) ? 16 : 32);
  const Rect in = area.inset(pad, style.px(16));
  const ui::Node head = review_head(view.lesson.about);
  const float margin = style.px(16), top = ui::height_of(head, in.w, style.scale) + style.px(14);
  column.show(head, {in.x, in.y, in.w, top});
  const Rect list{in.x, in.y + top, in.w - margin, in.h - top};

  Flow flow;
  const ProseWords words = words_of(no_lesson(), nullptr, "review", session, view);
  const ReviewView& about = view.lesson.about;
  for (const ReviewCard* card : cards_on_show(view)) {
    const bool open = about.open == card->id;
    std::string where = fmt::format("lesson {}", card->lesson);
    if (!card->level.empty()) where += " · " + card->level;
    set_row(flow, column,
            {"review:open/" + card->id, &card->question, answer_of(view, kReviewRecord, card->id), where, open}, words,
            list.w);
    if (open) set_card(flow, column, *card, words, list.w);
    column.set(flow, ui::rule().height(ui::px(1)), list.w);
  }
  if (about.kind == "lessons")
    for (const AskedQuestion& asked : all_questions(view)) {
      const bool open = about.open == asked.key;
      const Instance instance = instance_on_show(asked, session, view);
      const ProseWords own = words_of(*asked.lesson, &instance,
                                      fmt::format("{}#{}", asked.key, question_view(view, asked).seed), session, view);
      set_row(flow, column,
              {"review:open/" + asked.key, &asked.question->text, answer_of(view, asked.lesson->id, asked.question->id),
               lesson_words(*asked.lesson), open},
              own, list.w);
      if (open) {
        Flow card;
        const float w = std::min(list.w - style.px(34), style.px(640));
        set_question(card, column, asked, 0, 1, w, style.body());
        flow.append(card, style.px(34), w);
        flow.space(style.px(14));
      }
      column.set(flow, ui::rule().height(ui::px(1)), list.w);
    }
  layout_scrolled(scene, style, view, list, flow, about.scroll, margin, "review", "Questions");
}

}  // namespace tilewalk
