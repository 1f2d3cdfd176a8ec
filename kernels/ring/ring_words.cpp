#include "kernels/ring/ring_words.h"

#include "kernels/worker/tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk::gpu {
namespace {

std::string spread_words(const char* name, const Spread& s) {
  return fmt::format("  {:<30} {:>12}   p10 {:>12}   p90 {:>12}   n {}\n", name, time_words(s.median),
                     time_words(s.p10), time_words(s.p90), s.count);
}

double worst_of(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

std::string errors_words(const Errors& e) {
  return fmt::format("{}, {} rows: worst row {:.1e}, all rows {:.1e}, L {:.1e}", e.passed ? "right" : "WRONG", e.rows,
                     e.worst_row, e.whole, e.lse);
}

}  // namespace

std::string ring_title(const RingSpec& spec) {
  const Problem& p = spec.problem;
  return fmt::format("{} GPUs, B {}, H {}, N {}, d {}, {}, {}{}, {}, {}{}", spec.gpus, p.batch, p.heads, p.n_q, p.d,
                     name_of(p.format), name_of(p.mask), spec.split == RingSplit::Zigzag ? " zigzag" : "",
                     info_of(spec.kernel).kernel_name(), name_of(spec.transfer),
                     spec.spare ? fmt::format(", {} multiprocessors spare", spec.spare) : "");
}

std::string ring_line(const RingResult& r) {
  if (!r.times) return errors_words(r.errors);
  const RingTimes& t = *r.times;
  return fmt::format("attention {}, transfer {}, together {}: {:.1f} % hidden", time_words(t.attention.median),
                     time_words(transfer_ms(t)), time_words(t.together.median), 100 * hidden_share(t));
}

std::string ring_report(const RingResult& r) {
  const RingSpec& spec = r.spec;
  std::string out = fmt::format("{}, driver {}, {}\n{}; transfer by {}{}\n", r.provenance.gpu,
                                r.provenance.driver_version, r.provenance.date, ring_title(spec), r.transport,
                                r.peer ? "" : ", through the host: the GPUs do not reach each other");
  if (!r.provenance.note.empty()) out += r.provenance.note + "\n";
  out += fmt::format("\nagainst float64   {}\n", errors_words(r.errors));
  if (r.alone)
    out += fmt::format("one GPU alone     {}; the ring's O differs by {:.1e}, an element by {:.1e} at most\n",
                       errors_words(r.alone->errors), r.alone->difference, r.alone->largest);
  if (r.times) {
    const RingTimes& t = *r.times;
    out += "\nmeasured, of a whole ring, its slowest GPU\n";
    out += spread_words("attention alone", t.attention) + spread_words("transfer alone", t.transfer) +
           spread_words("together", t.together) + spread_words("together less attention", t.exposed) +
           fmt::format("    (at the clock of attention alone: {:.0f} MHz together, {:.0f} MHz alone)\n",
                       t.together_clock, t.attention_clock);
    if (r.alone) out += spread_words("one GPU alone", r.alone->time);
    out += fmt::format("  {:.1f} % of the transfer, {}, is hidden", 100 * hidden_share(t), time_words(transfer_ms(t)));
    if (r.alone && t.together.median > 0)
      out += fmt::format("; {:.2f} times as fast as one GPU", r.alone->time.median / t.together.median);
    out +=
        "\n\nturn   attention     together       waited     transfer    transfer beside   (the slowest GPU of each)\n";
    for (size_t k = 0; k < t.steps.size(); ++k) {
      const RingStep& s = t.steps[k];
      out += fmt::format("{:>4} {:>12} {:>12} {:>12} {:>12} {:>12}\n", k, time_words(worst_of(s.attention)),
                         time_words(worst_of(s.together)), time_words(worst_of(s.waited)),
                         s.transfer.empty() ? "-" : time_words(worst_of(s.transfer)),
                         s.beside.empty() ? "-" : time_words(worst_of(s.beside)));
    }
  }
  const int64_t step = ring_step_bytes(spec.problem, spec.gpus);
  out += fmt::format("\nbytes a GPU sends: predicted {} a turn, {} a ring\n", step, ring_bytes(spec));
  if (r.link)
    for (size_t device = 0; device < r.link->sent.size(); ++device)
      out += fmt::format("  GPU {}: counted {:.0f} sent ({:+.3f} %), {:.0f} received ({:+.3f} %)\n", device,
                         r.link->sent[device], 100 * (r.link->sent[device] / double(ring_bytes(spec)) - 1),
                         r.link->received[device], 100 * (r.link->received[device] / double(ring_bytes(spec)) - 1));
  else
    out += "  not counted: " + r.no_link + "\n";
  return out;
}

}  // namespace tilewalk::gpu
