// The tiles of S under a causal mask: skipped, cut by the mask, or whole. The learner paints them by kind, or turns N,
// Br, Bc and the alignment and reads what that saves. Kinds and counts are the schedule's own
// (core/attention/tiling.h).
#include "app/boards/boards.h"
#include "app/boards/causal_paint.h"
#include "app/boards/kit.h"
#include "app/stage/canvas.h"
#include "core/attention/tile_counts.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, 2> kAligns{"bottom right", "top left"};
constexpr std::array<std::string_view, 4> kQueries{"N", "N / 2", "N / 4", "1"};
constexpr auto kKnobs = std::to_array<Knob>({
    power_knob("N", "Keys N", 8, 16384, 1024, "Keys in the sequence"),
    power_knob("Br", "Rows of a Q tile, Br", 2, 256, 128, "Queries in a tile"),
    power_knob("Bc", "Rows of a K/V tile, Bc", 2, 256, 128, "Keys in a tile"),
    choice_knob("queries", "Queries", kQueries, 0, "How many queries there are"),
    choice_knob("align", "Diagonal aligned", kAligns, 0, "Where queries and keys differ in number"),
    switch_knob("exit", "Early exit", true, "Tiles without a visible key are skipped"),
    switch_knob("paint", "Paint", false, "You say what each tile is"),
});

Problem problem_of(const BoardState& state) {
  const auto knob = [&](std::string_view id) { return knob_value(kCausalBoard, state, id); };
  Problem p;
  p.n_k = int64_t(knob("N"));
  const std::array<int64_t, 4> queries{p.n_k, p.n_k / 2, p.n_k / 4, 1};
  p.n_q = queries[size_t(knob("queries"))];
  p.br = int64_t(knob("Br"));
  p.bc = int64_t(knob("Bc"));
  p.mask = Mask::Causal;
  p.align = knob("align") != 0 ? CausalAlign::TopLeft : CausalAlign::BottomRight;
  if (knob("exit") == 0) p.mistake = Mistake::NoEarlyExit;
  return p;
}

// What each tile is, whatever the mistake.
Tiling truth_of(const BoardState& state) {
  Problem p = problem_of(state);
  p.mistake = Mistake::None;
  return Tiling(p);
}

bool painting(const BoardState& state) {
  return knob_value(kCausalBoard, state, "paint") != 0 && can_paint(truth_of(state));
}

std::vector<Reading> readings(const Exhibit& view) {
  const Problem p = problem_of(view.state);
  const TileCounts c = count_tiles(Tiling(p));
  const TileCounts spared = count_tiles(truth_of(view.state));
  const Painted painted = judged(paint_of(view.state, truth_of(view.state)), truth_of(view.state));
  const std::string where = fmt::format("{}, tiles of {} × {}", queries_and_keys(p), p.br, p.bc);
  const auto number = [&](std::string id, std::string label, double value, std::string source = {}) {
    return Reading{
        std::move(id), std::move(label), {value, {}, Origin::Computed, source.empty() ? where : source + ", " + where}};
  };
  return {
      number("tiles", "Tiles of S", double(c.tiles)),
      number("visited", fmt::format("Tiles visited, of {}", with_commas(c.tiles)), double(c.visited())),
      number("masked", "Masked, element by element", double(c.masked)),
      number("full", "Whole, no mask needed", double(c.full)),
      number("skipped", "Skipped", double(c.skipped)),
      number("share", "Of all tiles", c.visited_share(), "visited / all"),
      number("bound", "Speed-up, at most", c.speedup_bound(), "all tiles / tiles visited"),
      number("waste", "Extra work, then hidden", c.wasted_share(), "hidden scores in visited tiles / visible scores"),
      number("scores", "Scores computed", double(c.computed_scores)),
      number("excess", "Times the work of early exit",
             double(c.visited()) / double(std::max<int64_t>(1, spared.visited())),
             "visited / those with a visible key"),
      number("painted", "Painted right", double(painted.right)),
  };
}

bool hidden(const Exhibit& view) {
  return view.covered("visited") || view.covered("masked") || view.covered("share") || view.covered("full");
}

