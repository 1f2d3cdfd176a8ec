#include "app/export/lesson_page.h"

#include "app/export/page_colors.h"
#include "app/export/page_prose.h"
#include "app/export/telling_step.h"
#include "app/panels/describe.h"
#include "app/panels/lesson_parts.h"
#include "app/panels/stage_picture.h"
#include "app/scene/svg_painter.h"
#include "app/session/breaking.h"
#include "app/session/lesson_moves.h"
#include "app/session/lesson_path.h"
#include "app/session/playback.h"
#include "app/session/questions.h"
#include "app/session/transport.h"
#include "core/lesson/control_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tilewalk {
namespace {

constexpr Vec2 kFigure{1040, 560};  // its smallest type is still read on paper

// A beat as it is met for the first time.
struct Stand {
  Session session;
  ViewState view;
};

// What a page has not: "GPU: A100 (← →)", "Heads H: press, and type another number".
bool names_key(const std::string& line) {
  return std::ranges::any_of(std::array{"(← →)", "(←)", "(→)", "(Enter)", "press, ", "locked until the questions"},
                             [&](const char* keys) { return line.find(keys) != line.npos; });
}

class Page {
 public:
  Page(std::shared_ptr<const Course> course, const Lesson& lesson) : course_(std::move(course)), lesson_(lesson) {}

  std::string html() {
    std::string body = fmt::format("<h1>{}{}</h1>\n", lesson_.number > 0 ? fmt::format("{}. ", lesson_.number) : "",
                                   xml_escape(lesson_.title));
    body += fmt::format("<p class=\"fine\">About {:.0f} minutes. In Tilewalk: <a href=\"{}\">{}</a></p>\n",
                        lesson_.minutes, address(0), address(0));
    body +=
        "<p class=\"fine\">Numbers are computed; those with ◆ were recorded on a GPU, those with ◇ published by "
        "others. "
        "<span class=\"screen\">Point at a number to see where it comes from.</span></p>\n";
    for (int k = 0; k < int(lesson_.beats.size()); ++k) body += beat(k);
    if (!answers_.empty()) body += "<section>\n<h2>Answers</h2>\n" + answers_ + "</section>\n";
    if (!lesson_.reading.empty()) {
      body += "<section>\n<h2>Further reading</h2>\n<ul>\n";
      for (const Source& source : lesson_.reading)
        body += fmt::format("<li>{}, {}</li>\n", xml_escape(source.title), xml_escape(source.where));
      body += "</ul>\n</section>\n";
    }
    if (const std::string words = page_words(used_); !words.empty())
      body += "<section>\n<h2>Words</h2>\n" + words + "</section>\n";
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\" "
        "/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>{}</title>\n"
        "<style>\n{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
        xml_escape(lesson_.title), style(), body);
  }

 private:
  std::string address(int beat) const {
    return lesson_.number > 0 ? fmt::format("tilewalk://lesson/{}/beat/{}", lesson_.number, beat + 1)
                              : fmt::format("tilewalk://lesson/{}/beat/{}", lesson_.id, beat + 1);
  }

  std::unique_ptr<Stand> stand_at(int beat) const {
    auto out = std::make_unique<Stand>();
    out->view.lesson.course = course_;
    out->view.lesson.cache = cache_;
    open_lesson(out->session, out->view, lesson_.id, beat);
    finish_playing(*out);
    return out;
  }

  // What a beat plays is shown at its end.
  static void finish_playing(Stand& stand) {
    ViewState& view = stand.view;
    if (view.playing && view.play_to >= 0) {
      if (what_moves(stand.session, view) == Moves::Board)
        seek_board(stand.session, view, int(view.play_to));
      else
        seek(stand.session.walk(), view, view.play_to);
    }
    view.playing = false;
    view.lesson.lift = 1;
    view.lesson.lifting.clear();
  }

  // Empty where it is the picture that was shown last. On paper it may come a page later than the text that it belongs
  // to, so that the page is full: its caption says there `whose` it is.
  std::string figure(Stand& stand, const std::string& whose, const std::string& caption = {}) {
    stand.view.theme = Theme::Light;
    const StagePicture light = stage_picture(stand.session, stand.view, kFigure);
    const SvgOptions words{.title = light.title, .description = light.description};
    const std::string in_light = to_svg(light.scene, words);
    if (in_light == last_) return {};
    last_ = in_light;
    stand.view.theme = Theme::Dark;
    const std::string in_dark = to_svg(stage_picture(stand.session, stand.view, kFigure).scene, words);
    std::string told;
    // A board's buttons and knobs are none here; what a walk's tiles say is read.
    const SeenStage seen{&light.scene, {0, 0, light.scene.size.x, light.scene.size.y}, true};
    const bool board = board_named(stand.view.board.board) != nullptr;
    for (const std::string& line : describe_stage(stand.session, stand.view, board ? &seen : nullptr))
      if (const std::string shown = without_controls(line); !shown.empty() && !names_key(line))
        told += xml_escape(shown) + "\n";
    return fmt::format(
        "<figure>\n{}<figcaption><span class=\"paper\">{}</span>{}</figcaption>\n"
        "<details><summary>This picture in words</summary><pre class=\"words\">{}</pre></details>\n</figure>\n",
        colors_.merge(in_light, in_dark), xml_escape(whose.ends_with('?') ? whose : whose + "."),
        caption.empty() ? "" : " " + caption, told);
  }

