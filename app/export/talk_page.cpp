#include "app/export/talk_page.h"

#include "app/boards/board.h"
#include "app/export/telling_step.h"
#include "app/panels/audience.h"
#include "app/panels/lesson_parts.h"
#include "app/panels/prose_text.h"
#include "app/panels/room_question.h"
#include "app/panels/told_prose.h"
#include "app/scene/svg_painter.h"
#include "app/session/breaking.h"
#include "app/session/lesson_moves.h"
#include "app/session/present_moves.h"
#include "app/session/questions.h"
#include "app/session/set_list.h"
#include "app/session/set_stops.h"
#include "app/session/speaker_notes.h"
#include "app/session/transport.h"
#include "app/text/fonts.h"
#include "core/io/trimmed.h"
#include "core/lesson/control_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>
#include <variant>
#include <vector>

namespace tilewalk {
namespace {

constexpr Vec2 kPicture{1920, 1080};
constexpr int kMostPresses = 40;  // on one stop
// A4 within its margins, in mm: what a heading, a line of a note, a link and the room round them take, and how high a
// picture is that is as wide as the page.
constexpr double kPage = 267, kHeading = 17, kLine = 6.4, kFine = 8, kWidest = 181.0 * 9 / 16, kLeast = 60;
constexpr size_t kLineLetters = 84;
constexpr double kBesideAnswers = 80, kAnswerLine = 5.2, kColumnLetters = 46;  // mm, mm, letters of a column's line
constexpr size_t kNoteLetters = 92;                                            // of a note's line
constexpr size_t kMostLetters = 2 * kNoteLetters;                              // of a link that stands on paper
constexpr size_t kTellingLetters = 4;  // a shorter number stands in other words, too

constexpr std::string_view kFirstOf = "First element of ", kSecondOf = "Second element of ";  // a pair's readings

constexpr std::string_view kStyle =
    "body{font:16px/1.5 Inter,system-ui,sans-serif;margin:0;color:#111;background:#fff}\n"
    "main{max-width:960px;margin:0 auto;padding:24px}\n"
    "section,.title{margin:0 0 40px}\nsection{break-inside:avoid}\n"
    "h2{font-size:20px;margin:0 0 8px}\n"
    "figure{margin:0 0 8px;border:1px solid #999;break-inside:avoid}\n"
    "svg{display:block;width:100%;height:auto}\n"
    ".fine{font-size:14px;overflow-wrap:anywhere;margin:4px 0}\n"
    ".notes p{margin:0 0 8px}\n"
    "@page{size:A4;margin:14mm}\n"
    "h2{break-after:avoid}\n"
    ".answers h2,.answers li:first-child{break-after:avoid}\n"
    ".answers,.notes{break-inside:auto}\n"
    "@media print{h1{font-size:24px;line-height:1.2;margin:0 0 2mm}main{max-width:none;padding:0}"
    "section,.title{margin:0 0 5mm}.title p,section>p{margin:0 0 2mm}"
    "figure{box-sizing:border-box;width:var(--wide,100%);margin:1px auto 2mm}.answers li{break-inside:avoid}"
    ".answers ul{columns:2;column-gap:8mm;padding-left:5mm}.answers ul,.notes p{font-size:14px;line-height:1.4}"
    ".notes p{break-inside:avoid}a{color:inherit}}\n";

// Words as the pictures draw them.
std::string written(std::string_view words) { return xml_escape(as_drawn(words)); }

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
    const std::vector<SetItem>& items = view_.present.set.items;
    const int count = int(items.size());
    // A title slide is the page's heading; its picture would say the same again.
    const bool titled = count > 0 && is_slide(items.front().link) && slide_of(items.front().link).picture.empty() &&
                        slide_of(items.front().link).title == name;
    Part title{.before = fmt::format("<div class=\"title\">\n<h1>{}</h1>\n", xml_escape(name)), .mm = 16};
    if (titled) {
      open_set_item(session_, view_, 0);
      for (const std::string& line : slide_of(items.front().link).lines)
        title.before += fmt::format("<p>{}</p>\n", written(line)), title.mm += kFine;
      if (const std::string link = keep_notes(0, name); !link.empty()) title.before += fine(link), title.mm += kFine;
    }
    title.before += "</div>\n";
    for (int place = titled ? 1 : 0; place < count; ++place) stop(place);
    std::string body = title.before + laid_out(title.mm);
    if (!answers_.empty())
      body += "<section class=\"answers\">\n<h2>Answers</h2>\n<ul>\n" + answers_ + "</ul>\n</section>\n";
    if (!said_.empty()) body += "<section class=\"notes\">\n<h2>Speaker's notes</h2>\n" + said_ + "</section>\n";
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n<meta charset=\"utf-8\" "
        "/>\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>{}</title>\n"
        "<style>\n{}</style>\n</head>\n<body>\n<main>\n{}</main>\n</body>\n</html>\n",
        xml_escape(name), kStyle, body);
  }

 private:
  // A stop or a question on the page: what stands before its picture and after it, and how high both are, in mm.
  struct Part {
    std::string before = {}, picture = {}, after = {};
    double mm = 0;
  };

  // Two pictures to a page, as wide as what is written beside them leaves room for.
  std::string laid_out(double above) const {
    std::string out;
    for (size_t begin = 0; begin < parts_.size();) {
      size_t end = begin, pictures = 0;
      double left = kPage - above;
      for (; end < parts_.size() && pictures + (parts_[end].picture.empty() ? 0 : 1) <= 2; ++end) {
        pictures += parts_[end].picture.empty() ? 0 : 1;
        left -= parts_[end].mm;
      }
      const double count = std::max(1.0, double(pictures));
      double high = std::clamp(left / count, kLeast, kWidest);
      // Answers and notes stand under the last pictures where these stay large enough; few make no sheet of their own.
      const double behind = answers_mm() + notes_mm(), over = behind - std::max(0.0, left - count * high);
      const double least = over < kPage / 3 ? kLeast : kBesideAnswers, beside = (left - behind) / count;
      if (end == parts_.size() && over > 0 && beside >= least) high = beside;
      for (; begin < end; ++begin) {
        const Part& part = parts_[begin];
        out += "<section>\n" + part.before;
        if (!part.picture.empty())
          out += fmt::format("<figure style=\"--wide:{:.0f}mm\">\n{}</figure>\n", high * 16 / 9, part.picture);
        out += part.after + "</section>\n";
      }
      above = 0;
    }
    return out;
  }

  // How high they are, in two columns.
  double answers_mm() const {
    if (answers_.empty()) return 0;
    double lines = 0;
    for (size_t at = 0, end; at < answers_.size(); at = end + 1) {
      end = std::min(answers_.find('\n', at), answers_.size());
      lines += 1 + double(end - at) / kColumnLetters;
    }
    return kHeading + 5 + (std::ceil(lines / 2) + 1) * kAnswerLine;
  }

  double notes_mm() const { return said_.empty() ? 0 : kHeading + notes_high_; }

  // What is said at a stop that was opened just now stands with all other notes: it may answer what the stop asks. The
  // speaker's own note as it is written; the lesson's without what there is to press. A link that leads there, or
  // nothing.
  std::string keep_notes(int place, const std::string& title) {
    if (!notes_) return {};
    static const Lesson kNone;
    const ShownNotes notes = notes_on_show(view_);
    const std::shared_ptr<const Lesson> lesson = lesson_on_show(view_);
    const ProseWords words = words_of(lesson ? *lesson : kNone, nullptr, "", session_, view_);
    std::vector<std::string> lines;
    tell_prose(lines, read_prose(without_minutes(notes.stop)), words);
    const size_t own = lines.size();
    tell_prose(lines, read_prose(note_on_paper(notes.beat)), words);
    if (own > 0 && own < lines.size() && std::isalnum(static_cast<unsigned char>(lines[own - 1].back())))
      lines[own - 1] += '.';
    if (lines.empty()) return {};
    const std::string said = fmt::format("{}", fmt::join(lines, " ")), heading = heading_of(place, title);
    said_ += fmt::format("<p id=\"note-{}\"><b>{}</b> {}</p>\n", place + 1, written(heading), written(said));
    notes_high_ += kAnswerLine * double(1 + (heading.size() + said.size()) / kNoteLetters) + 3;
    return fmt::format("<a href=\"#note-{}\">Speaker's note</a>", place + 1);
  }

  static std::string heading_of(int place, const std::string& title) { return fmt::format("{}. {}", place + 1, title); }
  static std::string fine(const std::string& words) { return fmt::format("<p class=\"fine\">{}</p>\n", words); }

  // What the talk is called: what its list says, else the slide that it begins with, else the file.
  std::string heading() const {
    const SetList& set = view_.present.set;
    if (!set.title.empty()) return set.title;
    if (!set.items.empty() && is_slide(set.items.front().link))
      if (const Slide slide = slide_of(set.items.front().link); !slide.title.empty()) return slide.title;
    return set.file.stem().string();
  }

  // "A: the score of every key", and why; a number, and how it comes about.
  std::string answer() const {
    const AskedQuestion asked = asked_now(view_);
    const Question& question = *asked.question;
    const Instance instance = instance_on_show(asked, session_, view_);
    const ProseWords said = words_of(
        *asked.lesson, &instance, fmt::format("{}#{}", asked.key, question_view(view_, asked).seed), session_, view_);
    const auto told = [&](const Prose& prose) {
      std::vector<std::string> lines;
      tell_prose(lines, prose, said);
      return fmt::format("{}", fmt::join(lines, " "));
    };
    std::string words, reasons;
    for (size_t place = 0; place < instance.order.size(); ++place)
      if (const size_t index = size_t(instance.order[place]); instance.right[index]) {
        const AnswerOption& option = question.options[index];
        words += fmt::format("{}{}: {}", words.empty() ? "" : "; ", char('A' + place), told(option.text));
        if (!option.why.empty()) reasons += " " + told(option.why);
      }
    if (question.options.empty()) words = answer_words(session_, view_, asked);
    if (!question.why.empty()) reasons += " " + told(question.why);
    if (reasons.empty()) return words;
    return fmt::format("{}{}{}", words, words.ends_with('.') ? "" : ".", reasons);
  }

  // What the picture that was made last keeps for a later question, of this stop or another: readings by their names,
  // and both elements of a pair, which a picture writes as one.
  std::vector<std::string> covered() const {
    std::vector<std::string> out;
    const Board* board = slide_on_show(view_) ? nullptr : board_named(view_.board.board);
    if (!board) return out;
    for (const Reading& reading : board->readings({view_.board, session_, view_, *board}))
      if (std::ranges::find(view_.board.covered, reading.id) != view_.board.covered.end() &&
          (reading.label.starts_with(kFirstOf) || reading.label.starts_with(kSecondOf) ||
           seen_now_.find(">" + written(reading.label) + "<") != std::string::npos))
        out.push_back(reading.id);
    return out;
  }

  // Their names and values as the board has them now: in the form in which the wall shows them, where it does.
  std::vector<std::pair<std::string, std::string>> told(const std::vector<std::string>& ids) {
    std::vector<std::pair<std::string, std::string>> out;
    const Board* board = ids.empty() ? nullptr : board_named(view_.board.board);
    if (!board) return out;
    const auto plates = std::exchange(view_.board.covered, {});
    const bool question = std::exchange(view_.present.question, false);
    picture("");
    view_.board.covered = plates;
    view_.present.question = question;
    double first = 0;
    for (const Reading& reading : board->readings({view_.board, session_, view_, *board})) {
      if (std::ranges::find(ids, reading.id) == ids.end()) continue;
      if (reading.label.starts_with(kFirstOf)) first = reading.quantity.value;
      if (reading.label.starts_with(kFirstOf)) continue;
      if (reading.label.starts_with(kSecondOf)) {
        const std::string pair = fmt::format("({:.6f}, {:.6f})", first, reading.quantity.value);
        if (seen_now_.find(pair) != std::string::npos) out.emplace_back(reading.label.substr(kSecondOf.size()), pair);
        continue;
      }
      std::string value = format_quantity(reading.quantity, "").value_or("?");
      for (const char* format : {"", "binary", "percent", "digits:6", "digits:4", "digits:3"})
        if (const auto words = format_quantity(reading.quantity, format);
            words && seen_now_.find(">" + written(*words) + "<") != std::string::npos) {
          value = *words;
          break;
        }
      out.emplace_back(reading.label, value);
    }
    return out;
  }

  // The room's picture without the line of progress, which is the window's.
  std::string picture(const std::string& title) {
    view_.phase = 1;
    view_.playing = false;
    view_.lesson.lift = 1;
    Scene scene = layout_audience(session_, view_, kPicture);
    std::erase_if(scene.items, [](const Item& item) {
      const auto* box = std::get_if<Box>(&item);
      return box && box->rect.h < 10 && box->rect.bottom() > kPicture.y - 1;
    });
    Scene above = scene;  // its foot says where it stands in the talk
    std::erase_if(above.items, [](const Item& item) {
      const auto* label = std::get_if<Label>(&item);
      return label && label->slot.y > kPicture.y * 0.93f;
    });
    seen_now_ = to_svg(above, {});
    return to_svg(scene, {.title = title, .description = {}});
  }

  // At the step that tells most, where the stop begins with nothing, and with that step's words; there it stays.
  std::string stop_picture(const std::string& title, Part& part) {
    const std::string step = view_.board.board.empty() ? tell_of_walk(session_, view_) : tell_of_board(session_, view_);
    std::string out = picture(title);
    if (step.empty()) return out;
    part.after += fine(as_drawn(step));
    part.mm += kFine;
    return out;
  }

  // Where on the page it was shown already; empty where it was not.
  std::string shown_before(const std::string& where) {
    const auto [at, fresh] = shown_.emplace(seen_now_, where);
    return fresh ? std::string() : at->second;
  }

  // On paper it is typed; one that is longer than anybody types is a link on a screen alone.
  static std::string shown_link(const std::string& link) {
    return link.size() <= kMostLetters ? link : "This stop in Tilewalk";
  }
  static std::string link_of(const std::string& link) {
    return fmt::format("<a href=\"{}\">{}</a>", xml_escape(link), xml_escape(shown_link(link)));
  }

  void stop(int place) {
    const SetItem& item = view_.present.set.items[size_t(place)];
    const std::string title = stop_title(item, view_);
    Part part{.before = fmt::format("<h2>{}</h2>\n", written(heading_of(place, title))), .mm = kHeading};
    if (!open_set_item(session_, view_, place)) {
      part.before += fmt::format("<p>{}</p>\n", written(view_.notice));
      return parts_.push_back(std::move(part));
    }
    std::string links = keep_notes(place, title);
    const bool long_link = shown_link(item.link).size() > kNoteLetters - 18;  // a note's link stands beside it
    if (!is_slide(item.link)) links = link_of(item.link) + (links.empty() ? "" : " · ") + links;
    // What a slide says is text on paper.
    if (const std::string* slide = slide_on_show(view_); slide && !view_.present.slide_pixels) {
      std::vector<std::string> lines = slide_of(*slide).lines;
      if (!slide_of(*slide).picture.empty()) lines.push_back(view_.notice);  // why it is not shown
      for (const std::string& line : lines) {
        part.before += fmt::format("<p>{}</p>\n", written(line));
        part.mm += kLine * double(1 + line.size() / kLineLetters) + 2;
      }
      if (!links.empty()) part.after = fine(links), part.mm += kFine;
      return parts_.push_back(std::move(part));
    }
    const int64_t begins = view_.board.board.empty() ? view_.playhead : view_.board.step;
    part.picture = stop_picture(title, part);
    if (const std::string where = shown_before(fmt::format("{}", place + 1)); !where.empty()) {
      part.picture.clear();
      part.after = fine(fmt::format("On the wall stands the picture of {}.", where));
      part.mm += kFine;
    }
    if (!links.empty()) part.after += fine(links), part.mm += kFine + (long_link ? kAnswerLine : 0);
    const int questions = slide_on_show(view_) ? 0 : int(questions_on_show(view_).size());
    const std::vector<std::string> kept = covered();
    const BoardState printed = view_.board;
    auto numbers = told(kept);
    if (printed.board.empty())
      seek(session_.walk(), view_, begins);
    else
      seek_board(session_, view_, int(begins));
    std::string answers, when;  // when: of the numbers, where an answer has led on with the picture that is printed
    const Presentation& p = view_.present;
    const auto next = [&] {
      present_next(session_, view_);
      const BoardState& now = view_.board;
      if (p.place != place || now.board != printed.board || now.knobs != printed.knobs) return;
      if (p.question && !settled(view_, asked_now(view_))) return;
      numbers = told(kept);
      when = now.step == printed.step ? std::string() : fmt::format(", at its step {}", now.step);
    };
    std::vector<Part> asking;
    for (int asked = 0, press = 0; asked < questions && press < kMostPresses; ++press) {
      next();
      if (p.place != place) break;
      if (!p.question || settled(view_, asked_now(view_))) continue;
      ++asked;
      const std::string which = questions > 1 ? fmt::format("{}.{}", place + 1, asked) : fmt::format("{}", place + 1);
      asking.push_back({.before = fmt::format("<h2>Question {}</h2>\n", which),
                        .picture = picture("Question " + which),
                        .after = {},
                        .mm = kHeading});
      answers += fmt::format("<li>Question {}: {}</li>\n", which, written(answer()));
    }
    const Beat* beat = is_slide(item.link) ? nullptr : beat_on_show(view_);
    // After the last answer, on the stage again.
    for (int press = 0; !asking.empty() && p.question && p.place == place && press < kMostPresses; ++press) next();
    std::vector<std::string> unanswered;
    for (const auto& [label, value] : numbers)
      if (value.size() < kTellingLetters || answers.find(written(value)) == std::string::npos)
        unanswered.push_back(fmt::format("{}: {}", label, value));
    if (!unanswered.empty())
      answers_ += fmt::format("<li>Picture {}{}: {}</li>\n", place + 1, when,
                              written(fmt::format("{}", fmt::join(unanswered, "; "))));
    answers_ += answers;
    parts_.push_back(std::move(part));
    std::ranges::move(asking, std::back_inserter(parts_));
    for (size_t fault = 0; beat && fault < beat->breaks.size(); ++fault) broken(place, title, fault);
  }

  // What the stop's beat breaks on purpose, as it is then.
  void broken(int place, const std::string& title, size_t fault) {
    open_set_item(session_, view_, place);
    for (size_t k = 0; k <= fault; ++k) break_next(session_, view_);
    const std::string says = broken_words(view_);
    if (says.empty()) return;
    if (view_.playing && view_.play_to >= 0) seek(session_.walk(), view_, view_.play_to);
    Part part{.before = fmt::format("<h2>{}. Broken on purpose: {}</h2>\n", place + 1, written(says)), .mm = kHeading};
    part.picture = stop_picture(title, part);
    parts_.push_back(std::move(part));
  }

  Session session_;
  ViewState view_;
  bool notes_;
  std::vector<Part> parts_;
  std::map<std::string, std::string> shown_;  // pictures, and the stop that each stands at
  std::string seen_now_;                      // the picture that was made last, without its foot
  std::string answers_, said_;
  double notes_high_ = 0;  // of what is said, in mm
};

}  // namespace

std::string talk_page(std::shared_ptr<const Course> course, const SetList& set, bool notes) {
  return Handout(std::move(course), set, notes).html();
}

}  // namespace tilewalk
