// The Numbers tab: the followed row and tile to six digits beside the expected result, and every byte that has crossed
// a link. Where the column is low it has two pages.
#include "app/panels/column_parts.h"
#include "app/text/text.h"
#include "core/machine/words.h"
#include "core/playback/deviation.h"
#include "core/playback/output_state.h"
#include "core/playback/row_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

// Six decimals, so that numbers stand in columns; very large ones in six digits.
std::string six(double value) {
  if (!std::isfinite(value) || std::fabs(value) >= 1e5) return number_words(value, 6);
  std::string out = fmt::format("{:.6f}", value);
  if (out == "-0.000000") out = "0.000000";
  return out[0] == '-' ? "−" + out.substr(1) : out;
}

class Numbers {
 public:
  Numbers(const Column& column) : column_(column), scene_(column.scene), style_(column.style), t_(column.tiling()) {
    const Moment& m = column.moment;
    if (const Step* step = m.step()) {
      i_ = step->i;
      j_ = step->j;
      chip_ = view_row(m.after, i_, j_, m.row);
      memory_ = view_row_in_memory(m.after, column.plan(), i_, j_, m.row);
    }
    backward_ = m.walk->schedule.backward();
    if (backward_)
      gradients_ = trace_gradients(m.walk->replay, m.playhead, column.query_row());
    else
      trace_ = trace_row(m.walk->replay, m.playhead, column.query_row());
  }

  void lay_out(Rect area) {
    width_ = area.w;
    if (!column_.moment.step()) return empty(area);
    const float top = px(14), gap = px(18);
    const auto pitch_for = [&](float height, float rows, float gaps) { return (height - top - px(10) - gaps) / rows; };
    const float rows_of_row = stat_rows() + output_rows(8), rows_of_bytes = byte_rows() + work_rows();
    float pitch = pitch_for(area.h, rows_of_row + rows_of_bytes, 3 * gap);
    if (pitch >= px(20)) {
      pitch_ = std::min(pitch, px(27));
      float y = stats({area.x, area.y + top, area.w, 0}) + gap;
      y = output({area.x, y, area.w, 0}, 8) + gap;
      y = bytes({area.x, y, area.w, 0}) + gap;
      work({area.x, y, area.w, 0});
      return;
    }
    // Two pages, or one for each table.
    const float room = pages_room(column_, area).h;
    const auto open = [&](int pages) { return std::clamp(column_.view.page, 0, pages - 1); };
    const auto set_pitch = [&](float rows, float gaps) {
      pitch_ = std::clamp(pitch_for(room, rows, gaps), px(18), px(27));
    };
    if (std::min(pitch_for(room, stat_rows() + output_rows(2), gap), pitch_for(room, rows_of_bytes, gap)) >= px(20)) {
      const Rect rest = layout_pages(column_, area, {"The row", "Bytes and work"});
      const Rect from{rest.x, rest.y + top, rest.w, 0};
      if (open(2) == 1) {
        set_pitch(rows_of_bytes, gap);
        work({rest.x, bytes(from) + gap, rest.w, 0});
        return;
      }
      int64_t elements = 8;
      while (elements > 2 && pitch_for(room, stat_rows() + output_rows(elements), gap) < px(21)) --elements;
      set_pitch(stat_rows() + output_rows(elements), gap);
      output({rest.x, stats(from) + gap, rest.w, 0}, elements);
      return;
    }
    const Rect rest = layout_pages(column_, area, {"Row", backward_ ? "dQ" : "O", "Bytes", "Work"});
    const Rect from{rest.x, rest.y + top, rest.w, 0};
    const int page = open(4);
    int64_t elements = 8;
    while (elements > 1 && pitch_for(room, output_rows(elements), 0) < px(20)) --elements;
    set_pitch(page == 0 ? stat_rows() : page == 1 ? output_rows(elements) : page == 2 ? byte_rows() : work_rows(), 0);
    if (page == 0) stats(from);
    if (page == 1) output(from, elements);
    if (page == 2) bytes(from);
    if (page == 3) work(from);
  }

 private:
  float px(float p) const { return style_.px(p); }

