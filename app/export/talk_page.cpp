#include "app/export/talk_page.h"

#include "app/panels/audience.h"
#include "app/panels/lesson_parts.h"
#include "app/panels/prose_text.h"
#include "app/panels/room_question.h"
#include "app/panels/told_prose.h"
#include "app/scene/svg_painter.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/session/speaker_notes.h"
#include "core/io/trimmed.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr Vec2 kPicture{1920, 1080};
constexpr int kMostPresses = 40;  // on one stop

constexpr std::string_view kStyle =
    "body{font:16px/1.5 Inter,system-ui,sans-serif;margin:0;color:#111;background:#fff}\n"
    "main{max-width:960px;margin:0 auto;padding:24px}\n"
    "section{margin:0 0 40px;break-inside:avoid}\n"
    "h2{font-size:20px;margin:0 0 8px}\n"
    "figure{margin:0 0 8px;border:1px solid #999;break-inside:avoid}\n"
    "svg{display:block;width:100%;height:auto}\n"
    ".fine{font-size:14px;overflow-wrap:anywhere;margin:4px 0}\n"
    ".note{border-left:4px solid #999;padding-left:12px;margin:8px 0}\n"
    "@page{size:A4;margin:14mm}\n"
    "h2{break-after:avoid}\n"
    "@media print{h1{font-size:20px;margin:0 0 4mm}main{max-width:none;padding:0}section{margin:0 0 6mm}"
    "figure{width:88%;margin:1px auto 2mm;padding-top:1px}a{color:inherit}}\n";

// The time that a stop may take is the speaker's.
std::string without_minutes(const std::string& note) {
  const size_t end = note.starts_with('[') ? note.find(" min]") : std::string::npos;
  const bool number = end != std::string::npos && note.find_first_not_of("0123456789 ", 1) > end;
  return number ? std::string(trimmed(std::string_view(note).substr(end + 5))) : note;
}

class Handout {
 public:
  Handout(std::shared_ptr<const Course> course, const SetList& set, bool notes) : notes_(notes) {
    view_.lesson.course = std::move(course);
    view_.lesson.cache = std::make_shared<LessonCache>();
    view_.reduced_motion = true;
    view_.present.set = set;
    begin_presenting(session_, view_, true);
  }

  std::string html() {
    const std::string name = heading();
    std::string body = fmt::format("<h1>{}</h1>\n", xml_escape(name));
    const int count = int(view_.present.set.items.size());
    for (int place = 0; place < count; ++place) body += stop(place);
    if (!answers_.empty()) body += "<section>\n<h2>Answers</h2>\n<ul>\n" + answers_ + "</ul>\n</section>\n";
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\" "
        "/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>{}</title>\n"
        "<style>\n{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
        xml_escape(name), kStyle, body);
  }

 private:
  // What the talk is called: the title of a slide that it begins with, else its first stop's; the file's name is for
  // who keeps it.
  std::string heading() const {
    const std::vector<SetItem>& items = view_.present.set.items;
    if (!items.empty())
      if (const std::string title = stop_title(items.front(), view_); !title.empty() && title != items.front().link)
        return title;
    return view_.present.set.file.stem().string();
  }

  // "A: the score of every key"; a number alone says it all.
  std::string answer() const {
    const AskedQuestion asked = asked_now(view_);
    const std::string letters = answer_words(session_, view_, asked);
    if (asked.question->options.empty()) return letters;
    const Instance instance = instance_on_show(asked, session_, view_);
    const ProseWords said = words_of(
        *asked.lesson, &instance, fmt::format("{}#{}", asked.key, question_view(view_, asked).seed), session_, view_);
    std::string words;
    for (size_t place = 0; place < instance.order.size(); ++place)
      if (const size_t index = size_t(instance.order[place]); instance.right[index]) {
        std::vector<std::string> lines;
        tell_prose(lines, asked.question->options[index].text, said);
        words += fmt::format("{}{}: {}", words.empty() ? "" : "; ", char('A' + place),
                             fmt::format("{}", fmt::join(lines, " ")));
      }
    return words;
  }

  std::string figure(const std::string& title) {
    view_.phase = 1;
    view_.playing = false;
    view_.lesson.lift = 1;
    return fmt::format("<figure>\n{}</figure>\n",
                       to_svg(layout_audience(session_, view_, kPicture), {.title = title, .description = {}}));
  }

  std::string stop(int place) {
    const SetItem& item = view_.present.set.items[size_t(place)];
    const std::string title = stop_title(item, view_);
    std::string out = fmt::format("<section>\n<h2>{}. {}</h2>\n", place + 1, xml_escape(title));
    if (!open_set_item(session_, view_, place))
      return out + fmt::format("<p>{}</p>\n</section>\n", xml_escape(view_.notice));
    out += figure(title);
    if (notes_) {
      const ShownNotes notes = notes_on_show(view_);
      for (const std::string& note : {without_minutes(notes.stop), notes.beat})
        if (!note.empty()) out += fmt::format("<p class=\"note\">{}</p>\n", xml_escape(note));
    }
    if (!is_slide(item.link))
      out += fmt::format("<p class=\"fine\"><a href=\"{0}\">{0}</a></p>\n", xml_escape(item.link));
    out += "</section>\n";
    const Presentation& p = view_.present;
    const int questions = slide_on_show(view_) ? 0 : int(questions_on_show(view_).size());
    for (int asked = 0, press = 0; asked < questions && press < kMostPresses; ++press) {
      present_next(session_, view_);
      if (p.place != place) break;
      if (!p.question || settled(view_, asked_now(view_))) continue;
      ++asked;
      const std::string which = questions > 1 ? fmt::format("{}.{}", place + 1, asked) : fmt::format("{}", place + 1);
      out += fmt::format("<section>\n<h2>Question {}</h2>\n{}</section>\n", which, figure("Question " + which));
      answers_ += fmt::format("<li>Question {}: {}</li>\n", which, xml_escape(answer()));
    }
    return out;
  }

  Session session_;
  ViewState view_;
  bool notes_;
  std::string answers_;
};

}  // namespace

std::string talk_page(std::shared_ptr<const Course> course, const SetList& set, bool notes) {
  return Handout(std::move(course), set, notes).html();
}

}  // namespace tilewalk
