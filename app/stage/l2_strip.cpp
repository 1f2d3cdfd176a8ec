// L2 as a strip: each tile has a place of its own, empty while the tile is not there, so that hits, misses and data
// that DRAM does not have yet can be seen. What lies in L2 is a model's answer: see core/model/l2.h.
#include "app/stage/pieces.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tilewalk {
namespace {

constexpr float kThin = 0.4f;  // width of a cell of statistics

struct Group {
  Tensor tensor;
  int64_t tiles;        // of the tensor
  int64_t cells, each;  // cells on screen, tiles in each
};

std::vector<Group> groups_of(const Canvas& canvas) {
  const Tiling& t = canvas.tiling;
  // Inputs, and what the walk stores at all. m and l go together and share a cell, one over the other.
  const Meters& all = canvas.now.walk->total.total;
  const bool backward = canvas.now.walk->schedule.backward();
  std::vector<Tensor> tensors;
  for (Tensor tensor : {Tensor::Q, Tensor::K, Tensor::V, Tensor::S, Tensor::P, Tensor::O, Tensor::DO, Tensor::M,
                        Tensor::Lse, Tensor::D, Tensor::DP, Tensor::DS, Tensor::DQ, Tensor::DK, Tensor::DV})
    if (is_input(tensor) ? backward || tensor != Tensor::DO
                         : all.stored[size_t(tensor)] + (backward ? all.loaded[size_t(tensor)] : 0) > 0)
      tensors.push_back(tensor);
  std::vector<Group> groups;
  const int64_t most = backward ? 4 : canvas.fused() ? kMostCells : 16;
  for (Tensor tensor : tensors) {
    const bool grid = is_scores(tensor);
    Group g{tensor, grid ? t.tr * t.tc : by_query_tile(tensor) ? t.tr : t.tc, 0, 1};
    g.each = share(g.tiles, grid ? (backward ? 4 : 8) : most);
    g.cells = (g.tiles + g.each - 1) / g.each;
    groups.push_back(g);
  }
  return groups;
}

// Whether the tile that the moment is about is on chip.
bool on_chip_now(const Canvas& canvas, Tensor tensor) {
  const int64_t wanted = tile_index(tensor, canvas.story.i, canvas.story.j, canvas.tiling);
  return std::any_of(canvas.now.after.chip.begin(), canvas.now.after.chip.end(), [&](const Resident& r) {
    return r.tensor == tensor && tile_index(tensor, r.i, r.j, canvas.tiling) == wanted;
  });
}

// Tiles present and dirty, per cell.
struct Fill {
  int64_t there = 0, dirty = 0;
};

// What L2 did for the steps on show, in words and in fewer words.
std::pair<std::string, std::string> sentence(const Canvas& canvas, const std::vector<L2Trace::Tile>& contents) {
  std::string hits, misses, stores;
  for (const Story::Move& move : canvas.story.moves) {
    std::string& list = !move.load ? stores : move.hit ? hits : misses;
    if (!list.empty()) list += ", ";
    list += is_statistic(move.tensor) ? std::string(symbol_of(move.tensor)) : tile_name(move.tensor, move.i, move.j);
  }
  const auto many = [](const std::string& list) { return list.find(", ") != std::string::npos; };
  if (!hits.empty() && !misses.empty())
    return {fmt::format("{} {} here; {} read from DRAM", hits, many(hits) ? "were" : "was", misses),
            misses + " from DRAM"};
  if (!hits.empty())
    return {fmt::format("{} {} here: no DRAM read", hits, many(hits) ? "were" : "was"), "hit: no DRAM read"};
  if (!misses.empty())
    return {fmt::format("{} {} not here: read from DRAM", misses, many(misses) ? "were" : "was"), "miss: DRAM read"};
  if (!stores.empty())
    return {fmt::format("{} {} here; DRAM gets {} later", stores, many(stores) ? "wait" : "waits",
                        many(stores) ? "them" : "it"),
            "written to L2 only"};
  int64_t bytes = 0, dirty = 0;
  for (const L2Trace::Tile& tile : contents) bytes += tile.bytes, dirty += tile.dirty ? tile.bytes : 0;
  if (!bytes) return {"empty", "empty"};
  if (dirty)
    return {fmt::format("{} here, • {} not in DRAM yet", short_bytes(bytes), short_bytes(dirty)),
            short_bytes(bytes) + " here"};
  return {fmt::format("{} here: read again without DRAM", short_bytes(bytes)), short_bytes(bytes) + " here"};
}

}  // namespace

