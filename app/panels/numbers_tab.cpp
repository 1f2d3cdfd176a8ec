// The Numbers tab: the followed row and tile to six digits beside the expected result, and every byte that has crossed
// a link. Where the column is low it has two pages.
#include "app/panels/column_parts.h"
#include "app/panels/cards.h"
#include "core/io/typeset.h"
#include "core/machine/words.h"
#include "core/playback/deviation.h"
#include "core/playback/output_state.h"
#include "core/playback/row_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

using namespace ui;

// Six decimals, so that numbers stand in columns; very large ones in six digits.
std::string six(double value) { return std::fabs(value) < 1e5 ? fixed_words(value, 6) : number_words(value, 6); }

Node word(std::string words, Role role = Role::TextSecondary, bool bold = false) {
  return text(std::move(words), {16, bold ? Face::SansBold : Face::Sans, role, Align::Left, 0, true});
}
Node head(std::string words, Align align = Align::Right) {
  return text(std::move(words), {14, Face::Sans, Role::TextSecondary, align, 0, true});
}
Node number(std::string words, Role role = Role::Text, bool bold = false) {
  return text(std::move(words), {16, bold ? Face::MonoBold : Face::Mono, role, Align::Right, 0, true});
}
Node count(int64_t value, Role role = Role::Text, bool bold = false) { return number(with_commas(value), role, bold); }

// Rows whose cells share their width by these weights; the heading's first cell may reach into the second.
struct Grid {
  std::vector<float> weights;
  Size pitch;

  Node line(std::vector<Node> cells, float reach = 0) const {
    for (size_t k = 0; k < cells.size(); ++k)
      cells[k].w = grow(weights[k] + (k == 0 ? reach : k == 1 ? -reach : 0) * weights[0]);
    return row(std::move(cells)).height(pitch);
  }
  Node more(int64_t left_out) const {
    return head(fmt::format("… {} more", with_commas(left_out)), Align::Left).height(pitch);
  }
};

class Numbers {
 public:
  Numbers(const Column& column, float least) : column_(column), t_(column.tiling()), pitch_(between(least, 27)) {
    const Moment& m = column.moment;
    if (const Step* step = m.step()) {
      i_ = step->i;
      j_ = step->j;
      chip_ = view_row(m.after, i_, j_, m.row);
      if (chip_.lse && output_is_divided(m.walk->replay.steps(), m.playhead, i_, m.walk->schedule)) chip_.alpha.reset();
      memory_ = view_row_in_memory(m.after, column.plan(), i_, j_, m.row);
    }
    backward_ = m.walk->schedule.backward();
    if (backward_)
      gradients_ = trace_gradients(m.walk->replay, m.playhead, column.query_row());
    else
      trace_ = trace_row(m.walk->replay, m.playhead, column.query_row());
  }

  Node tables(bool narrow) const {
    const auto gap = [] { return spacer(px(18)); };
    return framed(column(of(stats(narrow), gap(), output(8), gap(), bytes(), gap(), work())));
  }
  Node two_pages(bool narrow) const {
    return paged(of(column(of(stats(narrow), spacer(px(18)), output(2))), column(of(bytes(), spacer(px(18)), work()))),
                 {"The row", "Bytes and work"});
  }
  Node four_pages(bool narrow) const {
    return paged(of(stats(narrow), output(1), bytes(), work()), {"Row", backward_ ? "dQ" : "O", "Bytes", "Work"});
  }

 private:
  static Node framed(Node tables) { return column(of(spacer(px(14)), std::move(tables), spacer(px(10)))); }
  Node paged(std::vector<Node> all, std::vector<std::string> titles) const {
    const int open = std::clamp(column_.view.page, 0, int(all.size()) - 1);
    for (Node& page : all) page = framed(std::move(page));
    return column(
        of(pages(std::move(all), open).height(grow()), spacer(px(6)), page_switch(titles, open), spacer(px(10))));
  }

  // The row's statistics and, beside them or in a narrow column below, its scores in this tile.
  Node stats(bool narrow) const {
    const RowTrace::Visit* last = trace_.visits.empty() ? nullptr : &trace_.visits.back();
    const auto said = [](const std::optional<double>& chip, const std::optional<double>& memory = {}) {
      return chip ? six(*chip) : memory ? six(*memory) : std::string("–");
    };
    const Grid grid{{0.42f, 0.58f}, pitch_};
    std::vector<Node> lines =
        of(word(fmt::format("Row {}", column_.query_row() + 1), Role::Text, true).height(pitch_), rule());
    const auto line = [&](std::string what, std::string value) {
      lines.push_back(grid.line(of(word(std::move(what)), number(std::move(value)))));
    };
    if (backward_) {
      double p = 0, ds = 0;
      for (const GradientTrace::Key& key : gradients_.keys) p += key.weighed ? key.p : 0, ds += key.graded ? key.ds : 0;
      line("L", said(chip_.lse, memory_.lse));
      line("D", said(chip_.d, memory_.d));
      line("dO[1]", chip_.d_o.empty() ? "–" : six(chip_.d_o[0]));
      line("Σ P", six(p));
      line("Σ dS", six(ds));
    } else {
      line("m", said(chip_.m, memory_.m));
      line("α", said(chip_.alpha));
      line("rowsum P", last && !trace_.open && last->j == j_ ? six(last->tile_sum) : "–");
      line("l", said(chip_.l, memory_.l));
      line("L", said(chip_.lse, memory_.lse));
    }
    if (narrow) return column(of(column(std::move(lines)), spacer(between(11, 16)), keys(3)));
    return row(of(column(std::move(lines)).width(grow(backward_ ? 0.42f : 0.46f)),
                  spacer(grow(backward_ ? 0.07f : 0.08f)), keys(5).width(grow(backward_ ? 0.51f : 0.46f))));
  }

