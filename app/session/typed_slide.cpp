#include "app/session/typed_slide.h"

#include "app/session/set_list.h"
#include "core/io/printable.h"

#include <fmt/format.h>

#include <system_error>

namespace tilewalk {
namespace {

// Why the slide's picture is not to be had beside the list; empty where something lies there.
std::string not_there(const Slide& slide, const std::filesystem::path& list) {
  namespace fs = std::filesystem;
  const PdfPlace pdf = pdf_place(slide.picture);
  const std::string name(pdf.page > 0 ? pdf.file : std::string_view(slide.picture));
  std::error_code error;
  const fs::path file = fs::absolute(list, error).parent_path() / name;
  if (fs::exists(file, error)) return {};
  return fmt::format("{} is not there; it was looked for in {}.", printable_path(file.filename()),
                     printable_path(file.parent_path()));
}

}  // namespace

TypedSlide typed_slide(std::string_view now, std::string_view words, const std::filesystem::path& list) {
  const Slide before = slide_of(now);
  Slide slide = slide_of(fmt::format("slide: {}", words));
  if (slide.picture.empty() && words.find('|') == std::string_view::npos) slide.lines = before.lines;
  if (slide.picture.empty()) slide.picture = before.picture;
  const TypedSlide typed{line_of(slide), {}};
  const auto refused = [&](std::string_view why) { return TypedSlide{typed.line, fmt::format("Not kept: {}", why)}; };
  if (slide.title.empty() && slide.picture.empty())
    return refused("a slide has a title, or a picture beside the list.");
  if (const std::string fault = slide_fault(typed.line); !fault.empty()) return refused(fault);
  if (slide.picture == before.picture) return typed;
  const std::string fault = not_there(slide, list);
  return fault.empty() ? typed : refused(fault);
}

}  // namespace tilewalk
