// The DRAM card: Q, K, V and O as rows of tiles, beside each the gradient of it in a backward walk, the statistics that
// reach memory as thin ones, the N x N matrices, and how much this head has moved so far.
#include "app/stage/pieces.h"
#include "core/machine/words.h"
#include "core/playback/row_view.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

struct Strip {
  Tensor tensor;
  int64_t tiles, each;
  bool input;  // there from the start
};

// Whether memory holds the tile, of the state that is on show for stores that are under way.
bool stored(const Canvas& canvas, Tensor tensor, int64_t index) {
  const bool under_way = canvas.timing.values < 1;
  const MachineState& state = under_way ? canvas.now.before : canvas.now.after;
  const TileTable* table = state.memory(tensor);
  return !table || table->get(index) != nullptr;
}

// A strip of tiles: there ones light, the current one solid, others dashed.
void draw_strip(Canvas& canvas, const Strip& strip, Rect rect, bool thin, const std::vector<L2Trace::Tile>& in_l2) {
  const Style& st = canvas.style;
  const Color color = is_statistic(strip.tensor) ? st[Role::Text] : st.palette.fill(strip.tensor);
  const int64_t cells = (strip.tiles + strip.each - 1) / strip.each;
  const float gap = cells > 12 ? st.px(3) : st.px(6), w = (rect.w - gap * float(cells - 1)) / float(cells);
  const float radius = std::min({st.r_small(), w * 0.2f, rect.h * 0.25f});
  const bool by_i = by_query_tile(strip.tensor);
  const int64_t now = (by_i ? canvas.story.i : canvas.story.j) / strip.each;
  const Story::Move* move = canvas.story.move_of(strip.tensor);
  const auto part = canvas.story.of(strip.tensor);
  // What is worked on now: the tile that lies on chip.
  const Resident* held = canvas.now.after.find(strip.tensor);
  const WalkNest* nest = nest_on_show(canvas.now);
  const bool on_chip =
      (held && tile_index(strip.tensor, held->i, held->j, canvas.tiling) / strip.each == now) ||
      (nest && nest->keeps_row && resident_of(canvas.now.after, strip.tensor, canvas.story.i, canvas.story.j));

  for (int64_t c = 0; c < cells; ++c) {
    const Rect cell{rect.x + float(c) * (w + gap), rect.y, w, rect.h};
    const int64_t first = c * strip.each, last = std::min(strip.tiles, first + strip.each);
    int64_t there = 0;
    if (strip.input)
      there = last - first;
    else
      for (int64_t n = first; n < last; ++n) there += stored(canvas, strip.tensor, n);
    const bool current = c == now && canvas.story.any && (on_chip || move);
    const auto dirty_tiles = std::count_if(in_l2.begin(), in_l2.end(), [&](const L2Trace::Tile& tile) {
      const int64_t index = tile_index(tile.tensor, tile.i, tile.j, canvas.tiling);
      return tile.tensor == strip.tensor && index >= first && index < last;
    });
    const bool dirty = dirty_tiles > 0, only_in_l2 = there > 0 && dirty_tiles >= there;
    if (!there) {
      canvas.scene.box(cell, radius, {}, mix(color, st[Role::Background], 0.25f), st.px(1.5f), st.px(4));
    } else if (only_in_l2) {
      canvas.scene.box(cell, radius, st[Role::Background], color, st.px(thin ? 1 : 2));
    } else {
      const float share_there = float(there) / float(last - first);
      const Color fill = current ? color : mix(st[Role::Background], color, 0.12f + 0.23f * share_there);
      canvas.scene.box(cell, radius, fill, color, st.px(thin ? 1 : 1.5f));
    }
    const int64_t i = by_i ? first : 0, j = by_i ? 0 : first;
    if (current && !thin && strip.each == 1 && cell.h >= st.px(18))
      canvas.fit(cell.inset(st.px(6), 0), {tile_name(strip.tensor, i, j), ""}, Face::SansBold, st.small(),
                 there && !only_in_l2 ? st.palette.label_on(strip.tensor) : st.palette.ink(strip.tensor),
                 Align::Center);
    if (current && move)
      canvas.emphasis(cell, radius,
                      move->load && move->hit ? Part::Rest
                      : part == Part::Rest    ? Part::Rest
                                              : Part::Operand);
    if (dirty && there && !thin) canvas.dirty_dot(cell);
    const std::string id = tile_id(strip.tensor, i, j);
    canvas.lit(cell, radius, id);
    canvas.remember(Level::Dram, strip.tensor, first, cell);
    std::string tip = tip_of_tile(canvas, strip.tensor, i, j, Level::Dram);
    if (strip.each > 1)
      tip = fmt::format("{} tiles {} to {} in DRAM: {} of them are there.", symbol_of(strip.tensor), first + 1, last,
                        there);
    else if (!there)
      tip = fmt::format("{} is not written yet.", tile_words(strip.tensor, i, j));
    if (strip.tensor == Tensor::DQ && canvas.now.walk->total.total.loaded[size_t(Tensor::DQ)] > 0)
      tip += " All of it was set to zeros before the loop.";
    if (dirty) tip += " The dot: the newest data are still in L2 only.";
    canvas.scene.region(cell, id, tip);
  }
}