std::string caption(const Exhibit& view) {
  const Tiling t = truth_of(view.state);
  if (hidden(view)) return "Rows are queries, columns are keys. Each query sees the keys up to the line.";
  if (view.on("paint") && !painting(view.state))
    return fmt::format("More than {} tiles a side are too many to paint. Take larger tiles.", kMostPainted);
  if (painting(view.state)) {
    const std::string paint = paint_of(view.state, t);
    const Painted painted = judged(paint, t);
    const Cursor at = cursor_of(view.state, t);
    const char now = paint[size_t(at.i * t.tc + at.j)];
    if (now != '.' && now != letter_of(t.kind(at.i, at.j))) return "No. " + reason(t, at);
    if (painted.right == painted.all)
      return fmt::format("All {} tiles right: the kernel visits {} of them.", painted.all, count_tiles(t).visited());
    if (view.view.focus_ring && view.view.focus == "board:cursor")
      return "Arrows move the frame. Space paints the tile; Space again takes the next kind.";
    return "Which tiles are skipped, which masked, which whole? Pick a kind, then paint them.";
  }
  const TileCounts c = count_tiles(Tiling(problem_of(view.state)));
  if (!view.on("exit"))
    return fmt::format(
        "No early exit: all {} tiles are computed. The answer is the same, the work {:.2f} times as much.",
        with_commas(c.tiles), double(c.visited()) / double(std::max<int64_t>(1, count_tiles(t).visited())));
  const std::string visited = fmt::format("{} of {} tiles {} visited", with_commas(c.visited()), with_commas(c.tiles),
                                          c.visited() == 1 ? "is" : "are");
  if (c.masked == 0) return visited + ", and the mask cuts none.";
  if (c.masked == 1) return visited + ". Only the one on the diagonal needs a mask.";
  return fmt::format("{}. Only the {} on the diagonal need a mask.", visited, with_commas(c.masked));
}

// The grid on screen: pixels per query and per key.
struct Grid {
  Rect rect;
  const Tiling& t;
  int64_t share_q, share_k;  // tiles in a cell
  float x(int64_t key) const { return rect.x + rect.w * float(std::min(key, t.n_k)) / float(t.n_k); }
  float y(int64_t query) const { return rect.y + rect.h * float(std::min(query, t.n_q)) / float(t.n_q); }
  Rect cell(int64_t i, int64_t j, float gap) const {  // i, j: the cell's first tile
    const float x0 = x(j * t.bc), x1 = x((j + share_k) * t.bc), y0 = y(i * t.br), y1 = y((i + share_q) * t.br);
    return {x0 + gap / 2, y0 + gap / 2, std::max(1.0f, x1 - x0 - gap), std::max(1.0f, y1 - y0 - gap)};
  }
};

// The part of a cell that lies on the visible side of the diagonal: query r sees keys up to r + offset.
std::vector<Vec2> visible_part(const Grid& grid, Rect cell) {
  const auto key = [&](Vec2 p) { return (p.x - grid.rect.x) / grid.rect.w * float(grid.t.n_k); };
  const auto query = [&](Vec2 p) { return (p.y - grid.rect.y) / grid.rect.h * float(grid.t.n_q); };
  const auto inside = [&](Vec2 p) { return query(p) + float(grid.t.offset) + 0.5f - key(p); };  // > 0: visible
  const std::array<Vec2, 4> corners{
      {{cell.x, cell.y}, {cell.right(), cell.y}, {cell.right(), cell.bottom()}, {cell.x, cell.bottom()}}};
  std::vector<Vec2> out;
  for (size_t k = 0; k < 4; ++k) {
    const Vec2 a = corners[k], b = corners[(k + 1) % 4];
    const float da = inside(a), db = inside(b);
    if (da >= 0) out.push_back(a);
    if ((da < 0) != (db < 0)) {
      const float u = da / (da - db);
      out.push_back({a.x + (b.x - a.x) * u, a.y + (b.y - a.y) * u});
    }
  }
  return out;
}

// Whether a row is high enough to be seen by itself: then the edge of what is visible is drawn as the stairs that it
// is.
bool shows_rows(const BoardView& view, const Grid& grid) {
  return grid.rect.h / float(grid.t.n_q) >= view.px(5) && grid.rect.w / float(grid.t.n_k) >= view.px(3);
}

