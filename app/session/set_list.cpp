#include "app/session/set_list.h"

#include "app/session/link.h"
#include "core/io/file.h"
#include "core/io/number.h"
#include "core/io/printable.h"
#include "core/io/trimmed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace tilewalk {
namespace {

constexpr uint64_t kMostSetBytes = 1 << 20;
constexpr std::string_view kSlide = "slide:", kLength = "length:", kTitle = "title:";
constexpr int kMostMinutes = 600;
constexpr size_t kShown = 40;  // of a line that is no link

// A note begins at a # behind a blank: a # within a link belongs to it.
size_t note_at(std::string_view line) {
  for (size_t k = 0; k < line.size(); ++k)
    if (line[k] == '#' && (k == 0 || std::isspace(static_cast<unsigned char>(line[k - 1])))) return k;
  return std::string_view::npos;
}

// What stands before the note: words of the speaker's own, or a link and the title that it may have.
struct StopLine {
  std::string_view link, title;
};
StopLine written_in(std::string_view line) {
  const std::string_view all = trimmed(line.substr(0, note_at(line)));
  const bool words = is_slide(all) || all.starts_with(kTitle);
  const size_t blank = words ? std::string_view::npos : all.find_first_of(" \t");
  if (blank == std::string_view::npos) return {all, {}};
  const std::string_view title = trimmed(all.substr(blank));
  if (title.size() < 2 || title.front() != '"' || title.back() != '"') return {all, {}};
  return {all.substr(0, blank), trimmed(title.substr(1, title.size() - 2))};
}

// "40 min"; nothing where it is not written so.
std::optional<double> minutes_in(std::string_view words) {
  constexpr std::string_view kMin = "min";
  words = trimmed(words);
  if (!words.ends_with(kMin)) return std::nullopt;
  words.remove_suffix(kMin.size());
  const auto minutes = number_of<int>(trimmed(words));
  return minutes && *minutes >= 1 && *minutes <= kMostMinutes ? std::optional<double>(*minutes) : std::nullopt;
}

}  // namespace

std::string_view time_in(std::string_view note) {
  const size_t end = note.find(']');
  const bool timed = note.starts_with('[') && end != std::string_view::npos && minutes_in(note.substr(1, end - 1));
  return timed ? note.substr(0, end + 1) : std::string_view{};
}

std::string_view words_of_note(std::string_view note) { return trimmed(note.substr(time_in(note).size())); }

std::string with_time_of(std::string_view note, std::string words) {
  const std::string_view time = time_in(note);
  if (time.empty() || !time_in(words).empty()) return words;
  return std::string(time) + (words.empty() ? "" : " ") + words;
}

SetList read_set_list(std::string_view text, const std::filesystem::path& file) {
  SetList list;
  list.file = file;
  list.text = text;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const size_t hash = note_at(line);
    const auto [link, title] = written_in(line);
    if (link.empty()) continue;
    const auto fault_here = [&](std::string message) { list.faults.push_back({std::move(message), number}); };
    if (link.starts_with(kLength)) {
      const auto length = minutes_in(link.substr(kLength.size()));
      if (length)
        list.length = *length * 60;
      else
        fault_here(fmt::format("a talk's length is written as \"length: 40 min\", 1 to {} minutes.", kMostMinutes));
      continue;
    }
    if (link.starts_with(kTitle)) {
      const std::string name = printable(trimmed(link.substr(kTitle.size())));
      if (name.empty())
        fault_here("a talk's title is written as \"title: Attention, tile by tile\".");
      else if (!list.title.empty())
        fault_here("the talk has a title already: take one out.");
      else
        list.title = name;
      continue;
    }
    const bool slide = is_slide(link);
    if (const std::string fault = slide ? slide_fault(link) : std::string(); !fault.empty()) {
      fault_here(fault);
      continue;
    }
    if (!slide && !is_link(link)) {
      fault_here(fmt::format("\"{}\" is no link; one begins with tilewalk://, a slide with slide:.",
                             printable(link.substr(0, kShown))));
      continue;
    }
    if (slide) {
      // Taken as it is.
    } else if (const ReadLink read = read_link(link); !read.fault.empty()) {
      fault_here(read.fault);
      continue;
    }
    const std::string_view note = hash == std::string_view::npos ? std::string_view{} : trimmed(line.substr(hash + 1));
    const std::string_view time = time_in(note);
    const double seconds = time.empty() ? 0 : 60 * minutes_in(time.substr(1, time.size() - 2)).value_or(0);
    list.items.push_back({std::string(link), std::string(note), number, printable(title), seconds});
  }
  double own = 0;
  for (const SetItem& item : list.items) own += item.seconds;
  if (list.length > 0 && own > list.length)
    list.faults.push_back(
        {fmt::format("the stops' own minutes come to {:.0f}, and the talk is {:.0f} long: change one.", own / 60,
                     list.length / 60)});
  return list;
}

SetList open_set_list(const std::filesystem::path& file) {
  try {
    return read_set_list(read_file(file, kMostSetBytes), file);
  } catch (const IoError& error) {
    SetList list;
    list.file = file;
    list.faults.push_back({error.what(), std::nullopt});
    return list;
  }
}

