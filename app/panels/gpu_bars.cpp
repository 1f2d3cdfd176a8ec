// Bars of the GPU panel: each kernel's time, and the bytes of one kernel, predicted and measured, at both levels.
#include "app/panels/gpu_parts.h"
#include "app/text/text.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

double slowest(const GpuBoard& board) {
  double most = 0;
  for (const GpuRow& row : board.rows)
    if (row.result && row.result->timing) most = std::max(most, row.result->timing->median);
  return most;
}

double quickest(const GpuBoard& board) {
  double least = INFINITY;
  for (const GpuRow& row : board.rows)
    if (board.timed_together(row)) least = std::min(least, row.result->timing->median);
  return least;
}

std::string timing_tip(const GpuRow& row, const GpuBoard& board, const GpuView& gpu) {
  const Timing& t = *row.result->timing;
  std::string tip = fmt::format("{} {}: median of {} launches after {}, p10 {}, p90 {}", row.name, time_words(t.median),
                                t.count, t.warmups, time_words(t.p10), time_words(t.p90));
  if (t.back_to_back > 0) tip += fmt::format(", {} when queued without rest", time_words(t.back_to_back));
  if (t.clock > 0)
    tip += fmt::format(", clock {:.0f} MHz", t.clock);
  else if (t.clock_before > 0)
    tip += fmt::format(", clock {} MHz in the first burst, {} in the last", t.clock_before, t.clock_after);
  tip += t.flushed ? ", L2 emptied before each" : ", L2 as the launch before left it";
  if (t.unheld > 0) tip += fmt::format(", {} of them may have waited for the processor", t.unheld);
  tip += ". TFLOP/s are of 4 B H N N d, backward of 10, of the visible half under a causal mask. ";
  tip += source_words(board, gpu, row.recorded) + ".";
  if (const RunResult* beside = row.recorded ? board.beside.get() : nullptr; beside && row.kernel == Method::Fa3)
    tip += fmt::format(" This row was recorded in another run, {}.", date_words(beside->provenance.date));
  if (const std::string pass = pass_words(row); !pass.empty()) tip += " " + pass + ".";
  if (const std::string slower = slower_words(row, board); !slower.empty())
    tip += " Slower than standard attention: " + slower + ".";
  const std::string instead = stand_in_words(row);
  return instead.empty() ? tip : fmt::format("{} {} {}", tip, row.name, instead);
}

}  // namespace

std::string no_time_words(const GpuRow& row) {
  if (!row.refused.empty()) return "✕ not shown as measured: " + row.refused;
  if (row.result && row.result->errors && !row.result->errors->passed)
    return fmt::format("✕ wrong answer, off by {}: no time", error_words(row.result->errors->worst_row));
  if (!row.unavailable.empty()) return row.unavailable;
  return "not measured yet";
}

std::string stand_in_words(const GpuRow& row) {
  if (!row.recorded) return {};
  if (!row.refused.empty()) return "is refused here: " + row.refused;
  return row.unavailable.empty() ? std::string() : "not run here: " + row.unavailable;
}

void layout_bar_pair(const Column& c, Rect area, const BarPair& bars) {
  const Style& s = c.style;
  const bool large = area.h >= s.px(56);
  const float each = area.h / 2;
  const float size = large ? s.body() : each < s.px(19) ? s.small() : s.number();
  const std::string measured = (bars.recorded ? "◆ " : "") + count_words(bars.measured);
  // Alone, over "not measured", it says what it is.
  const std::string predicted = (bars.measured < 0 ? "predicted " : "") + count_words(bars.predicted);
  const float widest = std::max(text_width(measured, Face::MonoBold, size),
                                bars.predicted < 0 ? 0 : text_width(predicted, Face::Mono, size));
  const float text = std::max(s.px(large ? 118 : 92), widest + s.px(2));
  const float track = area.w - text - s.px(8), bar = std::min(each - s.px(4), s.px(large ? 26 : 18));
  const auto width = [&](double value) { return std::max(s.px(3), float(double(track) * value / bars.most)); };
  const auto number = [&](float y, std::string_view words, bool bold) {
    fitted_label(c.scene, s, {area.right() - text, y, text, each}, words, bold ? Face::MonoBold : Face::Mono, size,
                 c.color(Role::Text), Align::Right);
  };
  const Rect above{area.x, area.y + (each - bar) / 2, 0, bar}, below = above.shifted(0, each);
  if (bars.predicted >= 0) {
    c.scene.box({above.x, above.y, width(bars.predicted), bar}, s.px(2), {}, c.color(Role::Text), s.px(2.5f));
    number(area.y, predicted, false);
  } else if (!bars.waiting.empty()) {
    fitted_label(c.scene, s, {area.x, area.y - s.px(2), area.w, each + s.px(4)}, bars.waiting, Face::Sans, s.small(),
                 c.color(Role::TextSecondary));
  }
  if (bars.measured >= 0) {
    const Rect solid{below.x, below.y, width(bars.measured), bar};
    c.scene.box(solid, s.px(2), c.color(Role::Text));
    if (bars.recorded) hatch(c.scene, solid, c.color(Role::Background), s.px(7), s.px(1.6f));
    number(area.y + each, measured, true);
  } else {
    fitted_label(c.scene, s, {area.x, area.y + each - s.px(1), area.w, each + s.px(2)}, "not measured", Face::Sans,
                 s.small(), c.color(Role::TextSecondary));
  }
}

