#include "app/state/export_order.h"

#include "core/io/letters.h"
#include "core/io/number.h"
#include "core/io/trimmed.h"

#include <array>
#include <utility>

namespace tilewalk {
namespace {

constexpr std::pair<ExportFormat, std::string_view> kExtensions[] = {{ExportFormat::Svg, "svg"},
                                                                     {ExportFormat::Png, "png"},
                                                                     {ExportFormat::Gif, "gif"},
                                                                     {ExportFormat::Csv, "csv"},
                                                                     {ExportFormat::Html, "html"}};

std::optional<int64_t> whole(std::string_view text) {
  const auto value = number_of<int64_t>(trimmed(text));
  return value && *value >= 0 ? value : std::nullopt;
}

// Two whole numbers with one of these between them.
std::optional<std::pair<int64_t, int64_t>> two(std::string_view text, std::span<const std::string_view> between) {
  for (const std::string_view mark : between) {
    const size_t at = text.find(mark);
    if (at == std::string_view::npos) continue;
    const auto a = whole(text.substr(0, at)), b = whole(text.substr(at + mark.size()));
    if (a && b) return std::pair{*a, *b};
  }
  return std::nullopt;
}

}  // namespace

std::string_view extension_of(ExportFormat format) {
  for (const auto& [each, extension] : kExtensions)
    if (each == format) return extension;
  return "";
}

std::optional<ExportFormat> format_of_extension(std::string_view extension) {
  if (!extension.starts_with('.')) return std::nullopt;
  const std::string lower = lowered(extension.substr(1));
  if (lower == "htm") return ExportFormat::Html;
  for (const auto& [format, each] : kExtensions)
    if (each == lower) return format;
  return std::nullopt;
}

std::span<const ExportFormat> formats_of(ExportWhat what) {
  using F = ExportFormat;
  static constexpr std::array<F, 3> kStage{F::Svg, F::Png, F::Csv}, kSteps{F::Gif, F::Png, F::Svg};
  static constexpr std::array<F, 2> kWindow{F::Png, F::Svg};
  static constexpr std::array<F, 1> kLesson{F::Html};
  switch (what) {
    case ExportWhat::Stage:
    case ExportWhat::Charts: return kStage;
    case ExportWhat::Window: return kWindow;
    case ExportWhat::Steps: return kSteps;
    case ExportWhat::Lesson: return kLesson;
  }
  return kStage;
}

std::optional<PictureSize> read_picture_size(std::string_view text) {
  constexpr std::array<std::string_view, 3> kBetween{"x", "×", "X"};
  const auto sides = two(text, kBetween);
  if (!sides || sides->first < kLeastPicture.width || sides->second < kLeastPicture.height ||
      sides->first > kMostPicture.width || sides->second > kMostPicture.height)
    return std::nullopt;
  return PictureSize{int(sides->first), int(sides->second)};
}

std::optional<StepRange> read_steps(std::string_view text) {
  constexpr std::array<std::string_view, 3> kBetween{"..", "-", "–"};
  text = trimmed(text);
  if (text.empty() || text == "all") return StepRange{};
  if (const auto one = whole(text)) return StepRange{*one, *one};
  const auto ends = two(text, kBetween);
  if (!ends || ends->first > ends->second) return std::nullopt;
  return StepRange{ends->first, ends->second};
}

}  // namespace tilewalk