  // One cell of a table; numbers are set in the fixed-width face and to the right.
  void text(Rect r, std::string_view words, Role role = Role::Text, bool bold = false) {
    fitted_label(scene_, style_, r, words, bold ? Face::SansBold : Face::Sans, style_.number(), style_[role]);
  }
  void head(Rect r, std::string_view words, Align align = Align::Right) {
    fitted_label(scene_, style_, r, words, Face::Sans, style_.small(), style_[Role::TextSecondary], align);
  }
  void number(Rect r, std::string_view words, Role role = Role::Text, bool bold = false) {
    fitted_label(scene_, style_, r, words, bold ? Face::MonoBold : Face::Mono, style_.number(), style_[role],
                 Align::Right);
  }
  void rule(Rect area, float y) { scene_.line({area.x, y}, {area.right(), y}, style_[Role::Line], px(1)); }

  void empty(Rect area) {
    const float y = area.y + area.h * 0.3f;
    fitted_label(scene_, style_, {area.x, y, area.w, px(34)}, "Step on (→) to load the first tile", Face::SansBold,
                 style_.caption(), style_[Role::Text], Align::Center);
    fitted_label(scene_, style_, {area.x, y + px(36), area.w, px(28)}, "The row's numbers and all bytes stand here.",
                 Face::Sans, style_.number(), style_[Role::TextSecondary], Align::Center);
  }

  // The row's statistics and, beside them or in a narrow column below, its scores in this tile.
  bool narrow() const { return width_ < px(400); }
  int64_t key_rows() const { return narrow() ? 3 : 5; }  // also for "… more"
  float stat_rows() const { return 6 + (narrow() ? 1 + float(std::min<int64_t>(key_rows(), t_.cols(j_))) + 0.6f : 0); }

  float stats(Rect area) {
    const Rect left{area.x, area.y, narrow() ? area.w : area.w * (backward_ ? 0.42f : 0.46f), 0};
    float y = left.y;
    text({left.x, y, left.w, pitch_}, fmt::format("Row {}", column_.query_row() + 1), Role::Text, true);
    y += pitch_;
    rule(left, y);
    const RowTrace::Visit* last = trace_.visits.empty() ? nullptr : &trace_.visits.back();
    const auto said = [](const std::optional<double>& chip, const std::optional<double>& memory) {
      return chip ? six(*chip) : memory ? six(*memory) : std::string("–");
    };
    const std::pair<std::string_view, std::string> forward[] = {
        {"m", said(chip_.m, memory_.m)},
        {"α", chip_.alpha ? six(*chip_.alpha) : "–"},
        {"rowsum P", last && !trace_.open && last->j == j_ ? six(last->tile_sum) : "–"},
        {"l", said(chip_.l, memory_.l)},
        {"L", said(chip_.lse, memory_.lse)},
    };
    double p = 0, ds = 0;
    for (const GradientTrace::Key& key : gradients_.keys) p += key.weighed ? key.p : 0, ds += key.graded ? key.ds : 0;
    const std::pair<std::string_view, std::string> backward[] = {
        {"L", said(chip_.lse, memory_.lse)},
        {"D", said(chip_.d, memory_.d)},
        {"dO[1]", chip_.d_o.empty() ? "–" : six(chip_.d_o[0])},
        {"Σ P", six(p)},
        {"Σ dS", six(ds)},
    };
    for (const auto& [what, value_words] : backward_ ? backward : forward) {
      text({left.x, y, left.w * 0.42f, pitch_}, what, Role::TextSecondary);
      number({left.x + left.w * 0.42f, y, left.w * 0.58f, pitch_}, value_words);
      y += pitch_;
    }
    if (narrow()) return keys({area.x, y + pitch_ * 0.6f, area.w, 0});
    const float from = backward_ ? 0.49f : 0.54f;  // two columns that may be negative
    keys({area.x + area.w * from, area.y, area.w * (1 - from), 0});
    return y;
  }

