// The SRAM card: the tiles of one thread block, each always in its own place, dashed where it is not on chip.
#include "app/stage/pieces.h"
#include "app/stage/seat.h"
#include "app/stage/tile_view.h"
#include "app/text/text.h"
#include "core/machine/words.h"
#include "core/playback/output_state.h"
#include "core/quantity/quantity.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {
namespace {

// In KiB, as the sizes of memories on chip are told.
std::string on_chip_bytes(int64_t bytes) {
  return bytes < 1024 ? short_bytes(bytes)
                      : format_quantity({double(bytes), "byte", Origin::Computed, {}}, "binary").value_or("");
}

std::string scale_words(const Problem& p) {
  if (p.scale == 0) return " / √d";
  return p.scale == 1 ? "" : " · scale";
}

std::string scores_title(const Canvas& canvas, const Held& h) {
  const int64_t i = h.shown ? h.shown->i : canvas.story.i, j = h.shown ? h.shown->j : canvas.story.j;
  const MachineState& state = canvas.now.after;
  if (!h.shown) return "S";
  if (h.faded) return tile_name(h.shown->tensor, i, j);
  if (h.shown->tensor == Tensor::S) {
    const bool made_here = state.find(Tensor::Q) && state.find(Tensor::K);
    return made_here
               ? fmt::format("S = Q{}K{}ᵀ{}", subscript(i + 1), subscript(j + 1), scale_words(canvas.plan.problem))
               : tile_name(Tensor::S, i, j);
  }
  const auto step = weights_made_by(canvas, *h.shown);
  if (step && step->kind == StepKind::NormalizeP) return "P = e^(S − m) / l";
  if (step && step->kind == StepKind::LoadP) return tile_name(Tensor::P, i, j);
  if (left_out(canvas.view, "statistics")) return "P, not yet divided";
  return "P = e^(S − m)";
}

// The longest form that there is room for.
std::string scores_title(const Canvas& canvas, const Held& h, float size, float width) {
  const std::string whole = scores_title(canvas, h);
  if (!h.shown) return whole;
  return form_that_fits(
      {whole, tile_name(h.shown->tensor, h.shown->i, h.shown->j), std::string(symbol_of(h.shown->tensor))},
      Face::SansBold, size, width);
}

// What happened to O last, for the line over it.
std::string output_words(const Canvas& canvas, const Held& o) {
  if (!o.shown || o.faded) return "";
  const Walk& walk = *canvas.now.walk;
  switch (output_state(walk.replay.steps(), canvas.now.playhead, o.shown->i, walk.schedule)) {
    case OutputState::Zero: return "starts at 0";
    case OutputState::Sum: return "unnormalised";
    case OutputState::PartOfAverage: return "part of the average";
    case OutputState::Average: return "normalised";
    case OutputState::Final: return "final";
  }
  return "";
}

std::string factor_words(const Canvas& canvas) {
  const auto factor = [&](const MachineState& state, Tensor t, std::string_view sign) {
    const Resident* r = state.find(t);
    return r && canvas.now.row < r->data->rows
               ? fmt::format("row {} {} {}", canvas.followed() + 1, sign, number_words(r->data->at(canvas.now.row, 0)))
               : std::string();
  };
  if (canvas.story.does(StepKind::Rescale)) return factor(canvas.now.after, Tensor::Alpha, "×");
  if (canvas.story.does(StepKind::Normalize)) return factor(canvas.now.after, Tensor::L, "÷");
  if (canvas.story.does(StepKind::Denormalize)) return factor(canvas.now.after, Tensor::L, "×");
  return "";
}

}  // namespace

