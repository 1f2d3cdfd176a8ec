// The review page, on the stage: which questions, a list of them, and the one that is open with its answer.
#include "app/panels/form.h"
#include "app/panels/lesson_parts.h"
#include "app/panels/widgets.h"
#include "app/session/lesson_path.h"
#include "app/session/review.h"
#include "app/text/text.h"

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
    column.scene.region(r, row.id, row.open ? "Closes it" : "Opens it: think of an answer first", true);
    column.scene.regions.back().focus_radius = s.r_medium();
  });
}

void set_buttons(Flow& flow, const Column& column, const ReviewCard& card, float x) {
  flow.add(column.px(44), [&column, &card, x](Rect r) {
    const Style& s = column.style;
    float at = r.x + x;
    for (const auto& [words, verb, tip] : {std::tuple{"I knew it", "knew", "Keeps that you knew it"},
                                           std::tuple{"Not yet", "again", "Keeps that it has to come again"}}) {
      const float w = text_width(words, Face::SansBold, s.number()) + s.px(32);
      text_button(column.scene, column.view, s, {at, r.y, w, s.px(36)}, words,
                  fmt::format("review:{}/{}", verb, card.id), tip, Look::Solid, Face::SansBold, s.number());
      at += w + s.px(8);
    }
  });
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
    for (const std::string& line : wrap_text(listen + ".", Face::Sans, style.number(), inner))
      body.add(style.px(24), [&column, line](Rect r) {
        column.scene.label(r, line, Face::Sans, column.style.number(), column.color(Role::TextSecondary));
      });
  }
  body.space(style.px(12));
  flow.append(body, indent, inner);
  set_buttons(flow, column, card, indent);
  flow.space(style.px(14));
}

void set_line_below(Flow& flow, const Column& column) {
  flow.add(column.px(1), [&column](Rect r) {
    column.scene.line({r.x, r.y}, {r.right(), r.y}, column.color(Role::Line), column.px(1));
  });
}

// What is chosen among: kinds first, then level and company of interviews.
float layout_filters(const Column& column, Rect area) {
  const ReviewView& about = column.view.lesson.about;
  std::vector<Chip> kinds;
  for (int k = 0; k < kCardKindCount; ++k) {
    const CardKind kind = CardKind(k);
    kinds.push_back({fmt::format("review:kind/{}", name_of(kind)), std::string(title_of(kind)), "Shows these",
                     about.kind == name_of(kind)});
  }
  kinds.push_back(
      {"review:kind/lessons", "Questions of the lessons", "Every question of every lesson", about.kind == "lessons"});
  const float row = column.px(34);
  float y = area.y;
  layout_chips(column, {area.x, y, area.w, row}, kinds, row);
  y += chips_height(column, kinds, area.w, row) + column.px(10);
  if (about.kind == name_of(CardKind::Interview)) {
    std::vector<Chip> filters;
    for (const std::string& level : review_levels())
      filters.push_back(
          {"review:level/" + level, level, "Only questions of this level; again for all", about.level == level});
    for (const std::string& at : review_companies())
      filters.push_back({"review:at/" + at, at, "Only questions asked there; again for all", about.at == at});
    layout_chips(column, {area.x, y, area.w, row}, filters, row);
    y += chips_height(column, filters, area.w, row) + column.px(10);
  }
  return y - area.y;
}

}  // namespace

void layout_review(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                   const Style& style) {
  const Column column{scene, session, moment, view, style};
  const float pad = style.px(area.w < style.px(800) ? 16 : 32);
  const Rect in = area.inset(pad, style.px(16));
  const float title = text_width("Review", Face::SansBold, style.title()) + style.px(2),
              hint_x = in.x + title + style.px(20);
  scene.label({in.x, in.y, title, style.px(44)}, "Review", Face::SansBold, style.title(), style[Role::Text]);
  fitted(scene, {hint_x, in.y + style.px(2), in.right() - style.px(56) - hint_x, style.px(44)},
         view.lesson.about.kind == "lessons" ? "Open a question and answer it here."
                                             : "Answer in your head, then open it and compare.",
         Face::Sans, style.number(), style[Role::TextSecondary]);
  icon_button(scene, view, style, {in.right() - style.px(40), in.y + style.px(2), style.px(40), style.px(40)},
              Icon::Close, "review", Look::Plain);
  const float top = in.y + style.px(52), filters = layout_filters(column, {in.x, top, in.w, 0});
  const float margin = style.px(16);
  const Rect list{in.x, top + filters + style.px(4), in.w - margin, in.bottom() - top - filters - style.px(4)};

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
    set_line_below(flow, column);
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
      set_line_below(flow, column);
    }
  layout_scrolled(scene, style, view, list, flow, about.scroll, margin, "review", "Questions");
}

}  // namespace tilewalk
