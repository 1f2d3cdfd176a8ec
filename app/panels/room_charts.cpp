#include "app/panels/room_charts.h"

#include "app/panels/gpu_parts.h"
#include "app/session/link.h"
#include "app/session/set_stops.h"
#include "app/text/text.h"
#include "core/io/number.h"
#include "core/machine/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

// The number that the sentence is there for: its first ratio, else what something is off by at most; may be empty.
std::string number_in_sentence(std::string_view sentence) {
  constexpr std::string_view kTimes = "×", kMost = "at most ";
  if (const size_t end = sentence.find(kTimes); end != std::string_view::npos) {
    const size_t before = sentence.rfind(' ', end);
    const size_t begin = before == std::string_view::npos ? 0 : before + 1;
    return std::string(sentence.substr(begin, end + kTimes.size() - begin));
  }
  if (const size_t at = sentence.find(kMost); at != std::string_view::npos) {
    const std::string_view rest = sentence.substr(at + kMost.size());
    return std::string(rest.substr(0, rest.find_first_of(" ,")));
  }
  return {};
}

// The number large and the sentence beside it, in two lines at most; returns what is left below.
Rect layout_result(const Column& c, Rect area, const std::string& sentence) {
  const Style& s = c.style;
  const std::string number = number_in_sentence(sentence);
  const float h = s.px(72), large = s.px(60);
  const float taken = number.empty() ? 0 : text_width(number, Face::SansBold, large) + s.px(2);
  if (taken > 0) c.scene.label({area.x, area.y, taken, h}, number, Face::SansBold, large, c.color(Role::Text));
  const float x = area.x + (taken > 0 ? taken + s.px(22) : 0);
  const Rect beside{x, area.y, area.right() - x, h};
  float size = s.title();
  while (size > s.body() && wrap_text(sentence, Face::SansBold, size, beside.w).size() > 2) size -= s.px(1);
  std::vector<std::string> lines =
      wrap_text(sentence, Face::SansBold, size, balanced_width(sentence, Face::SansBold, size, beside.w));
  if (lines.size() > 2) lines.resize(2);
  const float pitch = size * 1.25f;
  float y = beside.center().y - pitch * float(lines.size()) / 2;
  for (const std::string& line : lines) {
    fitted_label(c.scene, s, {beside.x, y, beside.w, pitch}, line, Face::SansBold, size, c.color(Role::Text));
    y += pitch;
  }
  return {area.x, area.y + h, area.w, area.h - h};
}

// "four times as long", "a quarter as many": both are powers of two.
std::string share_words(int64_t now, int64_t before, std::string_view what) {
  constexpr std::array<std::string_view, 6> kTimes{"", "twice", "four times", "eight times", "16 times", "32 times"};
  constexpr std::array<std::string_view, 6> kShares{"", "half", "a quarter", "an eighth", "a 16th", "a 32nd"};
  const auto octaves = size_t(std::lround(std::fabs(std::log2(double(now) / double(before)))));
  return fmt::format("{} {}", (now > before ? kTimes : kShares)[std::min(octaves, kTimes.size() - 1)], what);
}

// N of the stop as it was prepared; 0 off the list.
int64_t prepared_n(const ViewState& view) {
  const SetItem* stop = stop_on_show(view);
  const Link link = stop ? read_link(stop->link).link : Link{};
  const std::string* n = link.find("gpu-n");
  return n ? number_or(*n, int64_t{0}) : 0;
}

// The benchmark's N turns the number of sequences with it, so that bytes and times at two N are not of the same work.
std::string tokens_words(const ViewState& view) {
  if (!has_sizes(view.gpu.shape)) return {};
  const Problem& p = view.gpu.board->spec.problem;
  const std::string tokens = "B × N = " + with_commas(p.batch * p.n_k);
  if (const int64_t before = prepared_n(view); before > 0 && before != p.n_k)
    return fmt::format("{}: {}, {} sequences", tokens, share_words(p.n_k, before, "as long"),
                       share_words(before, p.n_k, "as many"));
  return fmt::format("{} at every N: {} {} of {}", tokens, p.batch, p.batch == 1 ? "sequence" : "sequences",
                     with_commas(p.n_k));
}