// What its rows see of a cell, a bar for each; the cell is of whole rows and keys.
void draw_visible_rows(const BoardView& view, const Grid& grid, Rect cell, int64_t i, int64_t j, Color color) {
  const Tiling& t = grid.t;
  const int64_t last = std::min(t.n_q, (i + grid.share_q) * t.br);
  for (int64_t row = i * t.br; row < last; ++row) {
    const int64_t end = std::min({row + t.offset + 1, (j + grid.share_k) * t.bc, t.n_k});
    const float y0 = std::max(cell.y, grid.y(row)), y1 = std::min(cell.bottom(), grid.y(row + 1)),
                x1 = std::min(cell.right(), grid.x(end));
    if (x1 > cell.x && y1 > y0) view.box({cell.x, y0, x1 - cell.x, y1 - y0}, 0, color);
  }
}

// The edge of what is visible, from the first row that has one to the last: up to its own key, then down to the next.
void draw_stairs(const BoardView& view, const Grid& grid) {
  const Tiling& t = grid.t;
  const Color color = view[Role::Text];
  const float width = view.px(2.5f);
  for (int64_t row = 0; row < t.n_q; ++row) {
    const int64_t end = row + t.offset + 1;  // keys that the row sees
    if (end < 0 || end > t.n_k) continue;
    const float x = grid.x(end), y = grid.y(row), below = grid.y(row + 1);
    if (end > 0 && end < t.n_k) view.line({x, y}, {x, below}, color, width);
    if (row + 1 < t.n_q && end < t.n_k) view.line({x, below}, {grid.x(end + 1), below}, color, width);
  }
}

// Computed although no key of it is visible.
void draw_needless(const BoardView& view, Rect cell, float radius) {
  view.box(cell, radius, {Role::Wrong, 0.25f}, Role::Wrong, view.px(1.5f));
}

void draw_kind(const BoardView& view, const Grid& grid, Rect cell, int64_t i, int64_t j, TileKind kind, bool needless) {
  const Style& st = view.style;
  const Color violet = st.palette.fill(Tensor::S);
  const float r = std::min(st.px(3), cell.w / 6);
  if (kind == TileKind::Full) return view.box(cell, r, violet);
  if (kind == TileKind::Masked) {
    view.box(cell, r, {violet, 0.22f}, violet, st.px(1));
    if (shows_rows(view, grid)) return draw_visible_rows(view, grid, cell, i, j, violet);
    std::vector<Vec2> part = visible_part(grid, cell);
    if (part.size() > 2) view.polygon(std::move(part), violet);
    return;
  }
  if (needless)
    draw_needless(view, cell, r);
  else
    view.box(cell, r, {}, Role::Ghost, st.px(1), cell.w > st.px(16) ? st.px(4) : 0);
}

void layout_grid(const BoardView& view, const Grid& grid) {
  const Style& st = view.style;
  const Tiling& t = grid.t;
  const bool paints = painting(view.state), blank = hidden(view);
  const std::string paint = paints ? paint_of(view.state, t) : std::string();
  for (int64_t i = 0; i < t.tr; i += grid.share_q)
    for (int64_t j = 0; j < t.tc; j += grid.share_k) {
      const Rect plain = grid.cell(i, j, 0);
      const Rect cell = grid.cell(i, j, std::min({st.px(3), plain.w * 0.2f, plain.h * 0.2f}));
      const int64_t i1 = std::min(t.tr, i + grid.share_q) - 1, j1 = std::min(t.tc, j + grid.share_k) - 1;
      const TileKind first = t.kind(i1, j), last = t.kind(i, j1);  // the cell's most and least visible tile
      TileKind kind = first == last ? first : TileKind::Masked;
      if (blank) {
        view.box(cell, 0, Role::SurfaceStrong, Role::Border, st.px(1));
        continue;
      }
      if (!paints) {
        draw_kind(view, grid, cell, i, j, kind, !view.on("exit"));
        continue;
      }
      const char c = paint[size_t(i * t.tc + j)];
      if (c == '.') {
        view.box(cell, st.px(3), Role::SurfaceStrong, Role::Border, st.px(1));
        continue;
      }
      draw_kind(view, grid, cell, i, j, kind_of(c), false);
      if (c != letter_of(kind)) {
        view.box(cell, st.px(3), {}, Role::Wrong, st.px(4));
        const float mark = std::min(st.px(22), cell.h * 0.7f);
        if (mark >= st.small()) {
          const Rect disk{cell.center().x - mark * 0.7f, cell.center().y - mark * 0.7f, mark * 1.4f, mark * 1.4f};
          view.box(disk, mark * 0.7f, Role::Background, Role::Wrong, st.px(2));
          view.label(disk, "✗", Face::SansBold, mark, Role::WrongText, Align::Center);
        }
      }
    }
  if (shows_rows(view, grid)) return draw_stairs(view, grid);
  // The diagonal: from where the first row stops to where the last one does.
  const auto edge = [&](double query) {
    return Vec2{grid.rect.x + grid.rect.w * float((query + double(t.offset) + 0.5) / double(t.n_k)),
                grid.rect.y + grid.rect.h * float(query / double(t.n_q))};
  };
  const double from = std::clamp(-double(t.offset) - 0.5, 0.0, double(t.n_q)),
               to = std::clamp(double(t.n_k - t.offset) - 0.5, 0.0, double(t.n_q));
  if (to > from) view.line(edge(from), edge(to), Role::Text, st.px(2.5f));
}