std::string peers_words(const GpuBoard& board) {
  if (!board.peers_recorded) return {};
  const Provenance& p = board.peers_recorded->provenance;
  // The note begins with whose it is: "PyTorch 2.11, cuDNN 9.19; times of ...".
  const size_t who = std::min(p.note.find("; "), p.note.size());
  const std::string how = who < p.note.size() ? p.note.substr(who) : "";
  return fmt::format("◆ {}, recorded {} on {}, other inputs{}", p.note.substr(0, who), date_words(p.date),
                     short_gpu_name(p.gpu), how);
}

namespace {

// Below the bars: why a kernel whose recording is shown did not run here, and what others take at this shape.
struct Footnote {
  std::string words;
  std::string id, tip;
  Role role;
};
std::vector<Footnote> footnotes(const GpuBoard& board) {
  std::vector<Footnote> out;
  for (const GpuRow& row : board.rows)
    if (const std::string instead = stand_in_words(row); !instead.empty())
      out.push_back({fmt::format("{} {}", row.name, instead), fmt::format("gpu:refused/{}", info_of(row.kernel).key),
                     instead, Role::WrongText});
  if (const GpuRow* eight_bits = board.row(Method::Fa3Fp8))
    if (const std::string pass = pass_words(*eight_bits); !pass.empty())
      out.push_back(
          {fmt::format("{}: {}", eight_bits->name, pass), "gpu:pass",
           "A pass of its own rounds Q, K and V to e4m3 and transposes V; no launch of the kernel contains it. "
           "Upstream's kernel is given e4m3 numbers, and transposes V itself",
           Role::TextSecondary});
  std::vector<const GpuRow*> peers;
  for (const GpuRow& peer : board.peers) peers.push_back(&peer);
  std::ranges::sort(peers, {}, [](const GpuRow* peer) { return peer->result->timing->median; });
  std::string others;
  for (const GpuRow* peer : peers) {
    std::string_view name = peer->name;
    if (name.starts_with("PyTorch ")) name.remove_prefix(8);
    others += fmt::format("{}{} {}", others.empty() ? "◆ PyTorch: " : " · ", name,
                          time_words(peer->result->timing->median, slowest(board)));
  }
  if (!others.empty()) out.push_back({others, "gpu:peers", peers_words(board), Role::TextSecondary});
  return out;
}

}  // namespace

void layout_times(const Column& c, Rect area, const GpuBoard& board) {
  const Style& s = c.style;
  if (board.rows.empty()) return;
  const std::vector<Footnote> notes = footnotes(board);
  const float width = area.w - s.px(16), pitch_of_notes = s.px(20);
  for (size_t k = notes.size(); k-- > 0;) {
    const auto room = [&](size_t lines) {
      return area.h - float(lines) * pitch_of_notes >= s.px(34) * float(board.rows.size());
    };
    size_t lines = wrap_text(notes[k].words, Face::Sans, s.small(), width).size();
    while (lines > 0 && !room(lines)) --lines;
    if (lines == 0) break;
    area.h -= float(lines) * pitch_of_notes;
    const Rect block{area.x + s.px(8), area.bottom(), width, float(lines) * pitch_of_notes};
    wrapped_label(c.scene, block, notes[k].words, Face::Sans, s.small(), pitch_of_notes, c.color(notes[k].role));
    c.scene.region(block, notes[k].id, notes[k].tip, false);
  }
  // In a very low column the last rows have no room.
  const size_t shown = std::clamp<size_t>(size_t(area.h / s.px(28)), 1, board.rows.size());
  const float pitch = std::min(area.h / float(shown), s.px(58));
  const bool two_lines = pitch >= s.px(44);
  const double most = slowest(board), least = quickest(board);
  float name = s.px(86);
  for (const GpuRow& row : board.rows) name = std::max(name, text_width(row.name, Face::SansBold, s.body()) + s.px(9));
  name = std::min(name, s.px(118));
  const float number = s.px(132);
  for (size_t k = 0; k < shown; ++k) {
    const GpuRow& row = board.rows[k];
    const Rect line{area.x, area.y + float(k) * pitch, area.w, pitch - s.px(4)};
    const std::string with(row.with == Switch::None ? "" : "+" + std::string(key_of(row.with)));
    const std::string id = fmt::format("choice:gpu-kernel/{}{}", info_of(row.kernel).key, with);
    const bool chosen = chosen_row(c.view.gpu) == &row, hot = c.view.hover == id;
    if (chosen || hot)
      c.scene.box(line, s.r_small(), c.color(Role::Surface), chosen ? c.color(Role::Text) : Color{}, s.px(2));
    const Rect in = line.inset(s.px(8), 0);
    fitted_label(c.scene, s, {in.x, in.y, name - s.px(8), in.h}, row.name, Face::SansBold, s.body(),
                 c.color(Role::Text));
    const Rect bars{in.x + name, in.y, in.w - name - number, in.h};
    if (row.result && row.result->timing) {
      const double ms = row.result->timing->median;
      const bool best = ms <= least;
      const float h = std::min(bars.h - s.px(10), s.px(26));
      const Rect bar{bars.x, bars.center().y - h / 2, std::max(s.px(3), float(double(bars.w - s.px(8)) * ms / most)),
                     h};
      c.scene.box(bar, s.px(3), c.color(best ? Role::Accent : Role::Text));
      if (row.recorded) hatch(c.scene, bar, c.color(Role::Background), s.px(7), s.px(1.6f));
      const std::string words = (row.recorded ? "◆ " : "") + time_words(ms, most), rate = rate_words(row);
      const bool both = two_lines && !rate.empty();
      fitted_label(c.scene, s, {in.right() - number, in.y + (both ? s.px(3) : 0), number, both ? in.h * 0.56f : in.h},
                   words, Face::MonoBold, best && (both ? in.h >= s.px(46) : in.h >= s.px(30)) ? s.heading() : s.body(),
                   c.color(Role::Text), Align::Right);
      if (both)
        fitted_label(c.scene, s, {in.right() - number, in.y + in.h * 0.54f, number, in.h * 0.42f}, rate, Face::Sans,
                     s.small(), c.color(Role::TextSecondary), Align::Right);
      c.scene.region(line, id, timing_tip(row, board, c.view.gpu), true);
    } else {
      const std::string why = no_time_words(row);
      const Rect room{in.x + name, in.y, in.w - name, in.h};
      const size_t fit = std::min<size_t>(wrap_text(why, Face::Sans, s.small(), room.w).size(), two_lines ? 2 : 1);
      const float step = s.px(19), h = step * float(fit);
      wrapped_label(c.scene, {room.x, room.center().y - h / 2, room.w, h}, why, Face::Sans, s.small(), step,
                    c.color(why.starts_with("✕") ? Role::WrongText : Role::TextSecondary));
      c.scene.region(line, id, fmt::format("{}: {}", row.name, why), true);
    }
  }
}

