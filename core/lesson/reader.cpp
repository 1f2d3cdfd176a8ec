// Cuts a lesson's file into front matter, beats and blocks, line by line, so that every part knows its line.
#include "core/lesson/reader.h"

#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/io/trimmed.h"
#include "core/lesson/blocks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace tilewalk {
namespace {

constexpr std::string_view kBeatKinds[] = {"hook", "explore", "predict", "reveal", "break", "check", "compute"};
static_assert(std::size(kBeatKinds) == kBeatKindCount);

// What a lesson may hold, so that whoever goes through it is soon done: some ten times what any has.
constexpr size_t kMostBeats = 100, kMostQuestions = 20, kMostTextOfBeat = 32768;

// What begins a part of a beat's text that is not read along: folded at its end, or on the Explain tab.
constexpr std::string_view kKernelHeading = "### For kernel people", kExplainHeading = "### Explain";

bool blank(std::string_view text) { return trimmed(text).empty(); }

// The file's lines, without their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    out.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// 0, or the line of the first byte that is not UTF-8.
int line_of_bad_utf8(std::string_view text) {
  int line = 1;
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) return line;
    if (text[0] == '\n') ++line;
    text.remove_prefix(length);
  }
  return 0;
}

// A code fence that opens or closes: its sign, how often, and what follows it.
struct Fence {
  char sign = 0;
  size_t length = 0;
  std::string_view info;
};
std::optional<Fence> fence_of(std::string_view line) {
  const size_t indent = line.find_first_not_of(' ');
  if (indent == std::string_view::npos || indent > 3 || (line[indent] != '`' && line[indent] != '~')) return {};
  const size_t end = std::min(line.find_first_not_of(line[indent], indent), line.size());
  Fence fence{line[indent], end - indent, trimmed(line.substr(end))};
  if (fence.length < 3 || (fence.sign == '`' && fence.info.find('`') != std::string_view::npos)) return {};
  return fence;
}

bool separates(std::string_view line) { return line.starts_with("---") && trimmed(line) == "---"; }

class BodyReader {
 public:
  // lines[0] is line `first` of the file.
  BodyReader(std::vector<std::string_view> lines, int first, Lesson& lesson, FaultList& faults)
      : lines_(std::move(lines)), first_(first), lesson_(lesson), faults_(faults) {}

  void read() {
    size_t begin = 0;
    for (size_t at = 0; at < lines_.size();) {
      if (separates(lines_[at])) {
        read_beat(begin, at);
        begin = ++at;
      } else if (const auto fence = fence_of(lines_[at])) {
        at = end_of_fence(at, *fence) + 1;
      } else {
        // A line of --- in a comment is a part of it.
        const bool opens = lines_[at].rfind("<!--") != std::string_view::npos &&
                           lines_[at].find("-->", lines_[at].rfind("<!--")) == std::string_view::npos;
        if (opens)
          while (++at < lines_.size() && lines_[at].find("-->") == std::string_view::npos) {
          }
        ++at;
      }
    }
    read_beat(std::min(begin, lines_.size()), lines_.size());
    if (lesson_.beats.size() > kMostBeats)
      faults_.add(lesson_.beats[kMostBeats].line,
                  fmt::format("the lesson has {} beats; it may have up to {}.", lesson_.beats.size(), kMostBeats));
  }

 private:
  int line(size_t at) const { return first_ + int(at); }

  // The line that closes it, or the last one of the file.
  size_t end_of_fence(size_t at, const Fence& open) const {
    for (size_t end = at + 1; end < lines_.size(); ++end) {
      const auto close = fence_of(lines_[end]);
      if (close && close->sign == open.sign && close->length >= open.length && close->info.empty()) return end;
    }
    return lines_.size();
  }