std::vector<Strip> strips_of(const Canvas& canvas) {
  const Tiling& t = canvas.tiling;
  const auto strip = [](Tensor tensor, int64_t n, bool input) { return Strip{tensor, n, share(n, kMostCells), input}; };
  std::vector<Strip> strips{strip(Tensor::Q, t.tr, true), strip(Tensor::K, t.tc, true), strip(Tensor::V, t.tc, true),
                            strip(Tensor::O, t.tr, false)};
  const Meters& all = canvas.now.walk->total.total;
  if (left_out(canvas.view, "statistics")) return strips;
  for (Tensor tensor : {Tensor::M, Tensor::L, Tensor::Lse, Tensor::D})
    if (all.loaded[size_t(tensor)] + all.stored[size_t(tensor)] > 0) strips.push_back(strip(tensor, t.tr, false));
  return strips;
}

// In a backward walk a tensor shares its row with its gradient, and the statistics share one row.
std::vector<std::vector<Strip>> rows_of(const Canvas& canvas) {
  std::vector<std::vector<Strip>> rows;
  const bool backward = canvas.now.walk->schedule.backward();
  for (const Strip& s : strips_of(canvas)) {
    const bool shares = backward && is_statistic(s.tensor) && !rows.empty() && is_statistic(rows.back()[0].tensor);
    if (shares)
      rows.back().push_back(s);
    else
      rows.push_back({s});
    if (backward && !is_statistic(s.tensor)) {
      constexpr std::pair<Tensor, Tensor> kGradients[] = {
          {Tensor::Q, Tensor::DQ}, {Tensor::K, Tensor::DK}, {Tensor::V, Tensor::DV}, {Tensor::O, Tensor::DO}};
      for (const auto& [tensor, gradient] : kGradients)
        if (tensor == s.tensor) rows.back().push_back({gradient, s.tiles, s.each, is_input(gradient)});
    }
  }
  return rows;
}

// Bytes of this head so far, as the two numbers that must not be confused.
void so_far(Canvas& canvas, Rect rect) {
  const Style& st = canvas.style;
  const Walk& walk = *canvas.now.walk;
  const int64_t dram = walk.l2.dram_read(canvas.now.playhead), fills = canvas.now.after.meters.fill_bytes();
  if (canvas.for_room) {
    const float half = rect.w / 2, line = st.px(22);
    const auto column = [&](float x, int64_t bytes, std::string_view words) {
      const Rect r{x, rect.center().y - st.px(31), half - st.px(16), st.px(40)};
      canvas.fit(r, {counted_bytes(bytes), short_bytes(bytes)}, Face::SansBold, st.display(), st[Role::Text]);
      canvas.fit({r.x, r.bottom(), r.w, line}, {words}, Face::Sans, st.small(), st[Role::TextSecondary]);
    };
    column(rect.x, dram, "read from DRAM");
    return column(rect.x + half, fills, "from L2 into SRAM");
  }
  canvas.scene.box(rect, st.r_medium(), st[Role::Surface]);
  const float pad = rect.w < st.px(180) ? st.px(10) : st.px(16);
  const Rect in = rect.inset(pad, st.px(8));
  const bool head = in.h >= st.px(150);
  float y = in.y;
  if (head) {
    canvas.fit({in.x, y, in.w, st.px(22)}, {"This head so far", "So far"}, Face::SansBold, st.small(),
               st[Role::TextSecondary]);
    y += st.px(26);
  }
  const float each = (in.bottom() - y) / 2;
  const float size = std::clamp(each * 0.42f, st.px(18), st.title());
  const float number = std::min(size * 1.3f, each * 0.55f), words_h = std::min(st.px(20), each - number);
  const float above = (each - number - words_h) * (head ? 0.35f : 0.5f);
  const auto block = [&](float top, int64_t bytes, std::string_view words, std::string_view brief) {
    const float at = top + above;
    canvas.fit({in.x, at, in.w, number}, {counted_bytes(bytes), short_bytes(bytes)}, Face::SansBold, size,
               st[Role::Text]);
    canvas.fit({in.x, at + number, in.w, words_h}, {words, brief}, Face::Sans, st.small(), st[Role::TextSecondary]);
  };
  block(y, dram, "read from DRAM (model)", "from DRAM");
  block(y + each, fills, "from L2 into SRAM", "into SRAM");
}

}  // namespace