// The three kinds with their counts: the legend, and what one paints with.
void layout_brushes(const BoardView& view, Rect area, const TileCounts& counts) {
  const Style& st = view.style;
  const bool paints = painting(view.state), skips = paints || view.on("exit");
  const std::array<std::string_view, 3> words{skips ? "Skip" : "For nothing", "Mask", "Whole"};
  const std::array<std::string_view, 3> tips{
      skips ? "no key is visible: not even loaded" : "no key is visible, and yet loaded, computed and masked",
      "the diagonal cuts it: computed, then masked element by element", "every key is visible to every row: no mask"};
  const std::array<int64_t, 3> numbers{counts.skipped, counts.masked, counts.full};
  const std::array<std::string_view, 3> ids{"skipped", "masked", "full"};
  const float row = area.h / 3;
  const Color violet = st.palette.fill(Tensor::S);
  for (size_t k = 0; k < 3; ++k) {
    const Rect line{area.x, area.y + row * float(k), area.w, row - st.px(6)};
    const bool chosen = paints && brush_of(view.state) == k;
    if (paints)
      view.box(line, st.r_medium(), chosen ? view[Role::SurfaceStrong] : Color{}, chosen ? Role::Inverse : Role::Border,
               st.px(chosen ? 3 : 1));
    const float side = std::min(line.h - st.px(10), st.px(28));
    const Rect swatch{line.x + st.px(8), line.center().y - side / 2, side, side};
    if (k == 0 && skips) view.box(swatch, st.px(3), {}, Role::Ghost, st.px(1.5f), st.px(4));
    if (k == 0 && !skips) draw_needless(view, swatch, st.px(3));
    if (k == 1) {
      view.box(swatch, st.px(3), {violet, 0.22f}, violet, st.px(1));
      view.polygon({{swatch.x, swatch.y}, {swatch.right(), swatch.bottom()}, {swatch.x, swatch.bottom()}}, violet);
    }
    if (k == 2) view.box(swatch, st.px(3), violet);
    const Rect text{swatch.right() + st.px(10), line.y, line.right() - swatch.right() - st.px(16), line.h};
    const bool shown = !paints && !view.covered(ids[k]) && !view.covered("visited");
    view.text({text.x, text.y, shown ? text.w * 0.6f : text.w, text.h}, words[k], chosen ? Face::SansBold : Face::Sans,
              st.body(), Role::Text);
    if (shown)
      view.text({text.x + text.w * 0.6f, text.y, text.w * 0.4f, text.h}, with_commas(numbers[k]), Face::MonoBold,
                st.body(), Role::Text, Align::Right);
    if (paints) {
      view.region(line, fmt::format("board:brush/{}", k), fmt::format("Paint with \"{}\": {}", words[k], tips[k]), true,
                  st.r_medium());
    } else {
      view.region(line, fmt::format("reading:{}", ids[k]), fmt::format("{}: {}", words[k], tips[k]));
    }
  }
}