struct RoomBars {
  float name, bars, time, dram;  // widths; no room is left for bytes where nobody counted them
  float size;                    // of the times
  double most, least;            // milliseconds
};

void layout_room_bar(const Column& c, Rect line, const GpuRow& row, const GpuBoard& board, const RoomBars& w,
                     bool peer) {
  const Style& s = c.style;
  const GpuView& gpu = c.view.gpu;
  const bool chosen = !peer && gpu.kernel_chosen && chosen_row(gpu) == &row;
  if (chosen) c.scene.box(line, s.r_small(), c.color(Role::Surface), c.color(Role::Text), s.px(2));
  const Rect in = line.inset(s.px(8), 0);
  fitted_label(c.scene, s, {in.x, in.y, w.name - s.px(10), in.h}, row.name, peer ? Face::Sans : Face::SansBold,
               std::min(s.caption(), w.size), c.color(Role::Text));
  const Rect track{in.x + w.name, in.y, w.bars, in.h};
  const double ms = row.result->timing->median;
  const bool best = !peer && board.timed_together(row) && ms <= w.least;
  const float h = std::min(in.h * 0.64f, s.px(44));
  const Rect bar{track.x, track.center().y - h / 2, std::max(s.px(3), float(double(track.w) * ms / w.most)), h};
  c.scene.box(bar, s.px(3), c.color(best ? Role::Accent : Role::Text));
  if (row.recorded) hatch(c.scene, bar, c.color(Role::Background), s.px(8), s.px(1.8f));
  fitted_label(c.scene, s, {track.right() + s.px(10), in.y, w.time - s.px(10), in.h}, time_words(ms, w.most),
               Face::MonoBold, w.size, c.color(Role::Text), Align::Right);
  if (w.dram > 0 && row.bytes && bytes_of_dram(*row.bytes->counters) >= 0)
    fitted_label(c.scene, s, {in.right() - w.dram + s.px(10), in.y, w.dram - s.px(10), in.h},
                 count_words(bytes_of_dram(*row.bytes->counters)), Face::Mono, std::min(w.size, s.caption()),
                 c.color(Role::Text), Align::Right);
  if (peer) return;
  const std::string with(row.with == Switch::None ? "" : "+" + std::string(key_of(row.with)));
  c.scene.region(line, fmt::format("choice:gpu-kernel/{}{}", info_of(row.kernel).key, with),
                 fmt::format("{}: {}", row.name, time_words(ms)), false);
}

// Each kernel's time as a bar, its DRAM bytes as a number; other programs' below a line.
void layout_room_times(const Column& c, Rect area, const GpuBoard& board) {
  const Style& s = c.style;
  std::vector<const GpuRow*> all;
  for (const GpuRow& row : board.rows)
    if (row.result && row.result->timing) all.push_back(&row);  // the rest says nothing to a room
  const size_t own = all.size();
  for (const GpuRow& row : board.peers) all.push_back(&row);
  if (all.empty()) return;
  RoomBars w{0, 0, 0, 0, 0, 0, INFINITY};
  bool bytes = false;
  for (const GpuRow* row : all) {
    w.name = std::max(w.name, text_width(row->name, Face::SansBold, s.caption()) + s.px(14));
    bytes |= row->bytes && bytes_of_dram(*row->bytes->counters) >= 0;
    w.most = std::max(w.most, row->result->timing->median);
    if (board.timed_together(*row)) w.least = std::min(w.least, row->result->timing->median);
  }
  if (w.most <= 0) return layout_nothing(c, area, "No time was recorded of this", {});
  const float head = s.px(26), apart = board.peers.empty() ? 0 : s.px(24);
  const float pitch = std::min((area.h - head - apart) / float(all.size()), s.px(92));
  w.size = pitch >= s.px(80) ? s.px(36) : pitch >= s.px(46) ? s.display() : pitch >= s.px(34) ? s.title() : s.caption();
  w.name = std::clamp(w.name, s.px(90), s.px(210));
  w.time = s.px(10);
  for (const GpuRow* row : all)
    w.time = std::max(w.time,
                      text_width(time_words(row->result->timing->median, w.most), Face::MonoBold, w.size) + s.px(12));
  w.dram = bytes ? s.px(138) : 0;
  w.bars = area.w - s.px(16) - w.name - w.time - w.dram;
  const float right = area.right() - s.px(8);
  const auto title = [&](float end, float width, std::string_view words) {
    fitted_label(c.scene, s, {end - width, area.y, width, head}, words, Face::Sans, s.number(),
                 c.color(Role::TextSecondary), Align::Right);
  };
  title(right - w.dram, w.time + w.bars * 0.5f, "Time of one launch" + l2_words(board));
  if (bytes) title(right, w.dram - s.px(10), "DRAM bytes");
  for (size_t k = 0; k < all.size(); ++k) {
    const bool peer = k >= own;
    const float y = area.y + head + float(k) * pitch + (peer ? apart : 0);
    if (k == own) {
      c.scene.line({area.x, y - apart}, {area.right(), y - apart}, c.color(Role::Line), s.px(1.5f));
      const std::string whose = peers_words(board);
      fitted_label(c.scene, s, {area.x + s.px(8), y - apart, area.w - s.px(16), apart},
                   whose.substr(0, whose.find("; ")), Face::Sans, s.small(), c.color(Role::TextSecondary));
    }
    layout_room_bar(c, {area.x, y, area.w, pitch - s.px(2)}, *all[k], board, w, peer);
  }
}

}  // namespace

