#include "app/export/cost.h"

#include "app/export/job.h"
#include "core/io/file.h"
#include "core/io/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include <sys/resource.h>

namespace tilewalk {
namespace {

// A picture of pixels is held whole. To write it in bands, the shapes could be painted band by band, but the encoder
// (stb_image_write) takes a whole picture and hands back a whole file, and one that goes on would be a deflate stream
// of our own. A still larger picture is what .svg is for; so what a picture takes is told, and refused where it is not
// there.
//
// Of each pixel, as the process grew: PNG 8.1 from 2,048 x 2,048 to 8,192 x 8,192, GIF 12.1 to 4,096 x 4,096.
constexpr int64_t kPngBytes = 8, kGifBytes = 12;
constexpr int64_t kBeside = 64'000'000;     // program, fonts and scene
constexpr double kSampleShare = 1.0 / 256;  // of the pixels
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

// The system's own small files, whose size is not known before they are read.
std::string system_text(const char* path) {
  std::string out;
  if (std::FILE* file = std::fopen(path, "re")) {
    char bytes[4096];
    const size_t got = std::fread(bytes, 1, sizeof bytes, file);
    out.assign(bytes, got);
    std::fclose(file);
  }
  return out;
}

std::optional<int64_t> number_behind(std::string_view text, std::string_view word) {
  const size_t at = text.find(word);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t", at + word.size())));
  return take_number<int64_t>(text);
}

int64_t group_memory() {
  const std::string groups = system_text("/proc/self/cgroup");
  const size_t at = groups.find("0::");
  if (at == std::string::npos) return kMost;
  const std::string folder = "/sys/fs/cgroup" + groups.substr(at + 3, groups.find('\n', at) - at - 3);
  const auto most = number_behind(system_text((folder + "/memory.max").c_str()), "");
  const auto now = number_behind(system_text((folder + "/memory.current").c_str()), "");
  return most && now ? std::max<int64_t>(0, *most - *now) : kMost;
}

}  // namespace

int64_t pixels_of(const ExportOrder& order) { return int64_t(order.size.width) * order.size.height; }

int64_t picture_memory(const ExportOrder& order) {
  if (order.format != ExportFormat::Png && order.format != ExportFormat::Gif) return 0;
  return pixels_of(order) * (order.format == ExportFormat::Png ? kPngBytes : kGifBytes) + kBeside;
}

int64_t free_memory() {
  int64_t free = kMost;
  if (const auto kilo = number_behind(system_text("/proc/meminfo"), "MemAvailable:")) free = *kilo * 1024;
  free = std::min(free, group_memory());
  rlimit space{};
  if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    const auto pages = number_behind(system_text("/proc/self/statm"), "");
    free = std::min(free, std::max<int64_t>(0, int64_t(space.rlim_cur) - pages.value_or(0) * 4096));
  }
  return free;
}

std::string too_much_memory(const ExportOrder& order, int64_t free) {
  const int64_t needed = picture_memory(order);
  if (needed <= free) return {};
  return fmt::format("A picture of {}x{} takes about {} of memory, and {} are free; take a smaller size, or .svg.",
                     order.size.width, order.size.height, size_words(needed), size_words(free));
}

ExportOrder small_sample(const ExportOrder& order, double& by) {
  ExportOrder out = order;
  const double side = std::sqrt(kSampleShare);
  out.size = {std::max(kLeastPicture.width, int(order.size.width * side)),
              std::max(kLeastPicture.height, int(order.size.height * side))};
  by = double(pixels_of(order)) / double(pixels_of(out));
  return out;
}

}  // namespace tilewalk