  float keys(Rect area) {
    const bool weights = !chip_.p.empty();
    const float key = area.w * (backward_ ? 0.12f : 0.18f), value = (area.w - key) / 2;
    float y = area.y;
    const Tensor shown_tensor = backward_ ? Tensor::DS : weights ? Tensor::P : Tensor::S;
    text({area.x, y, key * 1.6f, pitch_}, tile_name(shown_tensor, i_, j_), Role::AccentText, true);
    head({area.x + key, y, value, pitch_}, backward_ ? "P" : "s");
    head({area.x + key + value, y, value, pitch_}, backward_ ? "dS" : "e^(s − m)");
    y += pitch_;
    rule(area, y);
    const int64_t first = j_ * t_.bc, count = t_.cols(j_), shown = count > key_rows() ? key_rows() - 1 : count;
    for (int64_t c = 0; c < shown; ++c) {
      number({area.x, y, key * 0.8f, pitch_}, std::to_string(first + c + 1), Role::TextSecondary);
      if (backward_) {
        const GradientTrace::Key& k = gradients_.keys[size_t(first + c)];
        number({area.x + key, y, value, pitch_}, k.weighed ? six(k.p) : "–");
        number({area.x + key + value, y, value, pitch_}, k.graded ? six(k.ds) : "–");
      } else {
        const RowTrace::Key& k = trace_.keys[size_t(first + c)];
        number({area.x + key, y, value, pitch_}, k.seen ? six(k.score) : "–");
        number({area.x + key + value, y, value, pitch_}, weights ? six(chip_.p[size_t(c)]) : "–");
      }
      y += pitch_;
    }
    if (shown == count) return y;
    head({area.x, y, area.w, pitch_}, fmt::format("… {} more", with_commas(count - shown)));
    return y + pitch_;
  }

  // Whether O of the row on chip is still a sum; in memory it is always divided.
  bool shows_sum() const {
    const Walk& walk = *column_.moment.walk;
    return !chip_.o.empty() &&
           output_state(walk.replay.steps(), column_.moment.playhead, i_, walk.schedule, t_) == OutputState::Sum;
  }

  float output_rows(int64_t elements) const {
    const int64_t d = column_.plan().problem.d;
    return (backward_ ? 4 : 2) + float(std::min(elements, d)) + (d > elements ? 1 : 0);
  }

  float output(Rect area, int64_t elements) {
    if (backward_) return gradient(area, elements);
    const std::vector<double>& o = chip_.o.empty() ? memory_.o : chip_.o;
    const int64_t d = column_.plan().problem.d, shown = std::min(elements, d);
    const double l = chip_.l.value_or(memory_.l.value_or(0));
    const bool sum = shows_sum();
    const auto divided = [&](int64_t c) { return !sum ? o[size_t(c)] : l > 0 ? o[size_t(c)] / l : 0.0; };

    float y = area.y;
    const float index = area.w * 0.13f, value = (area.w - index) / 3;
    const auto column = [&](int k) { return Rect{area.x + index + float(k) * value, y, value, pitch_}; };
    text({area.x, y, index * 1.6f, pitch_}, tile_name(Tensor::O, i_, j_), Role::Text, true);
    head(column(0), sum ? "O, a sum" : "O");
    head(column(1), "O / l");
    head(column(2), "expected");
    y += pitch_;
    rule(area, y);

    const Matrix& expected = column_.session.expected().o;
    const int64_t row = i_ * t_.br + column_.moment.row;
    double worst = 0;
    for (int64_t c = 0; c < d && !o.empty(); ++c) worst = wider_gap(worst, divided(c), expected.at(row, c));
    for (int64_t c = 0; c < shown; ++c) {
      number({area.x, y, index * 0.5f, pitch_}, std::to_string(c + 1), Role::TextSecondary);
      number(column(0), o.empty() ? "–" : six(o[size_t(c)]));
      number(column(1), o.empty() ? "–" : six(divided(c)));
      number(column(2), six(expected.at(row, c)));
      y += pitch_;
    }
    if (shown < d) {
      head({area.x, y, area.w, pitch_}, fmt::format("… {} more", with_commas(d - shown)));
      y += pitch_;
    }
    rule(area, y);
    text({area.x, y, area.w * 0.62f, pitch_}, o.empty() ? "O is not on chip" : "Largest difference of the row",
         Role::TextSecondary);
    if (!o.empty())
      number({area.x + area.w * 0.62f, y, area.w * 0.38f, pitch_}, number_words(worst, 3), Role::Text, true);
    return y + pitch_;
  }