  void read_beat(size_t begin, size_t end) {
    while (begin < end && blank(lines_[begin])) ++begin;
    if (begin == end) return faults_.add(line(begin), "a beat is empty; begin it with \"## kind: Title\".");
    Beat beat;
    beat.line = line(begin);
    read_heading(lines_[begin], beat);
    struct Part {
      Prose* prose;
      int line = 0;  // of its first
      std::string text = {};
    };
    Part parts[] = {{&beat.text, line(begin + 1)}, {&beat.kernel}, {&beat.explain}};
    Part* part = parts;
    bool has_scene = false;
    for (size_t at = begin + 1; at < end; ++at) {
      std::string& text = part->text;
      const std::string_view heading = trimmed(lines_[at]);
      if (heading == kKernelHeading || heading == kExplainHeading) {
        part = &parts[heading == kKernelHeading ? 1 : 2];
        if (part->line)
          faults_.add(line(at), fmt::format("a beat has {} once; this is the second.", in_quotes(heading, 40)));
        part->line = line(at + 1);
        continue;
      }
      if (const auto fence = fence_of(lines_[at])) {
        const size_t close = end_of_fence(at, *fence);
        if (close >= end) faults_.add(line(at), "this block is not closed.");
        std::string block;
        for (size_t k = at + 1; k < std::min(close, end); ++k) block.append(lines_[k]).append("\n");
        const bool ours = fence->info == "scene" || fence->info == "ask" || fence->info == "predict";
        if (ours) {
          if (fence->info == "scene") {
            if (has_scene) faults_.add(line(at), "a beat has one scene; this is its second.");
            has_scene = true;
            read_scene(block, line(at + 1), beat, faults_);
          } else {
            Question question = read_question(block, line(at + 1), fence->info == "predict", faults_);
            (question.drill ? beat.drills : beat.questions).push_back(std::move(question));
          }
          text.append(std::min(close, end) - at + 1, '\n');
        } else {
          text.append(lines_[at]).append("\n").append(block);
          if (close < end) text.append(lines_[close]).append("\n");
        }
        at = close;
      } else {
        at = take_line(at, end, text, beat);
      }
    }
    if (const size_t asked = beat.questions.size() + beat.drills.size(); asked > kMostQuestions)
      faults_.add(beat.line, fmt::format("this beat asks {} questions; it may ask up to {}.", asked, kMostQuestions));
    for (const Part& each : parts) {
      if (each.text.size() > kMostTextOfBeat)
        faults_.add(beat.line, fmt::format("this beat's text has {}; it may have up to {}.",
                                           byte_count(each.text.size()), kMostTextOfBeat));
      *each.prose = read_prose(each.text, each.line);
      if (each.line && each.prose != &beat.text && each.prose->empty())
        faults_.add(each.line - 1, "nothing stands under this heading.");
    }
    lesson_.beats.push_back(std::move(beat));
  }

  void read_heading(std::string_view heading, Beat& beat) {
    const size_t colon = heading.find(':');
    const std::string_view kind =
        heading.starts_with("## ") ? trimmed(heading.substr(3, std::max<size_t>(colon, 3) - 3)) : std::string_view();
    const auto found = std::ranges::find(kBeatKinds, kind);
    if (colon == std::string_view::npos || found == std::end(kBeatKinds) || blank(heading.substr(colon + 1))) {
      faults_.add(beat.line, fmt::format("a beat begins with \"## kind: Title\", where kind is one of {}; here is {}.",
                                         fmt::join(kBeatKinds, ", "), in_quotes(heading, 60)));
      return;
    }
    beat.kind = BeatKind(found - std::begin(kBeatKinds));
    beat.title = trimmed(heading.substr(colon + 1));
  }