std::vector<std::string> faults_of(const SetList& list) {
  std::vector<std::string> out;
  const std::string name = list.file.filename().string();
  for (const SetFault& fault : list.faults)
    out.push_back(!fault.line       ? fault.message
                  : *fault.line > 0 ? fmt::format("{} line {}: {}", name, *fault.line, fault.message)
                                    : fmt::format("{}: {}", name, fault.message));
  return out;
}

std::string fault_words(const SetList& list) { return fmt::format("{}", fmt::join(faults_of(list), " ")); }

bool is_slide(std::string_view stop) { return stop.starts_with(kSlide); }

Slide slide_of(std::string_view stop) {
  Slide slide;
  if (!is_slide(stop)) return slide;
  stop.remove_prefix(kSlide.size());
  for (bool first = true, more = true; more; first = false) {
    const size_t bar = stop.find('|');
    more = bar != std::string_view::npos;
    std::string words = printable(trimmed(stop.substr(0, bar)));
    if (slide.picture.empty() && names_picture(words))
      slide.picture = std::move(words);
    else if (first)
      slide.title = std::move(words);
    else if (!words.empty())
      slide.lines.push_back(std::move(words));
    stop.remove_prefix(more ? bar + 1 : stop.size());
  }
  return slide;
}

std::string Slide::name() const {
  if (!title.empty()) return title;
  const PdfPlace pdf = pdf_place(picture);
  if (pdf.page <= 0) return std::filesystem::path(picture).stem().string();
  return fmt::format("{}, page {}", std::filesystem::path(pdf.file).filename().string(), pdf.page);
}

std::string line_of(const Slide& slide) {
  std::string line(kSlide);
  bool first = true;
  const auto add = [&](const std::string& words) {
    if (!words.empty()) line += (std::exchange(first, false) ? " " : " | ") + words;
  };
  add(slide.title);
  add(slide.picture);
  for (const std::string& words : slide.lines) add(words);
  return line;
}

std::string slide_fault(std::string_view stop) {
  const Slide slide = slide_of(stop);
  const std::filesystem::path picture = slide.picture;
  if (slide.title.empty() && slide.picture.empty())
    return "the slide has no title and no picture: write it behind \"slide:\".";
  if (slide.picture.empty()) return {};
  if (!slide.lines.empty())
    return fmt::format(
        "beside the picture {} a slide has a title and nothing more: give the lines a slide of their own.",
        in_quotes(slide.picture, kShown));
  if (picture.is_absolute() || std::ranges::find(picture, "..") != picture.end())
    return fmt::format("the picture {} does not lie beside the set list: put it there, or in a folder there.",
                       in_quotes(slide.picture, kShown));
  if (pdf_place(slide.picture).page < 0)
    return fmt::format("{} names no page of a PDF: behind # stands a number from 1 on.",
                       in_quotes(slide.picture, kShown));
  return {};
}

bool names_picture(std::string_view words) {
  if (pdf_place(words).page) return true;
  const size_t dot = words.rfind('.');
  std::string ending(dot == std::string_view::npos ? std::string_view{} : words.substr(dot));
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  return dot > 0 && (ending == ".png" || ending == ".jpg" || ending == ".jpeg");
}

PdfPlace pdf_place(std::string_view name) {
  constexpr std::string_view kEnding = ".pdf";
  constexpr int kMostPages = 9999;
  const auto is_pdf = [&](std::string_view file) {
    return file.size() > kEnding.size() &&
           std::ranges::equal(file.substr(file.size() - kEnding.size()), kEnding,
                              [](unsigned char a, char b) { return std::tolower(a) == b; });
  };
  if (is_pdf(name)) return {name, 1};
  const size_t mark = name.rfind('#');
  if (mark == std::string_view::npos || !is_pdf(name.substr(0, mark))) return {};
  const std::optional<int> page = number_of<int>(name.substr(mark + 1));
  return {name.substr(0, mark), page && *page >= 1 && *page <= kMostPages ? *page : -1};
}

bool is_set_list(const std::filesystem::path& file) {
  return file.extension() == ".set" || file.extension() == ".tilewalk";
}

std::string line_of(const SetItem& item) {
  std::string line = item.link;
  if (!item.title.empty()) line += fmt::format(" \"{}\"", item.title);
  if (!item.note.empty()) line += fmt::format("  # {}", item.note);
  return line;
}

std::optional<std::string> with_line(std::string_view text, const SetItem& item, std::string_view changed) {
  size_t begin = 0;
  for (int line = 1; line < item.line; ++line) {
    begin = text.find('\n', begin);
    if (begin == std::string_view::npos) return std::nullopt;
    ++begin;
  }
  const size_t end = std::min(text.size(), text.find('\n', begin));
  if (written_in(text.substr(begin, end - begin)).link != item.link) return std::nullopt;
  return std::string(text.substr(0, begin)).append(changed).append(text.substr(end));
}

std::optional<std::string> with_note(std::string_view text, const SetItem& item, std::string_view note) {
  SetItem changed = item;
  changed.note = note;
  return with_line(text, item, line_of(changed));
}

std::string with_item(std::string_view text, std::string_view link, std::string_view note) {
  std::string out(text);
  if (!out.empty() && out.back() != '\n') out += '\n';
  out += link;
  if (!note.empty()) out += fmt::format("  # {}", note);
  return out + "\n";
}

}  // namespace tilewalk