  // dQ of the followed row as memory holds it, beside the reference's.
  float gradient(Rect area, int64_t elements) {
    const int64_t d = column_.plan().problem.d, shown = std::min(elements, d);
    const std::vector<double>& dq = memory_.dq;
    const Matrix& expected = column_.session.expected_gradients().dq;
    const int64_t row = i_ * t_.br + column_.moment.row;
    float y = area.y;
    const float index = area.w * 0.13f, value = (area.w - index) / 3;
    const auto column = [&](int k) { return Rect{area.x + index + float(k) * value, y, value, pitch_}; };
    text({area.x, y, index * 1.6f, pitch_}, tile_name(Tensor::DQ, i_, j_), Role::Text, true);
    head(column(0), "on chip");
    head(column(1), "in memory");
    head(column(2), "expected");
    y += pitch_;
    rule(area, y);
    double worst = 0;
    for (int64_t c = 0; c < d && !dq.empty(); ++c) worst = wider_gap(worst, dq[size_t(c)], expected.at(row, c));
    for (int64_t c = 0; c < shown; ++c) {
      number({area.x, y, index * 0.5f, pitch_}, std::to_string(c + 1), Role::TextSecondary);
      number(column(0), chip_.dq.empty() ? "–" : six(chip_.dq[size_t(c)]));
      number(column(1), dq.empty() ? "–" : six(dq[size_t(c)]));
      number(column(2), six(expected.at(row, c)));
      y += pitch_;
    }
    if (shown < d) {
      head({area.x, y, area.w, pitch_}, fmt::format("… {} more", with_commas(d - shown)));
      y += pitch_;
    }
    rule(area, y);
    const auto line = [&](std::string_view words, std::string_view said) {
      text({area.x, y, area.w * 0.62f, pitch_}, words, Role::TextSecondary);
      number({area.x + area.w * 0.62f, y, area.w * 0.38f, pitch_}, said, Role::Text, true);
      y += pitch_;
    };
    if (stored(Tensor::DQ))
      line("Largest difference of dQ", number_words(worst, 3));
    else
      line(dq.empty() ? "dQ is not in memory yet" : "dQ is a sum so far", "");
    for (const Tensor tensor : {Tensor::DK, Tensor::DV}) {
      const std::string name = tile_name(tensor, i_, j_);
      if (stored(tensor))
        line("Largest difference of " + name, number_words(keyed_difference(tensor), 3));
      else
        line(name + " is not in memory yet", "");
    }
    return y;
  }

  // Whether memory holds the finished gradient of the tile on show.
  bool stored(Tensor tensor) const {
    const Walk& walk = *column_.moment.walk;
    return output_is_stored(walk.replay.steps(), column_.moment.playhead, is_keyed(tensor) ? j_ : i_, walk.schedule,
                            tensor);
  }

  // Of the tile of dK or dV in memory, all rows, from the reference's.
  double keyed_difference(Tensor tensor) const {
    const Gradients& expected = column_.session.expected_gradients();
    const TilePtr tile = column_.moment.after.memory(tensor)->get(j_);
    return tile_difference(*tile, tensor == Tensor::DK ? expected.dk : expected.dv, j_ * t_.bc);
  }