void layout(const BoardView& view, Rect area) {
  const Style& st = view.style;
  const Tiling t = truth_of(view.state);
  const std::vector<Reading> all = readings(view);
  const auto reading = [&](std::string_view id) -> const Reading& { return *std::ranges::find(all, id, &Reading::id); };

  // The grid as large as it fits, one query as high as a key is wide where there are enough of both.
  const float side = std::clamp(area.w * 0.34f, st.px(190), st.px(330)), label = st.px(24);
  const Rect room{area.x + label, area.y + label, area.w - side - st.px(28) - label, area.h - 2 * label};
  const double aspect = std::max(0.08, double(t.n_q) / double(t.n_k));
  const float w = std::min(room.w, float(double(room.h) / aspect)), h = float(double(w) * aspect);
  const Grid grid{{room.x + (room.w - w) / 2, room.y + (room.h - h) / 2, w, h},
                  t,
                  share(t.tr, kMostCells),
                  share(t.tc, kMostCells)};
  layout_grid(view, grid);
  view.text({grid.rect.x, grid.rect.y - label, grid.rect.w, label}, fmt::format("{} keys →", with_commas(t.n_k)),
            Face::Sans, st.number(), Tensor::K);
  const std::string queries = fmt::format("{} {}", with_commas(t.n_q), t.n_q == 1 ? "query" : "queries");
  view.text({grid.rect.x, grid.rect.bottom(), grid.rect.w, label},
            grid.share_q > 1 || grid.share_k > 1
                ? fmt::format("↓ {} · each cell = {} × {} tiles", queries, grid.share_q, grid.share_k)
                : "↓ " + queries,
            Face::Sans, st.number(), Tensor::Q);
  if (painting(view.state)) {
    const Cursor at = cursor_of(view.state, t);
    const Rect cell = grid.cell(at.i, at.j, 0);
    view.box(cell.inset(-st.px(1)), st.px(4), {}, Role::Text, st.px(2));
    // Below the grid: the frame is the keyboard's, a pointer paints wherever it is.
    view.region(cell, "board:cursor",
                fmt::format("Q tile {}, K tile {}. Arrows move, Space paints", at.i + 1, at.j + 1), true);
    view.region(grid.rect, "board:grid", "Click or drag to paint the tiles (arrows and Space)");
  }

  // Counts at the right.
  const Rect right{area.right() - side, area.y, side, area.h};
  const float brushes = std::min(right.h * 0.42f, st.px(150));
  layout_brushes(view, {right.x, right.y, right.w, brushes}, count_tiles(t));
  const float gap = std::min(st.px(14), area.h * 0.02f);
  struct Entry {
    std::string_view id, format;
  };
  std::vector<Entry> entries{{"visited", "count"}, {"bound", "number"}, {"waste", "percent"}};
  if (painting(view.state)) {
    entries = {{"tiles", "count"}};
    if (view.hands) entries.insert(entries.begin(), {"painted", "count"});
  } else if (!view.on("exit")) {
    entries = {{"visited", "count"}, {"excess", "number"}, {"scores", "count"}};
  }
  const float each = std::min(st.px(84), (right.h - brushes - gap) / 3);
  float y = right.y + brushes + gap;
  for (const Entry& entry : entries) {
    big_number(view, {right.x, y, right.w, each - st.px(6)}, reading(entry.id), entry.format,
               std::min(st.display(), each * 0.4f));
    y += each;
  }
}

std::string act(std::string_view id, Vec2 at, bool dragged, BoardState& state) {
  constexpr std::string_view kBrush = "board:brush/";
  if (id.starts_with(kBrush)) {
    set_brush(state, id[kBrush.size()] - '0');
    return {};
  }
  if (!painting(state)) return {};
  const Tiling t = truth_of(state);
  const bool finished = judged(paint_of(state, t), t).right == t.tr * t.tc;  // then Enter goes on instead
  if (id == "board:cursor" && !dragged && !finished) paint_next(state, t);
  if (id == "board:grid" && at.x >= 0 && at.x < 1 && at.y >= 0 && at.y < 1)
    paint_tile(state, t,
               {std::min(t.tr - 1, int64_t(double(at.y) * double(t.n_q)) / t.br),
                std::min(t.tc - 1, int64_t(double(at.x) * double(t.n_k)) / t.bc)});
  return {};
}

std::string nudge(std::string_view id, int right, int up, BoardState& state) {
  if (id.starts_with("board:brush/")) {
    set_brush(state, (int(brush_of(state)) + right - up + 3) % 3);
    return {};
  }
  if (id != "board:cursor") return {};
  const Tiling t = truth_of(state);
  const Cursor at = cursor_of(state, t);
  set_cursor(state, {std::clamp<int64_t>(at.i - up, 0, t.tr - 1), std::clamp<int64_t>(at.j + right, 0, t.tc - 1)});
  return {};
}

}  // namespace

const Board kCausalBoard{.id = "causal",
                         .title = "Tiles under a causal mask",
                         .knobs = kKnobs,
                         .layout = layout,
                         .caption = caption,
                         .readings = readings,
                         .act = act,
                         .nudge = nudge,
                         .fixed = "one head · causal mask · fp16"};

}  // namespace tilewalk
