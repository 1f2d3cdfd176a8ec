// The SRAM card of a backward walk. Above, what stays while every Q tile passes by: K and V, and the dK and dV that
// grow meanwhile. Below, what comes and goes, level by query row. Both products stand as on paper: S right of Q and
// under Kᵀ, dP left of dO and under Vᵀ.
#include "app/stage/pieces.h"
#include "app/stage/seat.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tilewalk {
namespace {

// Design pixels: five digits of display(), so that the cells of Q, dO and O have room for theirs.
constexpr float kRoomBackwardStatWidth = 92;

struct BackwardPlan {
  Rect title, row_numbers, registers;
  Rect k, v, dv, dk;          // above
  Rect q, s, dp, d_o, o, dq;  // below
  std::vector<std::pair<Tensor, Rect>> statistics;
  float label = 0, stat_label = 0;  // height of the names over the tiles, and where those below stand
  bool has_o = false;
};

// Statistics that the walk brings on chip.
std::vector<Tensor> statistics_of(const Canvas& canvas) {
  std::vector<Tensor> out;
  for (Tensor t : {Tensor::M, Tensor::L, Tensor::Lse})
    if (canvas.now.walk->total.total.loaded[size_t(t)] > 0) out.push_back(t);
  out.push_back(Tensor::D);
  return out;
}

BackwardPlan plan_of(const Canvas& canvas, Rect card) {
  const Style& st = canvas.style;
  const Tiling& t = canvas.tiling;
  const float s = st.scale, w = card.w / s, h = card.h / s;  // in design pixels
  const bool tight = h < 300;
  const bool room_for_numbers = canvas.for_room;
  const float pad_x = room_for_numbers ? 0
                      : w < 800        ? 12
                                       : 20,
              pad_top = tight ? 6 : 12,
              pad_bottom = room_for_numbers ? 0
                           : tight          ? 13
                                            : 10;
  const float label = tight ? 28 : 33, between = tight ? 34 : 41, foot = h < 240 || room_for_numbers ? 0 : 22;
  const float rows = float(std::min(t.br, t.n_q)), keys = float(std::min(t.bc, t.n_k));

  const float tall = h - pad_top - pad_bottom - label - between - foot;
  const float low = std::min(tall * (room_for_numbers ? 0.76f : 0.58f), rows * (rows <= 2 ? 110 : rows <= 4 ? 56 : 44));
  const float high = tall - low;

  BackwardPlan p;
  p.has_o = canvas.now.walk->total.total.loaded[size_t(Tensor::O)] > 0;
  const std::vector<Tensor> stats = statistics_of(canvas);
  const float gap = w < 620 ? 12 : w < 800 ? 16 : 26, stat_gap = w < 800 ? 5 : 10;
  const float stat = room_for_numbers ? kRoomBackwardStatWidth : std::clamp(w * 0.058f, 42.0f, 84.0f);
  const float stats_w = float(stats.size()) * (stat + stat_gap) - stat_gap;
  const float digits =
      std::max(24.0f, text_width(std::string(std::to_string(t.n_q).size(), '8'), Face::SansBold, 14) + 13);
  const int narrow = p.has_o ? 4 : 3;  // Q, dO, perhaps O, dQ
  const float room = w - 2 * pad_x - digits - stats_w - gap * float(narrow + 2);
  // Few numbers have cells of one width, so that all of them can be read.
  const float even = room / (2 * keys + float(narrow) * float(t.d));
  const float score = std::min({room * 0.29f, keys * 72, keys * std::max(even, 60.0f)}),
              side = (room - 2 * score) / float(narrow);
  const float q = std::min({side, float(t.d) * 40, low * 1.5f});
  const float used = digits + stats_w + 2 * score + q * float(narrow) + gap * float(narrow + 2);
  float x = pad_x + (w - 2 * pad_x - used) / 2;

  const float y_high = pad_top + label, y_low = y_high + high + between;
  const auto at = [&](float rx, float y, float rw, float rh) {
    return Rect{card.x + rx * s, card.y + y * s, rw * s, rh * s};
  };
  const auto next = [&](float width, float after) {
    const Rect rect = at(x, y_low, width, low);
    x += width + after;
    return rect;
  };
  p.row_numbers = next(digits, 0);
  p.q = next(q, gap);
  p.s = next(score, gap);
  for (Tensor tensor : stats) p.statistics.emplace_back(tensor, next(stat, tensor == stats.back() ? gap : stat_gap));
  p.dp = next(score, gap);
  p.d_o = next(q, gap);
  if (p.has_o) p.o = next(q, gap);
  p.dq = next(q, 0);
  const auto above = [&](Rect below) { return Rect{below.x, card.y + y_high * s, below.w, high * s}; };
  p.k = above(p.s);
  p.v = above(p.dp);
  const float right_w = (p.dq.right() - p.d_o.x - gap * s) / 2;
  p.dv = above({p.d_o.x, 0, right_w, 0});
  p.dk = above({p.dq.right() - right_w, 0, right_w, 0});
  p.title = at(pad_x, pad_top, p.s.x / s - card.x / s - gap - pad_x, y_low - between - pad_top);
  p.label = (label - 8) * s;
  p.stat_label = p.s.y - label * s;
  if (foot > 0) p.registers = {p.s.x, p.s.bottom() + 5 * s, p.dp.right() - p.s.x, (foot - 5) * s};
  return p;
}

class BackwardSram {
 public:
  BackwardSram(Canvas& canvas, Rect card)
      : canvas_(canvas),
        st_(canvas.style),
        card_(card),
        p_(plan_of(canvas, card)),
        br_(std::min(canvas.tiling.br, canvas.tiling.n_q)),
        bc_(std::min(canvas.tiling.bc, canvas.tiling.n_k)) {}