void layout_l2(Canvas& canvas, Rect rect) {
  const Style& st = canvas.style;
  canvas.card(rect, st[Role::Surface], st[Role::Line], st.px(1.5f));
  const Walk& walk = *canvas.now.walk;
  const bool half = canvas.timing.moving && canvas.timing.travel < 0.5f;
  const std::vector<L2Trace::Tile> contents = walk.l2.contents(half ? canvas.now.from : canvas.now.playhead);
  const float pad = rect.w < st.px(800) ? st.px(12) : st.px(20);
  canvas.scene.region(
      rect, "level:l2",
      fmt::format("L2, the cache that all multiprocessors share: {} on {}. Which tiles it holds is a model's "
                  "answer, least recently used out first.",
                  bytes_words(walk.spec.l2_bytes), walk.spec.title));
  const float title_w =
      canvas.fit({rect.x + pad, rect.y, st.px(60), rect.h}, {"L2"}, Face::SansBold, st.body(), st[Role::Text]);
  canvas.fit({rect.x + pad + title_w + st.px(8), rect.y, st.px(60), rect.h}, {"model"}, Face::Sans, st.small(),
             st[Role::TextSecondary]);

  // Cells take their share of what the sentence leaves.
  const std::vector<Group> groups = groups_of(canvas);
  const float left = rect.x + pad + st.px(rect.w < st.px(800) ? 84 : 108);
  // Many groups are named by a letter each, and leave the sentence little room.
  const bool lettered = canvas.now.walk->schedule.backward();
  const float letter = lettered ? st.px(22) : 0;
  float text_w = rect.w >= st.px(620) ? std::clamp(rect.w * 0.25f, st.px(130), st.px(lettered ? 136 : 262)) : 0;
  const float room = rect.right() - pad - left - (text_w > 0 ? text_w + st.px(16) : 0);
  float cells = 0, inners = 0;
  for (const Group& g : groups) {
    inners += float(g.cells);
    cells += float(g.cells) * (is_statistic(g.tensor) ? kThin : 1);
  }
  const float gap = st.px(lettered ? 8 : 14), inner = st.px(inners > 24 ? 2 : 4);
  const float cell_w =
      std::min(st.px(44), (room - (gap + letter) * float(groups.size()) + gap - inner * inners) / cells);
  const float h = std::min(st.px(32), rect.h - st.px(12));
  const float y = rect.center().y - h / 2;

  std::map<std::pair<Tensor, int64_t>, Fill> fills;
  for (const L2Trace::Tile& tile : contents)
    for (const Group& g : groups)
      if (g.tensor == tile.tensor || (g.tensor == Tensor::M && tile.tensor == Tensor::L)) {
        Fill& f = fills[{g.tensor, tile_index(tile.tensor, tile.i, tile.j, canvas.tiling) / g.each}];
        ++f.there;
        f.dirty += tile.dirty;
      }

  float x = left;
  int64_t most_shared = 1;
  for (const Group& g : groups) {
    const bool stat = is_statistic(g.tensor);
    const Color color = stat ? st[Role::Text] : st.palette.fill(g.tensor);
    most_shared = std::max(most_shared, g.each);
    // What lies on chip, or is on its way; m and l move together.
    const Story::Move* move = canvas.story.move_of(g.tensor);
    const bool held = on_chip_now(canvas, g.tensor);
    const float width = stat ? cell_w * kThin : cell_w;
    const bool wide = width >= st.px(24) && !lettered;
    if (lettered)
      canvas.fit({x, y, letter, h}, {symbol_of(g.tensor)}, Face::SansBold, st.small(), st.palette.ink(g.tensor));
    x += letter;
    for (int64_t c = 0; c < g.cells; ++c, x += width + inner) {
      const Rect cell{x, y, width, h};
      const int64_t first = c * g.each;
      const bool grid = is_scores(g.tensor);
      const int64_t i = grid ? first / canvas.tiling.tc : first, j = grid ? first % canvas.tiling.tc : first;
      const std::string id = tile_id(g.tensor, i, j);
      const Fill f = fills[{g.tensor, c}];
      const bool current = canvas.story.any && (held || move) &&
                           tile_index(g.tensor, canvas.story.i, canvas.story.j, canvas.tiling) / g.each == c;
      const float radius = std::min(st.r_small(), width * 0.25f);
      Color text = st[Role::Text];
      if (!f.there) {
        canvas.scene.box(cell, radius, {}, mix(st[Role::Ghost], st[Role::Surface], 0.3f), st.px(1), st.px(3));
      } else {
        const float share_there =
            float(f.there) / float(std::min(g.each, g.tiles - first) * (g.tensor == Tensor::M ? 2 : 1));
        const Color fill = current ? color : mix(st[Role::Surface], color, 0.15f + 0.25f * std::min(1.0f, share_there));
        canvas.scene.box(cell, radius, fill, color, st.px(1.5f));
        text = !current ? text_on(fill) : stat ? st[Role::InverseText] : st.palette.label_on(g.tensor);
      }
      if (!f.there) text = st[Role::TextSecondary];
      if (wide) {
        const std::string name = g.each == 1 ? tile_name(g.tensor, i, j) : std::string(symbol_of(g.tensor));
        canvas.fit(cell.inset(st.px(1), 0), {name, ""}, f.there ? Face::SansBold : Face::Sans, st.small(), text,
                   Align::Center);
      }
      if (current && move) canvas.emphasis(cell, radius, Part::Operand);
      canvas.lit(cell, radius, id);
      if (f.dirty && !stat && cell.w >= st.px(9)) canvas.dirty_dot(cell);
      canvas.remember(Level::L2, g.tensor, first, cell);
      if (g.tensor == Tensor::M) canvas.remember(Level::L2, Tensor::L, first, cell);
      std::string tip = g.each == 1 ? tip_of_tile(canvas, g.tensor, i, j, Level::L2)
                                    : fmt::format("{} tiles {} to {}: {} of them in L2.", symbol_of(g.tensor),
                                                  first + 1, std::min(g.tiles, first + g.each), f.there);
      if (!f.there && g.each == 1) tip = fmt::format("{} is not in L2 now.", tile_words(g.tensor, i, j));
      if (f.dirty) tip += " The dot: DRAM does not have it yet.";
      canvas.scene.region(cell, id, tip);
    }
    x += gap - inner;
  }
  const float text_x = x - gap + st.px(16);
  Rect slot{text_x, rect.y, rect.right() - pad - text_x, rect.h};
  if (text_w <= 0) return;
  const auto [words, brief] = sentence(canvas, contents);
  const bool two_lines = most_shared > 1 && rect.h >= st.px(52);
  if (two_lines) {
    slot = {slot.x, rect.center().y - st.px(20), slot.w, st.px(20)};
    canvas.fit(slot.shifted(0, st.px(20)), {fmt::format("a cell: up to {} tiles", most_shared), ""}, Face::Sans,
               st.small(), st[Role::TextSecondary], Align::Right);
  }
  canvas.fit(slot, {words, brief, ""}, Face::Sans, st.small(), st[Role::TextSecondary], Align::Right);
}

}  // namespace tilewalk