  static std::string title_words(const Beat& beat) {
    return fmt::format("{}{}{}", title_of(beat.kind), beat.title.empty() ? "" : ": ", beat.title);
  }

  // What the beat breaks on purpose: its picture broken, and under it in which way.
  std::string broken_figure(int beat, size_t fault) {
    const std::unique_ptr<Stand> stand = stand_at(beat);
    for (size_t k = 0; k <= fault; ++k) break_next(stand->session, stand->view);
    finish_playing(*stand);
    const std::string says = broken_words(stand->view);
    const std::string before = std::exchange(last_, {});
    const std::string picture =
        figure(*stand, title_words(lesson_.beats[size_t(beat)]),
               fmt::format("<strong class=\"broken\">Broken on purpose:</strong> {}.", xml_escape(says)));
    last_ = before;
    return says.empty() ? std::string() : picture;
  }

  std::string beat(int k) {
    const std::unique_ptr<Stand> stand = stand_at(k);
    const Beat& beat = lesson_.beats[size_t(k)];
    const ProseWords words = words_of(lesson_, nullptr, "", stand->session, stand->view);
    std::string out = fmt::format("<section>\n<h2>{}</h2>\n", xml_escape(title_words(beat)));
    // What is to be pressed is in the program; what comes of it is shown.
    out += page_prose(without_controls(beat.text), words, 3, used_);
    // Where one steps on, paper shows a step that has something on chip.
    const std::string step = beat.kind == BeatKind::Explore ? tell_of_walk(stand->session, stand->view) : std::string();
    const std::string picture = figure(*stand, title_words(beat), step);
    if (!step.empty()) seek(stand->session.walk(), stand->view, 0);
    // A heading stands over words, as its picture may come a sheet later.
    const bool bare = beat.text.empty() && beat.breaks.empty();
    if (!bare) out += picture;
    for (size_t fault = 0; fault < beat.breaks.size(); ++fault) out += broken_figure(k, fault);
    const auto questions = questions_on_show(stand->view);
    for (size_t q = 0; q < questions.size(); ++q) {
      out += question(*stand, questions[q], k, int(q));
      if (bare && q == 0) out += picture;
    }
    if (bare && questions.empty()) out += picture;
    const auto fold = [&](std::string_view title, const Prose& prose) {
      if (!prose.empty())
        out += fmt::format("<details class=\"fold\"><summary>{}</summary>\n{}</details>\n", title,
                           page_prose(without_controls(prose), words, 3, used_));
    };
    fold("Explain", beat.explain);
    fold("For kernel people", beat.kernel);
    return out + "</section>\n";
  }

  std::string question(Stand& stand, const AskedQuestion& asked, int beat, int place) {
    const Question& question = *asked.question;
    const Instance instance = instance_on_show(asked, stand.session, stand.view);
    const ProseWords words = words_of(*asked.lesson, &instance, asked.key, stand.session, stand.view);
    const int number = ++asked_;
    std::string out =
        fmt::format("<div class=\"question\">\n<h3>Question {}{}</h3>\n{}", number,
                    question.predict ? ", before you see it" : "", page_prose(question.text, words, 4, used_));
    std::string reasons;
    if (!question.options.empty()) {
      out += "<ol class=\"options\">\n", reasons = "<ol class=\"options\">\n";
      for (const int option : instance.order) {
        const AnswerOption& each = question.options[size_t(option)];
        out += fmt::format("<li>{}</li>\n", page_prose(each.text, words, 4, used_));
        reasons +=
            fmt::format("<li>{}{}</li>\n", instance.right[size_t(option)] ? "<p><strong>Right.</strong></p>" : "",
                        page_prose(each.why, words, 4, used_));
      }
      out += "</ol>\n", reasons += "</ol>\n";
    } else if (instance.answer) {
      if (!question.unit.empty()) out += fmt::format("<p>Answer in {}.</p>\n", xml_escape(question.unit));
      const auto typed = answer_in_unit(instance.answer->value, question);
      const std::string answer = typed ? *typed : format_quantity(*instance.answer, question.format).value_or("?");
      reasons = fmt::format("<p><strong>{}</strong></p>\n", xml_escape(answer));
    }
    reasons += page_prose(question.why, words, 4, used_);
    // The picture as the answer makes it, where it makes another.
    if (question.proof.line > 0) {
      const std::unique_ptr<Stand> proof = stand_at(beat);
      proof->view.lesson.question = place;
      // Nothing that the beat's other questions cover stays so: their answers stand here too.
      for (const AskedQuestion& other : questions_on_show(proof->view))
        proof->view.lesson.questions[other.key].skipped = other.key != asked.key;
      skip_question(proof->session, proof->view);
      finish_playing(*proof);
      const std::string before = last_;
      reasons += figure(*proof, fmt::format("With the answer to question {}", number));
      last_ = before;
    }
    answers_ += fmt::format(
        "<details class=\"answer\" id=\"answer-{0}\"><summary>Answer to question {0}</summary>\n{1}</details>\n",
        number, reasons);
    return out + fmt::format("<p class=\"fine screen\"><a href=\"#answer-{}\">Answer</a></p>\n</div>\n", number);
  }