  void lay_out() {
    layout_sram_title(canvas_, p_.title);
    followed_row();
    const int64_t d = canvas_.tiling.d;
    seat({Tensor::K, p_.k, d, bc_, true}, {Tensor::K}, "", "ᵀ");
    seat({Tensor::Q, p_.q, br_, d}, {Tensor::Q}, "");
    seat({Tensor::S, p_.s, br_, bc_}, {Tensor::S, Tensor::P}, "");
    const bool gradients = has_gradients();
    if (gradients)
      lay_out_gradients(d);
    else
      say_what_comes();
    for (const auto& [tensor, rect] : p_.statistics) {
      if (tensor == Tensor::D && !gradients) continue;
      layout_statistic(canvas_, tensor, rect, {rect.x, p_.stat_label, rect.w, p_.label});
      canvas_.remember(Level::Sram, tensor, 0, rect);
    }
    layout_row_numbers(canvas_, p_.row_numbers, p_.q, p_.dq.right() + st_.px(5));
    arrows();
    layout_registers_note(canvas_, p_.registers);
  }

 private:
  // Where a beat leaves them out they come with the first step that is about them.
  bool has_gradients() const {
    if (!left_out(canvas_.view, "gradients")) return true;
    const std::vector<Step>& steps = canvas_.now.walk->replay.steps();
    return std::any_of(steps.begin(), steps.begin() + canvas_.now.playhead, [](const Step& step) {
      return step.kind == StepKind::AccumulateDV || step.kind == StepKind::GradientP;
    });
  }

  void lay_out_gradients(int64_t d) {
    seat({Tensor::V, p_.v, d, bc_, true}, {Tensor::V}, "", "ᵀ");
    seat({Tensor::DV, p_.dv, bc_, d}, {Tensor::DV}, "grows here");
    seat({Tensor::DK, p_.dk, bc_, d}, {Tensor::DK}, "grows here");
    seat({Tensor::DP, p_.dp, br_, bc_}, {Tensor::DP, Tensor::DS}, "");
    seat({Tensor::DO, p_.d_o, br_, d}, {Tensor::DO}, "");
    if (p_.has_o) seat({Tensor::O, p_.o, br_, d}, {Tensor::O}, "");
    seat({Tensor::DQ, p_.dq, br_, d}, {Tensor::DQ}, dq_words());
  }

  // Where nothing stands yet it says what will.
  void say_what_comes() {
    if (canvas_.for_room) return;
    const float size = st_.number(), w = p_.dq.right() - p_.dp.x - 2 * st_.px(12);
    std::vector<std::string> lines = wrap_text("Here the gradients come, step by step.", Face::Sans, size, w);
    float y = p_.v.center().y - float(lines.size()) * size * 0.7f;
    for (const std::string& line : lines) {
      canvas_.scene.label({p_.dp.x + st_.px(12), y, w, size * 1.4f}, line, Face::Sans, size, st_[Role::TextSecondary],
                          Align::Center);
      y += size * 1.4f;
    }
  }

  void followed_row() {
    const TileGrid lines(p_.s, br_, bc_, st_);
    Rect band = lines.band(canvas_.now.row);
    if (band.h < st_.px(12))
      band = {band.x, std::clamp(band.center().y - st_.px(6), p_.s.y, p_.s.bottom() - st_.px(12)), band.w, st_.px(12)};
    const float right = has_gradients() || p_.statistics.empty() ? p_.dq.right() : p_.statistics.front().second.right();
    canvas_.scene.box({p_.row_numbers.x, band.y - st_.px(1), right + st_.px(5) - p_.row_numbers.x, band.h + st_.px(2)},
                      st_.px(4), st_[Role::SurfaceStrong]);
  }

