// What every piece of the stage is laid out with: the scene, the moment and its story, sizes, and the few ways in which
// text is fitted and things are outlined. Also remembers where each tile lies, for the tiles that travel.
#pragma once

#include "app/scene/scene.h"
#include "app/scene/style.h"
#include "app/stage/moment.h"
#include "app/stage/story.h"
#include "core/judge/shrinks.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

constexpr int64_t kMostCells = 24;  // along a side of what is drawn as cells; more share a cell

struct Canvas {
  Canvas(Scene& scene, const Session& session, const Moment& now, const ViewState& view, const Style& style);

  Scene& scene;
  const Session& session;
  const Moment& now;
  const ViewState& view;
  const Style& style;
  const Story story;
  const Progression timing;
  const Plan& plan;
  const Tiling& tiling;
  const AlphaUse alpha;
  std::array<bool, kTensorCount> line_tensors{};
  bool for_room = false;  // read from the last row: fewer things, the numbers that carry the step as the largest

  float px(float design) const { return style.px(design); }
  // Of a number in a cell: a wall's design pixels are large, in whatever theme.
  float least_number() const { return px(style.palette.theme == Theme::Projector && !for_room ? 16 : 14); }
  Color operator[](Role role) const { return style[role]; }
  bool fused() const { return !now.walk->schedule.scores_in_memory; }
  int64_t followed() const { return now.tile * tiling.br + now.row; }  // over the whole of Q

  // The first text that fits the slot, else the last one shortened; nothing where not even that says anything. Returns
  // the width used.
  float fit(Rect slot, std::initializer_list<std::string_view> texts, Face face, float size, Color color,
            Align align = Align::Left) const;

  // Pieces of text one after the other on a line; a piece that does not fit any more is left out.
  struct Run {
    std::string text;
    Face face;
    float size;
    Color color;
  };
  float runs(Rect slot, std::initializer_list<Run> runs, float gap) const;

  // A memory level's card.
  void card(Rect rect, Color fill, Color stroke, float width) const;
  // What the steps on show change or read, and what is pointed at, outlined. Never by hue alone.
  void emphasis(Rect rect, float radius, Part part) const;
  void lit(Rect rect, float radius, std::string_view id) const;
  // A dot at the corner of a tile: DRAM does not have its newest data yet, L2 does.
  void dirty_dot(Rect tile) const;
  // Pointing at a line of the pseudo-code lights what it reads or changes.
  void lit_by_line(Rect rect, float radius, Tensor tensor) const;
  bool is_lit(std::string_view id) const { return !id.empty() && (view.hover == id || view.selection == id); }

  // Where tiles lie. A cell that stands for several is remembered by its first.
  struct Spot {
    Level level;
    Tensor tensor;
    int64_t index;
    Rect rect;
  };
  void remember(Level level, Tensor tensor, int64_t index, Rect rect) { spots.push_back({level, tensor, index, rect}); }
  const Rect* spot(Level level, Tensor tensor, int64_t index) const;
  std::vector<Spot> spots;
};

// Number of a tile among its tensor's: i, j, or i * Tc + j.
int64_t tile_index(Tensor tensor, int64_t i, int64_t j, const Tiling& tiling);
std::string tile_id(Tensor tensor, int64_t i, int64_t j);  // "tile:K/2", "tile:S/1/2"
std::string stat_id(Tensor tensor, int64_t row);           // "stat:alpha/5"

// How many neighbours share a cell so that n of them take at most `most` cells: a power of two.
int64_t share(int64_t n, int64_t most);

// Bytes for a person, in few characters: "512 B", "1.5 KB" (of 1024), "4.36 MB" (of 10^6).
std::string counted_bytes(int64_t bytes);  // what was moved, exact below a million, and never in units of 1,024
std::string short_bytes(int64_t bytes);

}  // namespace tilewalk
