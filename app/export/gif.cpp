#include "app/export/gif.h"

#include "app/export/color_table.h"

#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

namespace tilewalk {
namespace {

constexpr size_t kColors = 256;

uint32_t color_at(const Pixels& picture, int x, int y) {
  const uint8_t* p = picture.rgba.data() + (size_t(y) * size_t(picture.width) + size_t(x)) * 4;
  return uint32_t(p[0]) << 16 | uint32_t(p[1]) << 8 | p[2];
}

struct Changed {
  int left, top, right, bottom;  // the last two beyond it
};

// The rectangle in which two pictures differ; one pixel where they are the same.
Changed changed(const Pixels& before, const Pixels& now) {
  Changed out{now.width, now.height, 0, 0};
  const size_t row = size_t(now.width) * 4;
  for (int y = 0; y < now.height; ++y) {
    if (std::memcmp(before.rgba.data() + size_t(y) * row, now.rgba.data() + size_t(y) * row, row) == 0) continue;
    out.top = std::min(out.top, y), out.bottom = y + 1;
    int x = 0, end = now.width;
    while (color_at(before, x, y) == color_at(now, x, y)) ++x;
    while (color_at(before, end - 1, y) == color_at(now, end - 1, y)) --end;
    out.left = std::min(out.left, x), out.right = std::max(out.right, end);
  }
  return out.right > out.left ? out : Changed{0, 0, 1, 1};
}

}  // namespace

struct GifWriter::State {
  int width, height;
  GifFileType* gif = nullptr;
  std::string bytes;
  Pixels before;  // empty until the first frame
  bool failed = false;

  static int append(GifFileType* gif, const GifByteType* data, int count) {
    static_cast<State*>(gif->UserData)->bytes.append(reinterpret_cast<const char*>(data), size_t(count));
    return count;
  }

  bool begin() {
    int error = 0;
    gif = EGifOpen(this, append, &error);
    if (!gif) return false;
    EGifSetGifVersion(gif, true);
    const std::array<GifByteType, 3> for_ever{1, 0, 0};
    return EGifPutScreenDesc(gif, width, height, 8, 0, nullptr) == GIF_OK &&
           EGifPutExtensionLeader(gif, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
           EGifPutExtensionBlock(gif, 11, "NETSCAPE2.0") == GIF_OK &&
           EGifPutExtensionBlock(gif, int(for_ever.size()), for_ever.data()) == GIF_OK &&
           EGifPutExtensionTrailer(gif) == GIF_OK;
  }

  bool put(const Pixels& frame, int hundredths) {
    const bool first = before.rgba.empty();
    const Changed area = first ? Changed{0, 0, width, height} : changed(before, frame);
    const auto stays = [&](int x, int y) { return !first && color_at(before, x, y) == color_at(frame, x, y); };
    ColorCounts counts;
    for (int y = area.top; y < area.bottom; ++y)
      for (int x = area.left; x < area.right; ++x)
        if (!stays(x, y)) ++counts[color_at(frame, x, y)];
    // The place behind the colours is what stays.
    const ColorTable table = make_color_table(counts, kColors - 1);
    const auto through = GifByteType(table.colors.size());

    int size = 2;
    while (size < int(table.colors.size()) + 1) size *= 2;
    ColorMapObject* map = GifMakeMapObject(size, nullptr);
    if (!map) return false;
    for (size_t c = 0; c < table.colors.size(); ++c)
      map->Colors[c] = {GifByteType(table.colors[c] >> 16), GifByteType(table.colors[c] >> 8),
                        GifByteType(table.colors[c])};

    GraphicsControlBlock control{};
    control.DisposalMode = DISPOSE_DO_NOT;
    control.DelayTime = hundredths;
    control.TransparentColor = first ? NO_TRANSPARENT_COLOR : through;
    std::array<GifByteType, 4> extension{};
    EGifGCBToExtension(&control, extension.data());
    bool good = EGifPutExtension(gif, GRAPHICS_EXT_FUNC_CODE, int(extension.size()), extension.data()) == GIF_OK &&
                EGifPutImageDesc(gif, area.left, area.top, area.right - area.left, area.bottom - area.top, false,
                                 map) == GIF_OK;
    GifFreeMapObject(map);
    std::vector<GifPixelType> row(size_t(area.right - area.left));
    for (int y = area.top; good && y < area.bottom; ++y) {
      for (int x = area.left; x < area.right; ++x)
        row[size_t(x - area.left)] = stays(x, y) ? through : table.place.at(color_at(frame, x, y));
      good = EGifPutLine(gif, row.data(), int(row.size())) == GIF_OK;
    }
    before = frame;
    return good;
  }
};

GifWriter::GifWriter(int width, int height) : state_(std::make_unique<State>()) {
  state_->width = width, state_->height = height;
  state_->failed = !state_->begin();
}

GifWriter::~GifWriter() {
  int error = 0;
  if (state_ && state_->gif) EGifCloseFile(state_->gif, &error);
}

GifWriter::GifWriter(GifWriter&&) noexcept = default;

bool GifWriter::add(const Pixels& frame, int hundredths) {
  State& s = *state_;
  if (!s.failed) s.failed = frame.width != s.width || frame.height != s.height || !s.put(frame, hundredths);
  return !s.failed;
}

size_t GifWriter::bytes() const { return state_->bytes.size(); }

std::string GifWriter::finish() {
  State& s = *state_;
  int error = 0;
  if (s.gif && EGifCloseFile(std::exchange(s.gif, nullptr), &error) != GIF_OK) s.failed = true;
  return s.failed ? std::string() : std::move(s.bytes);
}

}  // namespace tilewalk