void layout_dram(Canvas& canvas, Rect rect) {
  const Style& st = canvas.style;
  if (canvas.for_room)
    canvas.scene.line({rect.x, rect.y}, {rect.right(), rect.y}, st[Role::Border], st.px(1.5f));
  else
    canvas.card(rect, st[Role::Background], st[Role::Border], st.px(1.5f));
  canvas.scene.region(rect, "level:dram",
                      canvas.now.walk->schedule.backward()
                          ? "DRAM, the GPU's large and slow memory: what the forward pass kept and dO start here; dQ, "
                            "dK and dV end here."
                          : "DRAM, the GPU's large and slow memory: Q, K and V start here and O ends here.");
  const bool narrow = rect.w < st.px(800);
  const float pad = canvas.for_room ? 0 : narrow ? st.px(12) : st.px(20), top = st.px(rect.h < st.px(150) ? 4 : 10);
  const Rect in{rect.x + pad, rect.y + top, rect.w - 2 * pad, rect.h - 2 * top};
  const float gap = narrow ? st.px(16) : st.px(32), title_h = st.px(rect.h < st.px(150) ? 24 : 28);

  // Three columns: strips, N x N, bytes.
  const float body = in.h - title_h;
  const bool bytes = in.w >= st.px(560);
  const float bytes_w = canvas.for_room ? st.px(350) : bytes ? std::clamp(in.w * 0.22f, st.px(132), st.px(240)) : 0;
  const float middle_w = std::min(body * 2 + st.px(24), in.w * (canvas.for_room ? 0.18f : bytes ? 0.36f : 0.44f));
  const float strips_w = in.w - middle_w - gap - (bytes ? bytes_w + gap : 0);

  // Strips, the wide ones first.
  const std::vector<std::vector<Strip>> rows = rows_of(canvas);
  int64_t most = 1;
  for (const auto& row : rows) most = std::max(most, row[0].each);
  canvas.runs(
      {in.x, in.y, strips_w, title_h},
      {{"DRAM (HBM)", Face::SansBold, rect.h < st.px(150) ? st.number() : st.body(), st[Role::Text]},
       {most > 1 ? fmt::format("a cell = {} tiles", most) : "", Face::Sans, st.small(), st[Role::TextSecondary]}},
      st.px(10));
  const auto thin = [](const std::vector<Strip>& row) { return is_statistic(row[0].tensor); };
  // Room for two of them always, so that the rows stand in the same place for every schedule.
  const float thins = std::max(2.0f, float(std::count_if(rows.begin(), rows.end(), thin)));
  const float thin_h = st.px(18), thin_gap = st.px(2);
  // Thin strips give way first: they need a line of text each.
  const float wanted = 4 * st.px(20) + 3 * st.px(4) + thins * (thin_h + thin_gap);
  const bool with_thin = body >= wanted;
  const float rest = body - (with_thin ? thins * (thin_h + thin_gap) + st.px(4) : 0);
  const float strip_gap = std::min(st.px(8), rest * 0.05f);
  const float strip_h = std::min(st.px(40), (rest - 3 * strip_gap) / 4);
  float y = in.y + title_h;
  std::vector<L2Trace::Tile> in_l2 = canvas.now.walk->l2.contents(canvas.now.playhead);
  std::erase_if(in_l2, [](const L2Trace::Tile& tile) { return !tile.dirty; });
  for (const auto& row : rows) {
    if (thin(row) && !with_thin) break;
    const float h = thin(row) ? thin_h : strip_h, letter = st.px(26), between = st.px(14);
    const float w = (strips_w - between * float(row.size() - 1)) / float(row.size());
    for (size_t n = 0; n < row.size(); ++n) {
      const Strip& s = row[n];
      const Rect slot{in.x + float(n) * (w + between), y, w, h};
      const Rect cells{slot.x + letter, y, slot.w - letter, h};
      canvas.scene.label({slot.x, slot.center().y - st.px(11), letter, st.px(22)}, symbol_of(s.tensor), Face::SansBold,
                         thin(row) || row.size() > 1 ? st.small() : std::min(st.body(), std::max(st.small(), h * 0.8f)),
                         st.palette.ink(s.tensor));
      canvas.scene.region({slot.x, slot.y, letter - st.px(4), slot.h}, fmt::format("word:{}", symbol_of(s.tensor)),
                          meaning_of(s.tensor));
      draw_strip(canvas, s, thin(row) ? cells.inset(0, st.px(3)) : cells, thin(row), in_l2);
    }
    y += h + (thin(row) ? thin_gap : strip_gap);
  }

  layout_scores_in_dram(canvas, {in.x + strips_w + gap, in.y, middle_w, in.h});
  if (bytes) so_far(canvas, {in.right() - bytes_w, in.y, bytes_w, in.h});
}

}  // namespace tilewalk