  Node keys(int64_t most) const {
    const bool weights = !chip_.p.empty();
    const Tensor shown_tensor = backward_ ? Tensor::DS : weights ? Tensor::P : Tensor::S;
    const float key = backward_ ? 0.12f : 0.18f, value = (1 - key) / 2;
    const Grid grid{{0.8f * key, value + 0.2f * key, value}, pitch_};
    std::vector<Node> lines = of(grid.line(of(word(tile_name(shown_tensor, i_, j_), Role::AccentText, true),
                                              head(backward_ ? "P" : "s"), head(backward_ ? "dS" : "e^(s − m)")),
                                           1),
                                 rule());
    const int64_t first = j_ * t_.bc, all = t_.cols(j_), shown = all > most ? most - 1 : all;
    for (int64_t c = 0; c < shown; ++c) {
      std::string left, right;
      if (backward_) {
        const GradientTrace::Key& k = gradients_.keys[size_t(first + c)];
        left = k.weighed ? six(k.p) : "–", right = k.graded ? six(k.ds) : "–";
      } else {
        const RowTrace::Key& k = trace_.keys[size_t(first + c)];
        left = k.seen ? six(k.score) : "–", right = weights ? six(chip_.p[size_t(c)]) : "–";
      }
      lines.push_back(grid.line(of(number(std::to_string(first + c + 1), Role::TextSecondary), number(std::move(left)),
                                   number(std::move(right)))));
    }
    if (shown < all) lines.push_back(grid.more(all - shown));
    while (lines.size() < size_t(most) + 2) lines.push_back(spacer(pitch_));  // beside the statistics, line by line
    return column(std::move(lines));
  }

  // Whether O of the row on chip is still a sum; in memory it is always divided.
  bool shows_sum() const {
    const Walk& walk = *column_.moment.walk;
    return !chip_.o.empty() &&
           output_state(walk.replay.steps(), column_.moment.playhead, i_, walk.schedule) == OutputState::Sum;
  }

  // One row's elements of O or dQ in three columns, at least `keep` of them and at most eight; below, what is said of
  // them all.
  Node elements(Tensor tensor, std::vector<std::string> heads, int keep,
                const std::function<std::string(int64_t c, int k)>& value, std::vector<Node> below) const {
    const Grid grid{{0.065f, 0.355f, 0.29f, 0.29f}, pitch_};
    const int64_t d = column_.plan().problem.d, shown = std::min<int64_t>(8, d);
    std::vector<Node> rows;
    for (int64_t c = 0; c < shown; ++c)
      rows.push_back(grid.line(of(number(std::to_string(c + 1), Role::TextSecondary), number(value(c, 0)),
                                  number(value(c, 1)), number(value(c, 2)))));
    if (shown < d) rows.push_back(grid.more(d - shown));
    return column(of(
        grid.line(of(word(tile_name(tensor, i_, j_), Role::Text, true), head(heads[0]), head(heads[1]), head(heads[2])),
                  2.2f),
        rule(),
        list(std::move(rows), keep,
             [grid, d, all = int64_t(shown)](int left_out) {
               return grid.more(d - all + left_out - (all < d ? 1 : 0));
             }),
        rule(), column(std::move(below))));
  }
  Node difference(std::string words, std::string said) const {
    return Grid{{0.62f, 0.38f}, pitch_}.line(of(word(std::move(words)), number(std::move(said), Role::Text, true)));
  }

  Node output(int keep) const {
    if (backward_) return gradient(keep);
    const std::vector<double>& o = chip_.o.empty() ? memory_.o : chip_.o;
    const double l = chip_.l.value_or(memory_.l.value_or(0));
    const bool sum = shows_sum();
    const auto divided = [&](int64_t c) { return !sum ? o[size_t(c)] : l > 0 ? o[size_t(c)] / l : 0.0; };
    const Matrix& expected = column_.session.expected().o;
    const int64_t row = i_ * t_.br + column_.moment.row;
    double worst = 0;
    for (int64_t c = 0; c < int64_t(o.size()); ++c) worst = wider_gap(worst, divided(c), expected.at(row, c));
    const auto value = [&](int64_t c, int k) {
      if (k == 2) return six(expected.at(row, c));
      return o.empty() ? "–" : six(k == 0 ? o[size_t(c)] : divided(c));
    };
    return elements(Tensor::O, {sum ? "O, a sum" : "O", "O / l", "expected"}, keep, value,
                    of(o.empty() ? difference("O is not on chip", "")
                                 : difference("Largest difference of the row", number_words(worst, 3))));
  }