  std::string style() {
    const Palette light = palette(Theme::Light), dark = palette(Theme::Dark);
    const auto color = [&](Role role) {
      const auto hex = [](Color c) { return fmt::format("#{:02x}{:02x}{:02x}", c.r, c.g, c.b); };
      return colors_.name(hex(light[role]), hex(dark[role]));
    };
    const std::string rules = fmt::format(
        "body{{margin:0;background:{0};color:{1};font:18px/1.55 Inter,'Helvetica Neue',Arial,'DejaVu "
        "Sans',sans-serif}}\n"
        "main{{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}}\n"
        "p,ul,ol,dl,h1,h2,h3,table,pre{{max-width:42rem}}\n"
        "h1{{font-size:2.1rem;line-height:1.2;margin:1rem 0 .5rem}}\nh2{{font-size:1.4rem;margin:3rem 0 .5rem}}\n"
        "h3{{font-size:1.05rem;margin:1.5rem 0 .25rem}}\n"
        "a{{color:inherit;text-decoration-thickness:1px;text-underline-offset:3px}}\n"
        "code,pre,.number{{font-family:'JetBrains Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:.92em}}\n"
        "pre{{overflow-x:auto}}\n.words{{white-space:pre-wrap;max-width:none;color:{2}}}\n"
        "figure{{margin:1.5rem 0}}\nfigure svg{{display:block;width:100%;height:auto;border:1px solid "
        "{3};border-radius:10px}}\n"
        ".paper{{display:none}}\n"
        "summary{{cursor:pointer}}\nfigure summary,figcaption,.fine{{color:{2};font-size:.85rem}}\nfigure "
        "summary,figcaption{{margin-top:.4rem}}\n"
        ".question{{border-left:3px solid {1};padding-left:1.25rem;margin:2rem 0}}\n"
        ".options{{list-style:lower-alpha}}\n.options p{{margin:.25rem "
        "0}}\n.answer>summary,.fold>summary{{font-weight:600}}\n"
        "table{{border-collapse:collapse}}\nth,td{{border-bottom:1px solid {3};padding:.3rem .9rem .3rem "
        "0;text-align:left}}\n"
        "dt{{margin-top:.6rem}}\ndfn{{font-style:normal;font-weight:600}}\ndd{{margin:0}}\n"
        "@page{{size:A4;margin:14mm}}\n"
        "@media print{{body{{font-size:10.5pt;line-height:1.36}}main{{padding:0;max-width:none}}p,ul,ol,dl,h1,h2,h3,"
        "table,pre{{max-width:none}}h1{{font-size:1.7rem;margin:0 0 .3rem}}h2{{font-size:1.25rem;margin:.9rem 0 "
        ".2rem}}"
        // A picture that is too high for what is left of a page floats to the next one, and its own beat's text goes on
        // here; the next heading comes after it. Three broken ones have room on a sheet.
        "p,.options p{{margin:.35rem 0}}main,.question{{display:flow-root}}"
        "figure{{float:left;width:100%;margin:.35rem 0}}figure svg{{width:75%;margin:0 auto}}"
        "figure:has(.broken) svg,figure:has(.broken) figcaption{{width:66%}}.answer figure svg{{width:64%}}"
        "figcaption{{width:75%;margin:.1rem auto 0}}.paper{{display:inline}}"
        "p,section>ol,section>ul,figure,table,.question,.answer li{{break-inside:avoid}}"
        "h2,h3{{break-after:avoid}}h2,.answer{{clear:both}}.fine,figcaption{{font-size:8.5pt}}"
        "dl{{columns:3;column-gap:6mm;font-size:9pt;line-height:1.3}}dd,dt{{break-inside:avoid}}dt{{margin-top:0;"
        "padding-top:.4rem;break-after:avoid}"
        "}"
        ".question{{margin:.6rem 0}}.screen,figure details{{display:none}}summary{{list-style:none;break-after:avoid}}"
        "details::details-content{{content-visibility:visible;block-size:auto}}}}\n",
        color(Role::Background), color(Role::Text), color(Role::TextSecondary), color(Role::Line));
    return colors_.style() + rules;
  }

  std::shared_ptr<const Course> course_;
  const Lesson& lesson_;
  std::shared_ptr<LessonCache> cache_ = std::make_shared<LessonCache>();
  PageColors colors_;
  WordsUsed used_;
  std::string last_;
  std::string answers_;
  int asked_ = 0;
};

}  // namespace

std::string lesson_page(std::shared_ptr<const Course> course, const Lesson& lesson) {
  return Page(std::move(course), lesson).html();
}

}  // namespace tilewalk
