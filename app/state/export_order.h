// What is to be taken away, as plain data: which picture, in which format, how large, in which colours. The dialog and
// the command line fill it in; app/export carries it out.
#pragma once

#include "app/scene/palette.h"
#include "core/playback/units.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewalk {

enum class ExportWhat : uint8_t { Stage, Charts, Window, Steps, Lesson };  // Charts: the GPU's
enum class ExportFormat : uint8_t { Svg, Png, Gif, Csv, Html };

struct PictureSize {
  int width = 1920, height = 1080;
  bool operator==(const PictureSize&) const = default;
};
constexpr PictureSize kLeastPicture{960, 540}, kMostPicture{16384, 16384}, kUsualGif{1280, 720};

// Steps taken, from..to, both with a picture of their own; `to` past the end is the end.
struct StepRange {
  int64_t from = 0, to = INT64_MAX;
  bool operator==(const StepRange&) const = default;
};

struct ExportOrder {
  ExportWhat what = ExportWhat::Stage;
  ExportFormat format = ExportFormat::Svg;
  PictureSize size;
  Theme theme = Theme::Light;
  bool footer = false;     // link, seed, device
  StepRange steps;         // of Steps
  Unit unit = Unit::Part;  // one picture for each
  bool operator==(const ExportOrder&) const = default;
};

std::string_view extension_of(ExportFormat format);                           // "svg"
std::optional<ExportFormat> format_of_extension(std::string_view extension);  // ".svg", in any case
std::span<const ExportFormat> formats_of(ExportWhat what);                    // the first is the usual one

// "1920x1080", also with ×; "3..20", "3-20", "7", "all" or "". Nothing where it is none, or too small or too large.
std::optional<PictureSize> read_picture_size(std::string_view text);
std::optional<StepRange> read_steps(std::string_view text);

}  // namespace tilewalk