  // dQ of the followed row as memory holds it, beside the reference's.
  Node gradient(int keep) const {
    const std::vector<double>& dq = memory_.dq;
    const Matrix& expected = column_.session.expected_gradients().dq;
    const int64_t row = i_ * t_.br + column_.moment.row;
    double worst = 0;
    for (int64_t c = 0; c < int64_t(dq.size()); ++c) worst = wider_gap(worst, dq[size_t(c)], expected.at(row, c));
    const auto value = [&](int64_t c, int k) {
      if (k == 2) return six(expected.at(row, c));
      const std::vector<double>& of_place = k == 0 ? chip_.dq : dq;
      return of_place.empty() ? "–" : six(of_place[size_t(c)]);
    };
    std::vector<Node> below;
    if (stored(Tensor::DQ))
      below.push_back(difference("Largest difference of dQ", number_words(worst, 3)));
    else
      below.push_back(difference(dq.empty() ? "dQ is not in memory yet" : "dQ is a sum so far", ""));
    for (const Tensor tensor : {Tensor::DK, Tensor::DV}) {
      const std::string name = tile_name(tensor, i_, j_);
      below.push_back(stored(tensor)
                          ? difference("Largest difference of " + name, number_words(keyed_difference(tensor), 3))
                          : difference(name + " is not in memory yet", ""));
    }
    return elements(Tensor::DQ, {"on chip", "in memory", "expected"}, keep, value, std::move(below));
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

  Node bytes() const {
    const Grid grid{{0.32f, 0.34f, 0.34f}, pitch_};
    std::vector<Node> lines =
        of(grid.line(of(word("Bytes so far", Role::Text, true), head("loaded, L2→SM"), head("stored, SM→L2"))), rule());
    for (const ByteRow& r : byte_lines())
      lines.push_back(grid.line(of(word(std::string(r.name)), count(r.in, r.in ? Role::Text : Role::TextSecondary),
                                   count(r.out, r.out ? Role::Text : Role::TextSecondary))));
    const Meters &now = column_.moment.after.meters, &whole = column_.moment.walk->total.total;
    lines.push_back(rule());
    lines.push_back(grid.line(of(word("all", Role::Text), count(now.fill_bytes(), Role::Text, true),
                                 count(now.drain_bytes(), Role::Text, true))));
    lines.push_back(grid.line(of(word("whole walk"), count(whole.fill_bytes(), Role::TextSecondary),
                                 count(whole.drain_bytes(), Role::TextSecondary))));
    return column(std::move(lines));
  }

  Node work() const {
    const Walk& walk = *column_.moment.walk;
    const Meters &now = column_.moment.after.meters, &all = walk.total.total;
    const int64_t at = column_.moment.playhead, end = walk.replay.length();
    const Grid grid{{0.42f, 0.29f, 0.29f}, pitch_};
    const auto line = [&](std::string what, int64_t so_far, int64_t whole) {
      return grid.line(of(word(std::move(what)), count(so_far), count(whole)));
    };
    return column(of(grid.line(of(word("In all", Role::Text, true), head("so far"), head("whole walk"))), rule(),
                     line("DRAM read (model)", walk.l2.dram_read(at), walk.l2.dram_read(end)),
                     line("DRAM written (model)", walk.l2.dram_written(at), walk.l2.dram_written(end)),
                     line("two-level (paper)", now.paper_bytes(), all.paper_bytes()),
                     line("matrix FLOP", now.matrix_flop, all.matrix_flop),
                     line("other FLOP", now.vector_flop, all.vector_flop),
                     line("exponentials", now.exponentials, all.exponentials)));
  }

  const Column& column_;
  const Tiling& t_;
  const Size pitch_;
  RowTrace trace_;
  GradientTrace gradients_;
  bool backward_ = false;
  RowView chip_, memory_;
  int32_t i_ = 0, j_ = 0;
};

Node nothing_yet() {
  return column(
      of(spacer(grow(0.3f)),
         text("Step on (→) to load the first tile", {20, Face::SansBold, Role::Text, Align::Center, 34}),
         text("The row's numbers and all bytes stand here.", {16, Face::Sans, Role::TextSecondary, Align::Center, 28}),
         spacer(grow(0.7f))));
}

}  // namespace

void layout_numbers(const Column& column, Rect area) {
  if (!column.moment.step()) return column.show(nothing_yet(), area);
  const Numbers open(column, 20), dense(column, 18);
  const bool narrow = area.w < column.px(400);
  column.show(first_that_fits({[&] { return open.tables(narrow); }, [&] { return open.two_pages(narrow); },
                               [&] { return dense.four_pages(narrow); }}),
              area);
}

}  // namespace tilewalk
