// The pointer over Write: a press on a line of the text or on what is said of it, the wheel.
#include "app/session/write_moves.h"
#include "app/state/written.h"
#include "app/text/text.h"
#include "core/walk/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tilewalk {
namespace {

constexpr std::string_view kLine = "write:line/", kFault = "write:fault/", kSays = "write:says";

// Where a character of the line stands nearest to a place, in bytes. Lines are set in a type of 2/3 their pitch.
size_t nearest_in(std::string_view line, float x, float pitch) {
  size_t best = 0;
  float nearest = std::fabs(x);
  for (size_t at = 0; at < line.size();) {
    do ++at;
    while (at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80);
    const float far = std::fabs(text_width(line.substr(0, at), Face::Mono, pitch / 1.5f) - x);
    if (far < nearest) nearest = far, best = at;
  }
  return best;
}

// A line on show. The caret's is turned where it is too long: so many of its bytes lie left of what is seen.
struct ShownLine {
  size_t number = 0, left = 0;
};
ShownLine shown_line(std::string_view id) {
  ShownLine line;
  const std::string_view rest = id.substr(kLine.size());
  const char* end = std::from_chars(rest.data(), rest.data() + rest.size(), line.number).ptr;
  if (end != rest.data() + rest.size()) std::from_chars(end + 1, rest.data() + rest.size(), line.left);
  return line;
}

void take_keys(ViewState& view) {
  view.write.read_at = view.playhead;
  view.focus = kWriteText;
  view.focus_ring = false;
}

// To where the line is wrong, or to its end.
void go_to_fault(size_t line, ViewState& view) {
  EditedText& program = view.write.program;
  const std::vector<std::string_view> lines = lines_of(program);
  if (line >= lines.size()) return;
  size_t column = lines[line].size();
  if (view.write.now)
    for (const WalkFault& fault : view.write.now->faults)
      if (fault.line == int(line) + 1 && fault.column > 0) {
        column = size_t(fault.column - 1);
        break;
      }
  put_caret(program, {line, column}, false);
  if (line < view.write.top || line >= view.write.top + view.write.shown) view.write.top = line;
}

}  // namespace

bool point_in_program(std::string_view id, Vec2 at, const Scene& scene, ViewState& view, bool dragged) {
  const Region* text = scene.find(kWriteText);
  if (!text || !id.starts_with("write:")) return false;
  if (id == kSays || id.starts_with(kFault)) {
    if (dragged) return true;
    const int said = written_says(view).line;
    size_t line = said > 0 ? size_t(said - 1) : size_t(-1);
    if (id == kSays) {
      go_to_fault(line, view);
    } else {  // beside the line: behind it
      std::from_chars(id.data() + kFault.size(), id.data() + id.size(), line);
      const std::vector<std::string_view> lines = lines_of(view.write.program);
      if (line < lines.size()) put_caret(view.write.program, {line, characters(lines[line])}, false);
    }
    take_keys(view);
    return true;
  }
  if (!id.starts_with(kLine) && id != kWriteText) return false;
  EditedText& program = view.write.program;
  const std::vector<std::string_view> lines = lines_of(program);
  // The line under the pointer, or the nearest one on show.
  const Region* nearest = nullptr;
  float far = 0;
  for (const Region& region : scene.regions) {
    if (!region.id.starts_with(kLine)) continue;
    const float off = std::fabs(region.rect.center().y - at.y);
    if (!nearest || off < far) nearest = &region, far = off;
  }
  if (!nearest) return true;
  const ShownLine line = shown_line(nearest->id);
  if (line.number >= lines.size()) return true;
  const std::string_view whole = lines[line.number];
  const float x = at.x - nearest->rect.x, pitch = nearest->rect.h;
  const ShownWalk shown = is_shown_with_glyphs(view, line.number) ? walk_with_glyphs(whole) : ShownWalk();
  size_t place = std::min(line.left, whole.size());
  place += nearest_in(whole.substr(place), x, pitch);
  if (const size_t k = shown.text.empty() ? 0 : nearest_in(shown.text, x, pitch); k < shown.typed.size())
    place = shown.typed[k];
  put_caret(program, {line.number, characters(whole.substr(0, place))}, dragged);
  if (dragged) keep_caret_on_show(view);
  take_keys(view);
  return true;
}

bool keeps_typing(const Region* under, Vec2 at, const Scene& scene, const ViewState& view) {
  const Region* text = typing_in_program(view) ? scene.find(kWriteText) : nullptr;
  if (!text) return false;
  // What turns the walk leaves the keys with the text, too: arrows belong to it until Esc.
  constexpr std::string_view kTurns[] = {"command:first", "command:tile-back",    "command:part-back",
                                         "command:play",  "command:part-forward", "command:tile-forward",
                                         "command:last"};
  if (under && (under->id == "scrubber" || under->id.starts_with("marker:") || std::ranges::count(kTurns, under->id)))
    return true;
  const bool beside = at.x >= text->rect.x && at.x <= text->rect.right();
  return beside && (!under || !under->focusable || under->id == "command:hint");
}

bool turn_program(float notches, const Scene& scene, ViewState& view) {
  const Region* text = write_on_show(view) ? scene.find(kWriteText) : nullptr;
  if (!text || !text->rect.contains(view.pointer)) return false;
  WriteView& write = view.write;
  write.read_at = view.playhead;
  const auto last = std::ptrdiff_t(lines_of(write.program).size()) - std::ptrdiff_t(write.shown);
  write.top = size_t(std::clamp<std::ptrdiff_t>(std::ptrdiff_t(top_line(view)) - std::lround(notches * 3), 0,
                                                std::max<std::ptrdiff_t>(last, 0)));
  return true;
}

}  // namespace tilewalk