void layout_sram_title(Canvas& canvas, Rect slot) {
  const Style& st = canvas.style;
  const MachineState& state = canvas.now.after;
  const MachineSpec& spec = canvas.now.walk->spec;
  const float line = st.px(24);
  const std::string block = canvas.now.walk->schedule.section_is_block && canvas.now.place.rows > 1 && canvas.story.any
                                ? fmt::format("thread block {} of {}", canvas.now.place.row, canvas.now.place.rows)
                                : "one thread block";
  const std::string brief = block.starts_with("thread ") ? block.substr(7) : "one block";
  // The card holds both: the tiles of Q, K and V are in SRAM, what the line below them spans is in registers.
  std::string both = "SRAM, registers";
  for (const char* shorter : {"On chip", "Chip"})
    if (text_width(both, Face::SansBold, st.body()) > slot.w) both = shorter;
  canvas.runs({slot.x, slot.y, slot.w, line},
              {{both, Face::SansBold, st.body(), st[Role::Text]},
               {"one multiprocessor", Face::Sans, st.small(), st[Role::TextSecondary]}},
              st.px(10));
  const std::string used = fmt::format("{} of {}", bytes_words(state.sram_used), bytes_words(spec.sram_bytes));
  const std::string tip = fmt::format(
      "SRAM holds {} of the {} that one thread block can use on {}; what stands over "
      "\"in registers\" lies in registers instead.",
      bytes_words(state.sram_used), bytes_words(spec.sram_bytes), spec.title);
  const float bar = st.px(8);
  const float needed = line + st.px(6) + bar + st.px(4) + st.px(20);
  canvas.scene.region({slot.x, slot.y, slot.w, std::min(slot.h, needed)}, "level:sram", tip);
  if (slot.h < needed) return;
  const float width = std::min(slot.w, st.px(224));
  const Rect track{slot.x, slot.y + line + st.px(8), width, bar};
  canvas.scene.box(track, bar / 2, st[Role::SurfaceStrong], st[Role::Border], st.px(1));
  const float part = std::clamp(float(state.sram_used) / float(spec.sram_bytes), 0.0f, 1.0f);
  if (part > 0) canvas.scene.box({track.x, track.y, std::max(bar, width * part), bar}, bar / 2, st[Role::Inverse]);
  canvas.fit(
      {slot.x, track.bottom() + st.px(3), slot.w, st.px(20)},
      {"SRAM: " + used, fmt::format("SRAM: {} of {}", on_chip_bytes(state.sram_used), bytes_words(spec.sram_bytes)),
       "SRAM: " + on_chip_bytes(state.sram_used), on_chip_bytes(state.sram_used)},
      Face::Sans, st.small(), st[Role::TextSecondary]);
  if (slot.h >= needed + st.px(22))
    canvas.fit({slot.x, track.bottom() + st.px(23), slot.w, st.px(20)}, {block, brief, ""}, Face::Sans, st.small(),
               st[Role::TextSecondary]);
}

namespace {

// An arrow across the gap between two places.
void arrow(const Canvas& canvas, Vec2 from, Vec2 to) {
  canvas.scene.line(from, to, canvas[Role::Text], canvas.px(2.5f), 0, true);
}

// `s_end` and `o_end`: how far the names over S and O reach; an arrow from above gives way to them.
void arrows(const Canvas& canvas, const SramPlan& p, float s_end, float o_end) {
  const Story& story = canvas.story;
  const float off = canvas.px(8);
  const TileGrid rows(p.s, std::min(canvas.tiling.br, canvas.tiling.n_q), 1, canvas.style);
  const float y = std::clamp(rows.band(canvas.now.row).center().y, p.s.y + canvas.px(10), p.s.bottom() - canvas.px(10));
  const auto across = [&](const Rect& a, const Rect& b) { arrow(canvas, {a.right() + off, y}, {b.x - off, y}); };
  const auto down = [&](const Rect& a, const Rect& b, float taken) {
    const float x = a.right() - std::min(a.w * 0.1f, canvas.px(14));
    if (taken + canvas.px(10) < x) arrow(canvas, {x, a.bottom() + off}, {x, b.y - off});
  };
  if (story.does(StepKind::Score)) {
    across(p.q, p.s);
    down(p.k, p.s, s_end);
  }
  if (story.does(StepKind::RowMax)) across(p.s, p.m);
  if (story.does(StepKind::RowSum)) across(p.s, p.m);
  if (story.does(StepKind::Accumulate)) down(p.v, p.o, o_end);
}

}  // namespace

void layout_registers_note(Canvas& canvas, Rect r) {
  if (r.w <= 0) return;
  const Style& st = canvas.style;
  const MachineState& state = canvas.now.after;
  const std::string words = canvas.now.walk->spec.register_bytes
                                ? fmt::format("in registers: {} of {}", on_chip_bytes(state.registers_used),
                                              bytes_words(canvas.now.walk->spec.register_bytes))
                                : "in registers";
  const float w = text_width(words, Face::Sans, st.small());
  const float y = r.center().y, mid = r.center().x;
  const Color line = st[Role::Border];
  canvas.scene.line({r.x, y}, {mid - w / 2 - st.px(8), y}, line, st.px(1.5f));
  canvas.scene.line({mid + w / 2 + st.px(8), y}, {r.right(), y}, line, st.px(1.5f));
  canvas.scene.line({r.x, r.y}, {r.x, y}, line, st.px(1.5f));
  canvas.scene.line({r.right(), r.y}, {r.right(), y}, line, st.px(1.5f));
  const Rect slot{mid - w / 2 - st.px(2), r.y, w + st.px(4), r.h};
  canvas.scene.label(slot, words, Face::Sans, st.small(), st[Role::TextSecondary], Align::Center);
  canvas.scene.region(
      slot, "label:registers",
      "What stands over the line lies in registers. Sums have four bytes a number there, also where the "
      "inputs have two.");
}

