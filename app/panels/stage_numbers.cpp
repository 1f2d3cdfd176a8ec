// The numbers of the stage as a table: a board's readings and curves, what the walk has moved and computed so far, the
// GPU's results.
#include "app/boards/board.h"
#include "app/panels/stage_picture.h"
#include "app/stage/moment.h"
#include "core/io/csv.h"
#include "core/playback/row_view.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace tilewalk {
namespace {

// Whole numbers whole, all others so that every bit comes back.
std::string number(double value) {
  return value == std::floor(value) && std::fabs(value) < 9e15 ? fmt::format("{}", int64_t(value))
                                                               : fmt::format("{}", value);
}

std::string table_of(const std::vector<Reading>& readings) {
  std::string out = "id,label,value,unit,origin,source\n";
  for (const Reading& r : readings)
    out += csv_row(std::array<std::string, 6>{r.id, r.label, number(r.quantity.value), r.quantity.unit,
                                              std::string(name_of(r.quantity.origin)), r.quantity.source});
  return out;
}

// Readings first, at no x; then each curve, point by point.
std::string table_of(const std::vector<Reading>& readings, const std::vector<Series>& series) {
  std::string out = fmt::format("id,label,{},value,low,high,unit,origin,source\n",
                                csv_cell(series.empty() ? "x" : series.front().x_name));
  for (const Reading& r : readings)
    out += csv_row(std::array<std::string, 9>{r.id, r.label, "", number(r.quantity.value), "", "", r.quantity.unit,
                                              std::string(name_of(r.quantity.origin)), r.quantity.source});
  for (const Series& s : series)
    for (const Series::Point& p : s.points) {
      const bool spread = p.low != p.value || p.high != p.value;
      out += csv_row(std::array<std::string, 9>{s.id, s.label, number(p.x), number(p.value),
                                                spread ? number(p.low) : "", spread ? number(p.high) : "", s.unit,
                                                std::string(name_of(s.origin)), s.source});
    }
  return out;
}

std::string numbers_of_board(const Board& board, const Session& session, const ViewState& view) {
  const Exhibit on{view.board, session, view, board};
  std::vector<Reading> readings = board.readings(on);
  std::erase_if(readings, [&](const Reading& r) { return on.covered(r.id); });
  if (!board.series) return table_of(readings);
  return table_of(readings, view.board.covered.empty() ? board.series(on) : std::vector<Series>{});
}

std::string numbers_of_walk(const Session& session, const ViewState& view) {
  Walk& walk = session.walk();
  const Moment now = moment_of(walk, view);
  const Meters &so_far = now.after.meters, &all = walk.total.total;
  const int64_t at = now.playhead, end = walk.replay.length();
  std::vector<Reading> out;
  const auto add = [&](std::string id, std::string label, double value, const char* unit, Origin origin,
                       const char* source) {
    out.push_back({std::move(id), std::move(label), {value, unit, origin, source}});
  };
  const auto both = [&](const std::string& id, const std::string& label, int64_t now_value, int64_t whole,
                        const char* unit, Origin origin, const char* source) {
    add(id, label + ", so far", double(now_value), unit, origin, source);
    add(id + "_whole", label + ", whole walk", double(whole), unit, origin, source);
  };
  add("step", "Steps taken", double(at), "", Origin::Computed, "");
  add("steps", "Steps of the walk", double(end), "", Origin::Computed, "");
  both("l2_to_sm", "L2 to SM", so_far.fill_bytes(), all.fill_bytes(), "byte", Origin::Computed, "loads");
  both("sm_to_l2", "SM to L2", so_far.drain_bytes(), all.drain_bytes(), "byte", Origin::Computed, "stores");
  both("dram_read", "DRAM read", walk.l2.dram_read(at), walk.l2.dram_read(end), "byte", Origin::Model, "a model of L2");
  both("dram_written", "DRAM written", walk.l2.dram_written(at), walk.l2.dram_written(end), "byte", Origin::Model,
       "a model of L2");
  both("papers", "Papers' two-level count", so_far.paper_bytes(), all.paper_bytes(), "byte", Origin::Computed,
       "SRAM and HBM only");
  both("matrix_flop", "Matrix products", so_far.matrix_flop, all.matrix_flop, "flop", Origin::Computed, "");
  both("vector_flop", "Everything else", so_far.vector_flop, all.vector_flop, "flop", Origin::Computed, "");
  both("exponentials", "Exponentials", so_far.exponentials, all.exponentials, "", Origin::Computed, "");
  if (const Step* step = now.step()) {
    const Tiling& tiling = walk.plan().tiling;
    for (int64_t row = 0; row < tiling.rows(step->i); ++row) {
      const RowView chip = view_row(now.after, step->i, step->j, row);
      const std::string of = fmt::format("row {}", step->i * tiling.br + row + 1);
      const std::string source = fmt::format("on chip after step {}", at);
      const auto statistic = [&](const char* id, const std::optional<double>& value) {
        if (value)
          add(fmt::format("{}_{}", id, step->i * tiling.br + row + 1), fmt::format("{}, {}", id, of), *value, "",
              Origin::Computed, source.c_str());
      };
      statistic("m", chip.m), statistic("alpha", chip.alpha), statistic("l", chip.l), statistic("L", chip.lse);
    }
  }
  return table_of(out);
}

std::string numbers_of_gpu(const ViewState& view) {
  if (!view.gpu.board) return {};
  const GpuBoard& board = *view.gpu.board;
  std::vector<Reading> out;
  const auto rows = [&](const std::vector<GpuRow>& of, const RunResult* recorded) {
    for (const GpuRow& row : of) {
      std::string key(info_of(row.kernel).key);
      if (row.result && !row.result->label.empty()) key = row.result->label;
      const auto source = [&](bool is_recorded) {
        const RunResult* run = is_recorded ? recorded : board.live.get();
        return run ? fmt::format("{}, {}", run->provenance.gpu, run->provenance.date) : std::string();
      };
      const auto add = [&](const char* id, const char* label, double value, const char* unit, Origin origin,
                           const std::string& from) {
        out.push_back({key + "_" + id, row.name + ": " + label, {value, unit, origin, from}});
      };
      if (row.predicted) {
        add("l2_to_sm_computed", "L2 to SM", double(row.predicted->fill_bytes), "byte", Origin::Computed, "");
        if (row.dram_known) {
          add("dram_read_model", "DRAM read", double(row.predicted->dram.read_bytes), "byte", Origin::Model, "");
          add("dram_written_model", "DRAM written", double(row.predicted->dram.written_bytes), "byte", Origin::Model,
              "");
        }
      }
      const Origin of_time = row.recorded ? Origin::Recorded : Origin::Measured;
      if (row.result && row.result->timing) {
        const Timing& t = *row.result->timing;
        add("time", "time, median", t.median * 1e-3, "s", of_time, source(row.recorded));
        add("time_p10", "time, p10", t.p10 * 1e-3, "s", of_time, source(row.recorded));
        add("time_p90", "time, p90", t.p90 * 1e-3, "s", of_time, source(row.recorded));
      }
      if (!row.bytes || !row.bytes->counters) continue;
      const Counters& c = *row.bytes->counters;
      const Origin of_bytes = row.bytes_recorded ? Origin::Recorded : Origin::Measured;
      const auto counter = [&](const char* id, const char* label, const std::optional<double>& value) {
        if (value) add(id, label, *value, "byte", of_bytes, source(row.bytes_recorded));
      };
      counter("l2_to_sm", "L2 to SM", c.l2_to_sm);
      counter("dram_read", "DRAM read", c.dram_read);
      counter("dram_written", "DRAM written", c.dram_written);
    }
  };
  rows(board.rows, board.recorded.get());
  rows(board.peers, board.peers_recorded.get());
  return out.empty() ? std::string() : table_of(out);
}

}  // namespace

std::string stage_numbers(const Session& session, const ViewState& view) {
  if (view.gpu.enlarged) return numbers_of_gpu(view);
  if (view.lesson.review) return {};
  if (const Board* board = board_named(view.board.board)) return numbers_of_board(*board, session, view);
  return numbers_of_walk(session, view);
}

}  // namespace tilewalk