std::string room_charts_premises(const ViewState& view) {
  if (!view.gpu.board) return {};
  const Problem& p = view.gpu.board->spec.problem;
  const std::string n = p.n_q == p.n_k ? "N " + with_commas(p.n_q)
                                       : fmt::format("{} {}, {} keys", with_commas(p.n_q),
                                                     p.n_q == 1 ? "query" : "queries", with_commas(p.n_k));
  const int64_t kv = view.gpu.board->spec.kv_heads;
  return fmt::format("B {} · H {}{} · {} · d {} · {} · {}", p.batch, p.heads,
                     kv > 0 && kv < p.heads ? fmt::format(" ({} of K, V)", kv) : std::string(), n, p.d,
                     p.mask == Mask::Causal ? "causal" : "no mask", name_of(p.format));
}

void layout_room_charts(Scene& scene, const Session& session, const Moment& moment, const ViewState& view, Rect area,
                        const Style& s) {
  const Column c{scene, session, moment, view, s};
  const GpuView& gpu = view.gpu;
  const GpuBoard* board = gpu.board.get();
  if (!board) return layout_nothing(c, area, "The GPU’s charts", {});
  if (!board->fault.empty()) return layout_nothing(c, area, "No kernel runs this", board->fault);
  const bool recorded = board->shows_recorded();
  const bool any = std::ranges::any_of(board->rows, [](const GpuRow& row) { return row.result != nullptr; });
  if (!any) return layout_nothing(c, area, "Nothing was recorded of this", room_charts_premises(view));
  const GpuRow* row = chosen_row(gpu);
  const bool ladder = gpu.shape == GpuShape::Ladder, all = gpu.chart == GpuChart::Compare || compares_alone(gpu.shape);
  Rect r = layout_result(c, area, gpu_finding(*board, row, gpu));
  if (const std::string tokens = tokens_words(view); !tokens.empty()) {
    const float h = s.px(30);
    fitted_label(scene, s, {r.x, r.y, r.w, h}, tokens, Face::SansBold, s.heading(), s[Role::Text]);
    r = {r.x, r.y + h, r.w, r.h - h};
  }
  const float line = s.px(28);
  float x = r.x;
  if (recorded) {
    const Rect plate{r.x, r.y + s.px(4), s.px(40), s.px(20)};
    scene.box(plate, 0, {}, s[Role::TextSecondary], s.px(1.5f));
    hatch(scene, plate, s[Role::TextSecondary], s.px(7), s.px(1.5f));
    x += plate.w + s.px(10);
  }
  fitted_label(scene, s, {x, r.y, r.right() - x, line}, source_words(*board, gpu, recorded), Face::Sans, s.body(),
               s[Role::TextSecondary]);
  r = {r.x, r.y + line + s.px(6), r.w, r.h - line - s.px(6)};
  if (ladder) return layout_ladder(c, r, *board);
  if (all) return layout_room_times(c, r, *board);
  if (!row) return;
  layout_gpu_chart(c, r, *row, *board);
}

}  // namespace tilewalk