void layout_sram(Canvas& canvas, Rect rect) {
  if (canvas.now.walk->schedule.backward()) return layout_backward_sram(canvas, rect);
  const Style& st = canvas.style;
  const Tiling& t = canvas.tiling;
  if (!canvas.for_room) canvas.card(rect, st[Role::Background], st[Role::Text], st.px(2));
  const SramPlan p = sram_plan(canvas, rect);
  const int64_t br = std::min(t.br, t.n_q), bc = std::min(t.bc, t.n_k);

  layout_sram_title(canvas, p.title);

  // The followed row runs through Q, S, the statistics and O.
  const TileGrid lines(p.s, br, bc, st);
  Rect band = lines.band(canvas.now.row);
  if (band.h < st.px(12))
    band = {band.x, std::clamp(band.center().y - st.px(6), p.s.y, p.s.bottom() - st.px(12)), band.w, st.px(12)};
  const Rect across{p.row_numbers.x, band.y - st.px(1), p.o.right() + st.px(5) - p.row_numbers.x, band.h + st.px(2)};
  canvas.scene.box(across, st.px(4), st[Role::SurfaceStrong]);

  const Seat q{Tensor::Q, p.q, br, t.d}, k{Tensor::K, p.k, t.d, bc, true}, v{Tensor::V, p.v, bc, t.d},
      s{Tensor::S, p.s, br, bc}, o{Tensor::O, p.o, br, t.d};
  const auto shown_of = [&](Tensor tensor, StepKind load) {
    return held(canvas, {tensor}, shown_slot(canvas.now, canvas.story, tensor, load));
  };
  const Held hq = held(canvas, {Tensor::Q}, 0), hs = held(canvas, {Tensor::S, Tensor::P}, canvas.story.slot),
             ho = held(canvas, {Tensor::O}, 0), hk = shown_of(Tensor::K, StepKind::LoadK),
             hv = shown_of(Tensor::V, StepKind::LoadV);
  const Story& story = canvas.story;
  draw_seat(canvas, q, hq, story.of(Tensor::Q));
  draw_seat(canvas, k, hk, story.of(Tensor::K));
  draw_seat(canvas, v, hv, story.of(Tensor::V));
  draw_seat(canvas, s, hs, story.of_scores());
  draw_seat(canvas, o, ho, story.of(Tensor::O));
  canvas.remember(Level::Sram, Tensor::Q, 0, p.q);
  canvas.remember(Level::Sram, Tensor::K, 0, p.k);
  canvas.remember(Level::Sram, Tensor::V, 0, p.v);
  canvas.remember(Level::Sram, Tensor::S, 0, p.s);
  canvas.remember(Level::Sram, Tensor::P, 0, p.s);
  canvas.remember(Level::Sram, Tensor::O, 0, p.o);
  canvas.remember(Level::Sram, Tensor::M, 0, p.m);
  canvas.remember(Level::Sram, Tensor::L, 0, p.l);
  canvas.remember(Level::Sram, Tensor::Lse, 0, p.alpha);

  // The followed row of S, framed: it is what the statistics are about.
  if (hs.shown && !hs.faded && canvas.now.row < hs.shown->data->rows)
    canvas.scene.box({p.s.x - st.px(1), band.y - st.px(1), p.s.w + st.px(2), band.h + st.px(2)}, st.px(4), {},
                     st[Role::Text], st.px(2));

  // Names over the tiles; what does not fit is left out, the name last.
  const float name_size = rect.h < st.px(300) ? st.number() : st.body();
  const auto name = [&](Rect slot, const Seat& seat, const Held& h, std::string words,
                        std::string_view suffix = "") -> float {
    const Color ink = st.palette.ink(seat.tensor);
    const int64_t i = h.shown ? h.shown->i : story.i, j = h.shown ? h.shown->j : story.j;
    const std::string title =
        h.shown ? tile_name(seat.tensor, i, j) + std::string(suffix) : std::string(symbol_of(seat.tensor));
    // Where not all fits, what a cell stands for goes before the rest.
    std::string share = share_note(canvas, seat);
    const auto width = [&](const std::string& text) {
      return text.empty() ? 0 : text_width(text, Face::Sans, st.small()) + st.px(8);
    };
    const float title_w = text_width(title, Face::SansBold, name_size);
    if (title_w + width(words) + width(share) > slot.w && share.starts_with("each ")) {
      if (title_w + width(words) + width(share.substr(5)) > slot.w && h.shown && !h.faded)
        words.clear();
      else
        share = share.substr(5);
      if (title_w + width(words) + width(share) > slot.w && share.starts_with("each ")) share = share.substr(5);
    }
    canvas.scene.region({slot.x, slot.y, std::min(slot.w, title_w), slot.h},
                        fmt::format("word:{}", symbol_of(seat.tensor)), meaning_of(seat.tensor));
    if (words == "unnormalised" && title_w + width(words) <= slot.w)
      canvas.scene.region({slot.x + title_w + st.px(8), slot.y, width(words) - st.px(8), slot.h}, "word:unnormalised",
                          "A sum that has not been divided by l yet: that is done once, after the last tile.");
    return canvas.runs(slot,
                       {{title, Face::SansBold, name_size, ink},
                        {words, Face::Sans, st.small(), st[Role::TextSecondary]},
                        {share, Face::Sans, st.small(), st[Role::TextSecondary]}},
                       st.px(8));
  };
  const auto size_of = [&](const Held& h) {
    if (!h.shown) return std::string("not on chip");
    if (h.faded) return std::string("used up");
    const bool turned = h.shown->tensor == Tensor::K;  // drawn as Kᵀ
    return turned ? fmt::format("{} × {}", h.shown->data->cols, h.shown->data->rows)
                  : fmt::format("{} × {}", h.shown->data->rows, h.shown->data->cols);
  };
  name(p.q_label, q, hq, size_of(hq));
  name(p.k_label, k, hk, size_of(hk), "ᵀ");
  name(p.v_label, v, hv, size_of(hv));
  // A softmax pass holds a whole row of tiles.
  const auto tiles = std::count_if(canvas.now.after.chip.begin(), canvas.now.after.chip.end(),
                                   [](const Resident& r) { return is_scores(r.tensor); });
  const float s_width = canvas.runs(
      p.s_label,
      {{scores_title(canvas, hs, name_size, p.s_label.w), Face::SansBold, name_size, st.palette.ink(Tensor::S)},
       {hs.shown    ? hs.faded    ? "used up"
                      : tiles > 1 ? fmt::format("{} tiles on chip", tiles)
                                  : ""
        : tiles > 0 ? fmt::format("{} tile{} on chip", tiles, tiles == 1 ? "" : "s")
                    : "not on chip",
        Face::Sans, st.small(), st[Role::TextSecondary]},
       {share_note(canvas, s), Face::Sans, st.small(), st[Role::TextSecondary]}},
      st.px(8));
  if (s_width > 0) {
    const Tensor made = hs.shown ? hs.shown->tensor : Tensor::S;
    canvas.scene.region({p.s_label.x, p.s_label.y, s_width, p.s_label.h}, fmt::format("word:{}", symbol_of(made)),
                        meaning_of(made));
  }
  float o_width = 0;
  if (std::string factor = factor_words(canvas); !factor.empty() && ho.shown && !ho.arriving) {
    const std::string o_name = tile_name(Tensor::O, ho.shown->i, 0);
    const float left = p.o_label.w - text_width(o_name, Face::SansBold, name_size) - st.px(10);
    if (text_width(factor, Face::SansBold, st.number()) > left) {
      factor = factor.substr(factor.find(" ", 4) + 1);  // "× 0.867"
    }
    o_width = canvas.runs(p.o_label,
                          {{o_name, Face::SansBold, name_size, st.palette.ink(Tensor::O)},
                           {factor, Face::SansBold, st.number(), st[Role::AccentText]}},
                          st.px(10));
  } else {
    o_width = name(p.o_label, o, ho, ho.shown ? output_words(canvas, ho) : "not on chip");
  }

  layout_statistics(canvas, p);
  arrows(canvas, p, p.s.x + s_width, p.o.x + o_width);

  layout_registers_note(canvas, p.registers);
}

}  // namespace tilewalk