  std::string dq_words() const {
    const Step* step = canvas_.now.step();
    return canvas_.now.walk->schedule.id == Method::Fa2Backward && step && step->pass == 1 ? "this tile's share" : "";
  }

  // "P = e^(S − L)" while it is new, else the tile's name.
  std::string name_of_seat(const Seat& seat, const Held& h, std::string_view suffix) const {
    const Tensor tensor = h.shown ? h.shown->tensor : seat.tensor;
    if (!h.shown) return std::string(symbol_of(tensor)) + std::string(suffix);
    return tile_name(tensor, h.shown->i, h.shown->j) + std::string(suffix);
  }

  void seat(const Seat& seat, std::initializer_list<Tensor> tensors, std::string_view words,
            std::string_view suffix = "") {
    const Story& story = canvas_.story;
    const Held h = held(canvas_, tensors, is_scores(seat.tensor) ? story.slot : 0);
    Part part = Part::Rest;
    for (Tensor t : tensors) {
      part = std::max(part, story.of(t));
      canvas_.remember(Level::Sram, t, 0, seat.rect);
    }
    draw_seat(canvas_, seat, h, part);
    const Tensor named = h.shown ? h.shown->tensor : seat.tensor;
    const Rect slot{seat.rect.x, seat.rect.y - p_.label - st_.px(8),
                    std::min(seat.rect.w + st_.px(12), card_.right() - st_.px(6) - seat.rect.x), p_.label};
    const auto shape = [&] {
      const auto rows = h.shown->data->rows, cols = h.shown->data->cols;
      return fmt::format("{} × {}", seat.transposed ? cols : rows, seat.transposed ? rows : cols);
    };
    const std::string note = !h.shown        ? seat.tensor == Tensor::O && needs_no_o() ? "D is enough" : "not on chip"
                             : h.faded       ? "used up"
                             : words.empty() ? shape()
                                             : std::string(words);
    const std::string name = name_of_seat(seat, h, suffix);
    const float size = card_.h < st_.px(300) ? st_.number() : st_.body();
    canvas_.runs(slot,
                 {{name, Face::SansBold, size, st_.palette.ink(named)},
                  {note, Face::Sans, st_.small(), st_[Role::TextSecondary]},
                  {share_note(canvas_, seat), Face::Sans, st_.small(), st_[Role::TextSecondary]}},
                 st_.px(8));
    canvas_.scene.region({slot.x, slot.y, std::min(slot.w, text_width(name, Face::SansBold, size)), slot.h},
                         fmt::format("word:{}", symbol_of(named)), meaning_of(named));
  }

  // Once D is there, FA2's loop needs no O.
  bool needs_no_o() const {
    return canvas_.now.walk->schedule.id == Method::Fa2Backward && canvas_.story.any && canvas_.now.step()->pass == 1;
  }

  void arrows() {
    const Story& story = canvas_.story;
    const float off = st_.px(8);
    const TileGrid rows(p_.s, br_, 1, st_);
    const float y = std::clamp(rows.band(canvas_.now.row).center().y, p_.s.y + st_.px(10), p_.s.bottom() - st_.px(10));
    const auto line = [&](Vec2 from, Vec2 to) { canvas_.scene.line(from, to, st_[Role::Text], st_.px(2.5f), 0, true); };
    const auto down = [&](const Rect& from, const Rect& to) {
      const float x = from.right() - std::min(from.w * 0.1f, st_.px(14));
      line({x, from.bottom() + off}, {x, to.y - off});
    };
    if (story.does(StepKind::Score)) {
      line({p_.q.right() + off, y}, {p_.s.x - off, y});
      down(p_.k, p_.s);
    }
    if (story.does(StepKind::GradientP)) {
      line({p_.d_o.x - off, y}, {p_.dp.right() + off, y});
      down(p_.v, p_.dp);
    }
    if (story.does(StepKind::AccumulateDV)) {
      // Clear of the names below: between two of them, which stand close there, or before a room of both.
      const float between = (p_.d_o.right() + (p_.has_o ? p_.o.x : p_.dq.x)) / 2;
      const float x = canvas_.for_room ? p_.dv.center().x : std::min(between, p_.dv.right() - st_.px(5));
      line({x, p_.d_o.y - off}, {x, p_.dv.bottom() + off});
    }
  }

  Canvas& canvas_;
  const Style& st_;
  Rect card_;
  BackwardPlan p_;
  int64_t br_, bc_;
};

}  // namespace

void layout_backward_sram(Canvas& canvas, Rect rect) {
  if (!canvas.for_room) canvas.card(rect, canvas.style[Role::Background], canvas.style[Role::Text], canvas.style.px(2));
  BackwardSram(canvas, rect).lay_out();
}

}  // namespace tilewalk