  struct ByteRow {
    std::string_view name;
    int64_t in, out;
  };
  std::vector<ByteRow> byte_lines() const {
    const Meters& m = column_.moment.after.meters;
    const Meters& all = column_.moment.walk->total.total;
    std::vector<ByteRow> rows;
    const auto take = [&](std::string_view name, std::initializer_list<Tensor> tensors) {
      ByteRow row{name, 0, 0};
      int64_t ever = 0;
      for (Tensor t : tensors) {
        row.in += m.loaded[size_t(t)];
        row.out += m.stored[size_t(t)];
        ever += all.loaded[size_t(t)] + all.stored[size_t(t)];
      }
      if (ever) rows.push_back(row);
    };
    take("Q", {Tensor::Q});
    take("K", {Tensor::K});
    take("V", {Tensor::V});
    take("S", {Tensor::S});
    take("P", {Tensor::P});
    take("O", {Tensor::O});
    take("dO", {Tensor::DO});
    take("dP, dS", {Tensor::DP, Tensor::DS});
    take("dQ", {Tensor::DQ});
    take("dK, dV", {Tensor::DK, Tensor::DV});
    take("m, l", {Tensor::M, Tensor::L});
    take("L", {Tensor::Lse});
    take("D", {Tensor::D});
    return rows;
  }
  float byte_rows() const { return float(byte_lines().size()) + 3; }

  float bytes(Rect area) {
    float y = area.y;
    const float name = area.w * 0.32f, value = (area.w - name) / 2;
    const auto cell = [&](int k) { return Rect{area.x + name + float(k) * value, y, value, pitch_}; };
    text({area.x, y, name, pitch_}, "Bytes so far", Role::Text, true);
    head(cell(0), "loaded, L2→SM");
    head(cell(1), "stored, SM→L2");
    y += pitch_;
    rule(area, y);
    for (const ByteRow& row : byte_lines()) {
      text({area.x, y, name, pitch_}, row.name, Role::TextSecondary);
      number(cell(0), with_commas(row.in), row.in ? Role::Text : Role::TextSecondary);
      number(cell(1), with_commas(row.out), row.out ? Role::Text : Role::TextSecondary);
      y += pitch_;
    }
    rule(area, y);
    const Meters& m = column_.moment.after.meters;
    text({area.x, y, name, pitch_}, "all");
    number(cell(0), with_commas(m.fill_bytes()), Role::Text, true);
    number(cell(1), with_commas(m.drain_bytes()), Role::Text, true);
    y += pitch_;
    const Meters& whole = column_.moment.walk->total.total;
    text({area.x, y, name, pitch_}, "whole walk", Role::TextSecondary);
    number(cell(0), with_commas(whole.fill_bytes()), Role::TextSecondary);
    number(cell(1), with_commas(whole.drain_bytes()), Role::TextSecondary);
    return y + pitch_;
  }

  float work_rows() const { return 7; }

  void work(Rect area) {
    const Walk& walk = *column_.moment.walk;
    const Meters &now = column_.moment.after.meters, &all = walk.total.total;
    const int64_t at = column_.moment.playhead, end = walk.replay.length();
    float y = area.y;
    const float name = area.w * 0.42f, value = (area.w - name) / 2;
    const auto cell = [&](int k) { return Rect{area.x + name + float(k) * value, y, value, pitch_}; };
    text({area.x, y, name, pitch_}, "In all", Role::Text, true);
    head(cell(0), "so far");
    head(cell(1), "whole walk");
    y += pitch_;
    rule(area, y);
    const auto line = [&](std::string_view what, int64_t so_far, int64_t whole) {
      text({area.x, y, name, pitch_}, what, Role::TextSecondary);
      number(cell(0), with_commas(so_far));
      number(cell(1), with_commas(whole));
      y += pitch_;
    };
    line("DRAM read (model)", walk.l2.dram_read(at), walk.l2.dram_read(end));
    line("DRAM written (model)", walk.l2.dram_written(at), walk.l2.dram_written(end));
    line("two-level (paper)", now.paper_bytes(), all.paper_bytes());
    line("matrix FLOP", now.matrix_flop, all.matrix_flop);
    line("other FLOP", now.vector_flop, all.vector_flop);
    line("exponentials", now.exponentials, all.exponentials);
  }

  const Column& column_;
  Scene& scene_;
  const Style& style_;
  const Tiling& t_;
  RowTrace trace_;
  GradientTrace gradients_;
  bool backward_ = false;
  RowView chip_, memory_;
  int32_t i_ = 0, j_ = 0;
  float pitch_ = 0, width_ = 0;
};

}  // namespace

void layout_numbers(const Column& column, Rect area) { Numbers(column).lay_out(area); }

}  // namespace tilewalk
