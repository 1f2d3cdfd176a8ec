// S and P in DRAM, tile by tile: for standard attention they are really there; for the fused schedules they never are,
// and a grid of outlines, none of them filled, shows how far the walk over them has come.
#include "app/stage/pieces.h"
#include "app/text/text.h"
#include "core/machine/words.h"
#include "core/playback/row_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tilewalk {
namespace {

// The order in which a schedule meets the tiles of S, as one number per tile: smaller is earlier.
int64_t turn_of(const Canvas& canvas, int64_t i, int64_t j) {
  const Tiling& t = canvas.tiling;
  const bool backwards = canvas.plan.variant.last_to_first;
  if (canvas.now.walk->schedule.backward()) return j * t.tr + (backwards ? t.tr - 1 - i : i);
  if (canvas.now.walk->schedule.keys_outside) return (backwards ? t.tc - 1 - j : j) * t.tr + i;
  return i * t.tc + (backwards ? std::max<int64_t>(0, t.visits(i) - 1 - j) : j);
}

struct ScoresDone {
  int64_t turn = -1;       // newest tile whose scores have been made
  int32_t i = -1, j = -1;  // it
  bool live = false;       // its scores or weights are still of use
};

bool makes(StepKind kind, Tensor tensor) {
  if (tensor == Tensor::S) return kind == StepKind::Score;
  if (tensor == Tensor::P) return kind == StepKind::Exponentiate || kind == StepKind::Recompute;
  return kind == (tensor == Tensor::DP ? StepKind::GradientP : StepKind::GradientS);
}

// The N x N matrices that this walk is about.
std::vector<Tensor> matrices_of(const Canvas& canvas) {
  const Schedule& schedule = canvas.now.walk->schedule;
  if (!schedule.backward()) return {Tensor::S, Tensor::P};
  return schedule.scores_in_memory ? std::vector{Tensor::P, Tensor::DP, Tensor::DS}
                                   : std::vector{Tensor::P, Tensor::DS};
}

// Of S: which scores have been made; of P: which weights.
ScoresDone progress_of(const Canvas& canvas, Tensor tensor) {
  const std::vector<Step>& steps = canvas.now.walk->replay.steps();
  int64_t k = canvas.now.playhead - 1;
  while (k >= 0 && !makes(steps[size_t(k)].kind, tensor)) --k;
  if (k < 0) return {};
  const Step& step = steps[size_t(k)];
  // Where a whole row of tiles stays on chip, a later loop is about one that was made before the newest.
  if (const WalkNest* nest = nest_on_show(canvas.now); nest && nest->keeps_row) {
    const int32_t i = canvas.story.i, j = canvas.story.j;
    const bool made = turn_of(canvas, i, j) <= turn_of(canvas, step.i, step.j);
    return {turn_of(canvas, step.i, step.j), i, j, made && resident_of(canvas.now.after, tensor, i, j)};
  }
  const Resident* held = canvas.now.after.find(tensor, step.slot);
  const bool here = held && held->i == step.i && held->j == step.j && canvas.story.i == step.i;
  // With two buffers the moment may be about one tile while the other waits for its turn.
  const bool spent = std::any_of(steps.begin() + k, steps.begin() + canvas.now.playhead, [&](const Step& s) {
    const bool last_use = s.kind == StepKind::Accumulate || s.kind == StepKind::AccumulateDK;
    return last_use && s.i == step.i && s.j == step.j;
  });
  const bool live = here && (canvas.story.j == step.j || !spent);
  return {turn_of(canvas, step.i, step.j), step.i, step.j, live};
}

enum class Look : uint8_t { Ghost, Part, Done, Current, Skipped };

struct Cell {
  Tensor tensor;
  int64_t i0, i1, j0, j1;
  bool really_there, skipped, ghost;
};

// Put together by hand: a grid has hundreds of cells, and each has its sentence.
std::string tip_of_cell(const Canvas& canvas, const Cell& c) {
  const auto number = [](int64_t n) { return std::to_string(n + 1); };
  if (c.i0 != c.i1 || c.j0 != c.j1)
    return "Q tiles " + number(c.i0) + " to " + number(c.i1) + " against K tiles " + number(c.j0) + " to " +
           number(c.j1) + ".";
  std::string tip(symbol_of(c.tensor));
  tip.reserve(96);
  tip += " tile (" + number(c.i0) + ", " + number(c.j0) + ")";
  if (!c.really_there)
    return tip += c.skipped ? " is skipped: every key in it lies after every query."
                            : " is made and used on chip; it never reaches DRAM.";
  if (c.ghost) return tip += " is not written yet.";
  const int64_t rows = canvas.tiling.rows(c.i0), cols = canvas.tiling.cols(c.j0);
  tip += ": " + std::to_string(rows) + " × " + std::to_string(cols) + ", " +
         bytes_words(rows * cols * bytes_of(canvas.plan.problem.format)) + " in DRAM.";
  if (c.skipped) tip += " The mask hides all of it, yet it is computed, stored and read.";
  return tip;
}

void draw_grid(Canvas& canvas, Rect rect, Tensor tensor, bool really_there, const ScoresDone& progress) {
  const Style& st = canvas.style;
  const Tiling& t = canvas.tiling;
  const int64_t each_i = share(t.tr, std::min<int64_t>(kMostCells, std::max<int64_t>(1, int64_t(rect.h / st.px(6)))));
  const int64_t each_j = share(t.tc, std::min<int64_t>(kMostCells, std::max<int64_t>(1, int64_t(rect.w / st.px(6)))));
  const int64_t rows = (t.tr + each_i - 1) / each_i, cols = (t.tc + each_j - 1) / each_j;
  const float side_w = rect.w / float(cols), side_h = rect.h / float(rows);
  const float gap = std::min(side_w, side_h) >= st.px(20)  ? st.px(3)
                    : std::min(side_w, side_h) >= st.px(9) ? st.px(2)
                                                           : st.px(1);
  const float radius = std::min({st.r_small(), side_w * 0.16f, side_h * 0.16f});
  const Color color = st.palette.fill(Tensor::S);
  const bool dashed = std::min(side_w, side_h) >= st.px(16);
  const TileTable* table = canvas.now.after.memory(tensor);
  if (canvas.timing.values < 1) table = canvas.now.before.memory(tensor);

  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c) {
      const int64_t i0 = r * each_i, i1 = std::min(t.tr, i0 + each_i) - 1;
      const int64_t j0 = c * each_j, j1 = std::min(t.tc, j0 + each_j) - 1;
      const bool skipped = t.kind(i1, j0) == TileKind::Skipped;
      const bool here = progress.i >= i0 && progress.i <= i1 && progress.j >= j0 && progress.j <= j1;
      Look look = Look::Ghost;
      if (really_there) {
        int64_t there = 0;
        for (int64_t i = i0; i <= i1; ++i)
          for (int64_t j = j0; j <= j1; ++j) there += table->get(i * t.tc + j) != nullptr;
        look = there == (i1 - i0 + 1) * (j1 - j0 + 1) ? Look::Done : there ? Look::Part : Look::Ghost;
        if (canvas.story.any && canvas.story.of(tensor) != Part::Rest && canvas.story.i >= i0 && canvas.story.i <= i1 &&
            canvas.story.j >= j0 && canvas.story.j <= j1 && there)
          look = Look::Current;
      } else if (skipped) {
        look = Look::Skipped;
      } else if (here && progress.live) {
        look = Look::Current;
      } else {
        int64_t seen = 0, visible = 0;
        for (const auto& [i, j] : {std::pair{i0, j0}, std::pair{i1, j0}, std::pair{i0, j1}, std::pair{i1, j1}}) {
          if (t.kind(i, j) == TileKind::Skipped) continue;
          ++visible;
          seen += turn_of(canvas, i, j) <= progress.turn;
        }
        look = visible && seen == visible ? Look::Done : seen ? Look::Part : Look::Ghost;
      }

      const Rect cell{rect.x + float(c) * side_w + gap / 2, rect.y + float(r) * side_h + gap / 2, side_w - gap,
                      side_h - gap};
      // What never lies here is outlined alone: paler where it is still to come.
      const Color soft = really_there ? mix(st[Role::Background], color, 0.45f) : Color{};
      switch (look) {
        case Look::Skipped: {
          const float in = std::min(cell.w, cell.h) * 0.32f;
          const Color cross = st[Role::Border];
          if (dashed) {
            canvas.scene.line({cell.x + in, cell.y + in}, {cell.right() - in, cell.bottom() - in}, cross, st.px(1.5f));
            canvas.scene.line({cell.right() - in, cell.y + in}, {cell.x + in, cell.bottom() - in}, cross, st.px(1.5f));
          }
          break;
        }
        case Look::Ghost:
          canvas.scene.box(cell, radius, {}, mix(color, st[Role::Background], dashed ? 0.35f : 0.65f),
                           st.px(dashed ? 1.25f : 1), dashed ? st.px(3) : 0);
          break;
        case Look::Part:
          canvas.scene.box(cell, radius, really_there ? mix(soft, st[Role::Background], 0.5f) : Color{}, color,
                           st.px(1), dashed ? st.px(3) : 0);
          break;
        case Look::Done:
          canvas.scene.box(cell, radius, soft, really_there ? color : mix(color, st[Role::Background], 0.2f), st.px(1),
                           really_there || !dashed ? 0 : st.px(3));
          break;
        case Look::Current:
          // Scores on chip are marked, not filled: nothing lies here.
          if (really_there)
            canvas.scene.box(cell, radius, color);
          else
            canvas.scene.box(cell, radius, soft, color, st.px(dashed ? 2.5f : 1.5f), dashed ? st.px(3) : 0);
          break;
      }
      // A tile that the mask cuts through: its upper right corner is hidden.
      // Standard attention computes hidden tiles all the same; they are crossed where they lie.
      const Color mark =
          look == Look::Current && really_there ? st.palette.label_on(Tensor::S) : st[Role::TextSecondary];
      const bool masked = look != Look::Skipped && t.kind(i0, j1) != TileKind::Full && dashed;
      if (masked && skipped)
        canvas.scene.line({cell.right() - cell.w * 0.25f, cell.y + cell.h * 0.2f},
                          {cell.x + cell.w * 0.2f, cell.bottom() - cell.h * 0.25f}, mark, st.px(1.5f));
      if (masked)
        canvas.scene.line({cell.x + cell.w * 0.25f, cell.y + cell.h * 0.2f},
                          {cell.right() - cell.w * 0.2f, cell.bottom() - cell.h * 0.25f}, mark, st.px(1.5f));
      const std::string id = tile_id(tensor, i0, j0);
      canvas.lit(cell, radius, id);
      canvas.remember(Level::Dram, tensor, i0 * t.tc + j0, cell);
      canvas.scene.region(cell, id,
                          tip_of_cell(canvas, {tensor, i0, i1, j0, j1, really_there, skipped, look == Look::Ghost}));
    }
}

}  // namespace

