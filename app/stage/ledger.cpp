// The ledger: bytes over each link, so far (solid) and of the whole walk (outline), all bars on one scale. SRAM's
// figures are computed from the steps, DRAM's come from the L2 model, and the papers' two-level count stands beside
// them.
#include "app/stage/pieces.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

struct Entry {
  std::string id, title, source, tip;
  int64_t so_far, total;
  std::string aside;  // in place of the total, where that says nothing
};

std::vector<Entry> entries_of(const Canvas& canvas) {
  const Walk& walk = *canvas.now.walk;
  const Meters &now = canvas.now.after.meters, &all = walk.total.total;
  const int64_t at = canvas.now.playhead, end = walk.replay.length();
  int64_t dirty = 0;
  for (const L2Trace::Tile& tile : walk.l2.contents(at)) dirty += tile.dirty ? tile.bytes : 0;
  return {
      {"ledger:fill", "L2 → SM", "computed",
       "Bytes that the loads brought from L2 into the multiprocessor, computed from the steps.", now.fill_bytes(),
       all.fill_bytes(), ""},
      {"ledger:drain", "SM → L2", "computed",
       "Bytes that the stores sent from the multiprocessor to L2, computed from the steps.", now.drain_bytes(),
       all.drain_bytes(), ""},
      {"ledger:dram-read", "DRAM read", "model", "Bytes read from DRAM because L2 did not hold them: a model of L2.",
       walk.l2.dram_read(at), walk.l2.dram_read(end), ""},
      {"ledger:dram-written", "DRAM written", "model",
       fmt::format("Bytes that left L2 for DRAM: a model of L2. {} wait in L2 now.", bytes_words(dirty)),
       walk.l2.dram_written(at), walk.l2.dram_written(end), dirty ? fmt::format("{} in L2", short_bytes(dirty)) : ""},
      {"ledger:papers", "Papers' count", "without L2",
       "The papers' count of the same walk: SRAM and HBM only, as if there were no L2.", now.paper_bytes(),
       all.paper_bytes(), ""},
  };
}

}  // namespace

void layout_ledger(Canvas& canvas, Rect rect) {
  const Style& st = canvas.style;
  std::vector<Entry> entries = entries_of(canvas);
  int64_t most = 1;
  for (const Entry& e : entries) most = std::max(most, e.total);
  const float pad = rect.w < st.px(800) ? st.px(12) : st.px(20);
  const bool line_only = rect.h < st.px(46);
  if (!line_only) canvas.card(rect, st[Role::Surface], {}, 0);

  // Which entries there is room for, the two that must not be confused first.
  const float least = st.px(line_only ? 190 : 150);
  const auto room = size_t(std::max(1.0f, (rect.w - 2 * pad) / least));
  if (room < entries.size()) {
    if (room >= 3)
      entries.erase(entries.begin() + 3);
    else
      entries = {entries[0], entries[2]};
    if (entries.size() > room) entries.erase(entries.begin() + 1);
  }
  const float gap = st.px(24), w = (rect.w - 2 * pad - gap * float(entries.size() - 1)) / float(entries.size());
  float x = rect.x + pad;
  for (const Entry& e : entries) {
    const Rect column{x, rect.y, w, rect.h};
    const float fraction = float(double(e.total) / double(most)),
                done = e.total ? float(double(e.so_far) / double(most)) : 0;
    const std::string numbers = e.total ? fmt::format("{} of {}", short_bytes(e.so_far), short_bytes(e.total)) : "none";
    // A number says more than a long name: the name gives way.
    const std::string so_far = short_bytes(e.so_far);
    const float both =
        text_width(e.title, Face::SansBold, st.small()) + st.px(8) + text_width(so_far, Face::Sans, st.small());
    const std::string name = e.id == "ledger:papers" && both > w ? "Papers" : e.title;
    const auto bar = [&](Rect track) {
      const float radius = track.h / 2;
      if (e.total > 0) {
        const Rect outline{track.x, track.y, std::max(track.h, track.w * fraction), track.h};
        canvas.scene.box(outline, radius, st[Role::Background], st[Role::Text], st.px(1.5f));
      }
      if (e.so_far > 0)
        canvas.scene.box({track.x, track.y, std::max(track.h, track.w * done), track.h}, radius, st[Role::Inverse]);
    };
    if (line_only) {
      const float title =
          canvas.fit({column.x, column.y, w, column.h}, {name}, Face::SansBold, st.small(), st[Role::Text]);
      canvas.fit({column.x + title + st.px(8), column.y, w - title - st.px(8), column.h},
                 {e.source == "model" ? numbers + " (model)" : numbers, numbers, short_bytes(e.so_far)}, Face::Sans,
                 st.small(), st[Role::TextSecondary]);
    } else {
      const bool tall = rect.h >= st.px(72);
      const float line = st.px(20), bar_h = st.px(10), sum = line + st.px(4) + bar_h + (tall ? st.px(4) + line : 0);
      float y = rect.center().y - sum / 2;
      const float title = canvas.fit({column.x, y, w, line}, {name}, Face::SansBold, st.small(), st[Role::Text]);
      const Rect right{column.x + title + st.px(8), y, w - title - st.px(8), line};
      canvas.fit(right, {tall ? e.source : numbers, tall ? "" : so_far, ""}, Face::Sans, st.small(),
                 st[Role::TextSecondary], Align::Left);
      y += line + st.px(4);
      bar({column.x, y, w, bar_h});
      y += bar_h + st.px(4);
      if (tall)
        canvas.fit({column.x, y, w, line},
                   {e.aside.empty() ? numbers : numbers + ", " + e.aside,
                    e.aside.empty() ? numbers : short_bytes(e.so_far) + ", " + e.aside, short_bytes(e.so_far)},
                   Face::Sans, st.small(), st[Role::TextSecondary]);
    }
    canvas.scene.region(column, e.id,
                        fmt::format("{}: {} of {}. {}", e.title, bytes_words(e.so_far), bytes_words(e.total), e.tip));
    x += w + gap;
  }
}

}  // namespace tilewalk