float bytes_height(const Column& c) { return c.px(148); }

void layout_bytes(const Column& c, Rect area, const GpuRow& row, bool named) {
  const Style& s = c.style;
  const Counters none, *counters = row.bytes ? &*row.bytes->counters : &none;
  BarPair fill, dram;
  fill.recorded = dram.recorded = row.bytes_recorded;
  fill.waiting = dram.waiting = "the model is still counting";
  if (row.predicted) fill.predicted = double(row.predicted->fill_bytes);
  if (row.dram_known) dram.predicted = double(row.predicted->dram.read_bytes + row.predicted->dram.written_bytes);
  if (row.dram_done && !row.dram_known) dram.waiting = "too large for the L2 model";
  if (counters->l2_to_sm) fill.measured = *counters->l2_to_sm;
  dram.measured = bytes_of_dram(*counters);
  fill.most = dram.most = std::max({fill.predicted, fill.measured, dram.predicted, dram.measured, 1.0});
  const float head = s.px(24), each = area.h / 2;
  const auto level = [&](Rect r, std::string_view name, const BarPair& bars, std::string_view id, std::string tip) {
    fitted_label(c.scene, s, {r.x, r.y, r.w * 0.5f, head}, name, Face::SansBold, s.number(), c.color(Role::Text));
    if (bars.predicted > 0 && bars.measured >= 0)
      fitted_label(c.scene, s, {r.x + r.w * 0.5f, r.y, r.w * 0.5f, head}, against_words(bars.measured, bars.predicted),
                   Face::SansBold, s.number(), c.color(Role::Text), Align::Right);
    layout_bar_pair(c, {r.x, r.y + head, r.w, r.h - head - s.px(6)}, bars);
    c.scene.region({r.x, r.y, r.w, r.h - s.px(6)}, std::string(id), std::move(tip), false);
  };
  const std::string whose = named ? row.name + ": " : "";
  level(
      {area.x, area.y, area.w, each}, whose + "L2→SM", fill, "gpu:l2-sm",
      "Bytes from L2 into the multiprocessors: outline predicted by the tile loop, solid counted by the hardware over "
      "a launch that began with L2 empty");
  std::string tip =
      "Bytes read from and written to DRAM: outline from the model of L2, solid counted by the hardware "
      "over a launch that began with L2 empty";
  if (row.dram_known && row.predicted->dram.left_dirty_bytes > 0)
    tip += fmt::format("; in the model {} more are still in L2 at the end",
                       bytes_words(row.predicted->dram.left_dirty_bytes));
  if (dram.predicted > 0 && dram.predicted < 1e5 && dram.measured > dram.predicted)
    tip +=
        ". Each launch read 20 to 100 kB besides its tensors where they were recorded at N = 16 and 64, which "
        "no model here counts: beside few bytes that is most";
  level({area.x, area.y + each, area.w, each}, whose + "DRAM", dram, "gpu:dram", std::move(tip));
}

}  // namespace tilewalk