  // One line of text, without comments; a comment that goes on takes its lines too. Returns the last line taken.
  size_t take_line(size_t at, size_t end, std::string& text, Beat& beat) {
    std::string_view rest = lines_[at];
    for (;;) {
      const size_t open = rest.find("<!--");
      text.append(rest.substr(0, open));
      if (open == std::string_view::npos) break;
      const size_t first = at;
      std::string comment;
      rest.remove_prefix(open + 4);
      size_t close;
      while ((close = rest.find("-->")) == std::string_view::npos) {
        comment.append(rest).append("\n");
        text.append("\n");
        if (++at >= end) return faults_.add(line(first), "this comment is not closed; it ends with -->."), end;
        rest = lines_[at];
      }
      comment.append(rest.substr(0, close));
      rest.remove_prefix(close + 3);
      if (const std::string_view said = trimmed(comment); said.starts_with("note:"))
        beat.note.append(beat.note.empty() ? "" : "\n").append(trimmed(said.substr(5)));
    }
    text.append("\n");
    return at;
  }

  std::vector<std::string_view> lines_;
  int first_;
  Lesson& lesson_;
  FaultList& faults_;
};

void check_questions(const Lesson& lesson, FaultList& faults) {
  std::map<std::string_view, int> lines;
  for (const Beat& beat : lesson.beats)
    for (const Question* question : all_questions_of(beat))
      if (const auto [other, fresh] = lines.emplace(question->id, question->line); !fresh && !question->id.empty())
        faults.add(question->line, fmt::format("the question on line {} has the id {} too; give each its own.",
                                               other->second, in_quotes(question->id, 40)));
}

void read_parts(std::string_view text, Lesson& lesson, FaultList& faults) {
  if (int64_t(text.size()) > kMostLessonBytes)
    return faults.add(
        0, fmt::format("the file has {}; a lesson has at most {}.", byte_count(text.size()), kMostLessonBytes));
  if (const int line = line_of_bad_utf8(text))
    return faults.add(line, "here is a byte that is not UTF-8; save the file as UTF-8.");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);

  std::vector<std::string_view> lines = lines_of(text);
  const auto is_fence = [](std::string_view line) { return trimmed(line) == "+++" && line.starts_with("+++"); };
  if (lines.empty() || !is_fence(lines[0]))
    return faults.add(1, "the file begins with a line +++, the front matter in TOML, and another line +++.");
  const auto close = std::find_if(lines.begin() + 1, lines.end(), is_fence);
  if (close == lines.end()) return faults.add(1, "the front matter is not closed by a second line +++.");
  std::string front;
  for (auto line = lines.begin() + 1; line != close; ++line) front.append(*line).append("\n");
  read_front_matter(front, 2, lesson, faults);

  const int first = int(close - lines.begin()) + 2;
  lines.erase(lines.begin(), close + 1);
  if (std::ranges::all_of(lines, blank))
    return faults.add(first - 1, "the lesson has no beats; each begins with \"## kind: Title\".");
  BodyReader(std::move(lines), first, lesson, faults).read();
  check_questions(lesson, faults);
}

}  // namespace

std::vector<const Question*> all_questions_of(const Beat& beat) {
  std::vector<const Question*> out;
  for (const std::vector<Question>* questions : {&beat.questions, &beat.drills})
    for (const Question& question : *questions) out.push_back(&question);
  return out;
}

std::string_view name_of(BeatKind kind) { return kBeatKinds[size_t(kind)]; }

LessonFile read_lesson(std::string_view text, std::string file) {
  LessonFile out;
  FaultList faults(file, out.faults);
  Lesson lesson;
  lesson.file = std::move(file);
  read_parts(text, lesson, faults);
  std::ranges::stable_sort(out.faults, {}, &LessonFault::line);
  if (out.faults.empty()) out.lesson = std::move(lesson);
  return out;
}

LessonFile read_lesson_file(const std::filesystem::path& path) {
  const std::string name = printable_path(path);
  try {
    return read_lesson(read_file(path, uint64_t(kMostLessonBytes)), name);
  } catch (const IoError& error) {
    std::string message = error.what();
    if (message.starts_with(name)) message.replace(0, name.size(), "the file");
    return {.lesson = {}, .faults = {{name, 0, std::move(message)}}};
  }
}

}  // namespace tilewalk