void layout_scores_in_dram(Canvas& canvas, Rect rect) {
  const Style& st = canvas.style;
  const Tiling& t = canvas.tiling;
  const bool there = !canvas.fused();
  const float title_h = st.px(rect.h < st.px(150) ? 24 : 28), gap = st.px(rect.w < st.px(300) ? 12 : 24);
  const std::vector<Tensor> matrices = matrices_of(canvas);
  const float w = (rect.w - gap * float(matrices.size() - 1)) / float(matrices.size()), h = rect.h - title_h;

  // Shaped like N x N itself, up to a size; a single row of tiles stays high enough to be seen.
  const float scale = std::min(w / float(t.n_k), h / float(t.n_q));
  const Vec2 size{std::clamp(scale * float(t.n_k), std::min(w, st.px(16)), std::min(w, st.px(64) * float(t.tc))),
                  std::clamp(scale * float(t.n_q), std::min(h, st.px(16)), std::min(h, st.px(64) * float(t.tr)))};
  const int64_t each_i = share(t.tr, kMostCells), each_j = share(t.tc, kMostCells);
  const std::string shared = each_i * each_j > 1 ? fmt::format("a cell = {}×{} tiles", each_i, each_j) : "";
  float x = rect.x;
  const std::string made = canvas.now.walk->schedule.backward() ? "made again, never here" : "made on chip, never here";
  for (Tensor tensor : matrices) {
    const std::string long_words = tensor == Tensor::DS ? "made on chip, never here" : made;
    const float room = w - text_width(symbol_of(tensor), Face::SansBold, st.body()) - st.px(8);
    std::string words = there ? fmt::format("{} × {}", t.n_q, t.n_k) : long_words;
    for (const char* shorter : {"never here", "never"})
      if (!there && text_width(words, Face::Sans, st.small()) > room) words = shorter;
    canvas.scene.region({x, rect.y, w, title_h}, fmt::format("word:{}", symbol_of(tensor)),
                        there ? meaning_of(tensor)
                              : fmt::format("{} is made on chip, tile by tile, and used there. It never lies in DRAM: "
                                            "dashed, stronger where they have been made.",
                                            symbol_of(tensor)));
    canvas.runs({x, rect.y, w, title_h},
                {{std::string(symbol_of(tensor)), Face::SansBold, st.body(), st.palette.ink(tensor)},
                 {words, Face::Sans, st.small(), st[Role::TextSecondary]},
                 {tensor == matrices.front() ? shared : "", Face::Sans, st.small(), st[Role::TextSecondary]}},
                st.px(8));
    draw_grid(canvas, {x, rect.y + title_h, size.x, size.y}, tensor, there,
              there ? ScoresDone{} : progress_of(canvas, tensor));
    x += w + gap;
  }
}

}  // namespace tilewalk
