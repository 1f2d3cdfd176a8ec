#include "core/run/ring_run.h"

#include "core/io/file.h"
#include "core/io/printable.h"
#include "core/run/results_file.h"
#include "core/run/ring_fields.h"
#include "core/run/run_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tilewalk {
namespace {

constexpr ResultsKind kRingFile{"tilewalk_ring", "is no file of rings"};
constexpr std::array<std::string_view, 2> kTransfers{"copy-engines", "nccl"};
constexpr int kMostGpus = 1024;

void check_list(const std::vector<double>& list, size_t size, const std::string& place) {
  if (list.size() != size) throw JsonFault(place, fmt::format("must hold {} numbers, and holds {}", size, list.size()));
  for (const double value : list)
    if (!std::isfinite(value) || value < 0)
      throw JsonFault(place, fmt::format("must be finite and not below zero, and holds {}", value));
}

}  // namespace

std::string_view name_of(RingTransfer transfer) { return kTransfers[size_t(transfer)]; }
std::optional<RingTransfer> ring_transfer_named(std::string_view name) {
  for (size_t k = 0; k < kTransfers.size(); ++k)
    if (kTransfers[k] == name) return RingTransfer(k);
  return std::nullopt;
}

double transfer_ms(const RingTimes& t) {
  std::vector<double> later;  // the slowest GPU's, a turn each
  for (size_t turn = 1; turn + 1 < t.steps.size(); ++turn)
    later.push_back(*std::ranges::max_element(t.steps[turn].transfer));
  if (later.empty()) return t.transfer.median;
  double sum = 0;
  for (const double each : later) sum += each;
  return sum + sum / double(later.size());
}

double hidden_share(const RingTimes& t) {
  const double transfer = transfer_ms(t);
  return transfer > 0 ? 1 - t.exposed.median / transfer : 0;
}

int64_t ring_bytes(const RingSpec& spec) { return (spec.gpus - 1) * ring_step_bytes(spec.problem, spec.gpus); }

void check(const RingSpec& s, const std::string& place) {
  std::string fault;
  if (s.gpus < 2 || s.gpus > kMostGpus)
    throw JsonFault(place + ".gpus", fmt::format("must lie from 2 to {}, and is {}", kMostGpus, s.gpus));
  ring_plan(s.problem, s.gpus, s.split, fault);
  if (fault.ends_with('.')) fault.pop_back();
  if (!fault.empty()) throw JsonFault(place, "cannot be used: " + fault);
  if (s.spare < 0 || s.rounds < 1)
    throw JsonFault(place,
                    fmt::format("says {} spare multiprocessors and {} rounds, which cannot be", s.spare, s.rounds));
}

void check(const Spread& s, const std::string& place) {
  for (const auto& [name, value] : {std::pair("median", s.median), {"p10", s.p10}, {"p90", s.p90}})
    if (!std::isfinite(value)) throw JsonFault(place + "." + name, fmt::format("must be finite, and is {}", value));
  if (s.p10 > s.median || s.median > s.p90) throw JsonFault(place, "must go up from p10 over median to p90");
  if (s.count < 1) throw JsonFault(place + ".count", fmt::format("must be 1 or more, and is {}", s.count));
}

void check(const RingResult& r, const std::string& place) {
  const std::string before = place.empty() ? "" : place + ".";
  const auto gpus = size_t(r.spec.gpus);
  if (r.times) {
    const RingTimes& t = *r.times;
    if (!r.errors.passed) throw JsonFault(before + "times", "are there, and the answer was wrong");
    for (const auto& [name, spread] :
         {std::pair("together", &t.together), {"attention", &t.attention}, {"transfer", &t.transfer}})
      if (spread->p10 <= 0)
        throw JsonFault(fmt::format("{}times.{}.p10", before, name),
                        fmt::format("must be above zero, and is {}", spread->p10));
    if (t.steps.size() != gpus)
      throw JsonFault(before + "times.steps",
                      fmt::format("must hold {} turns, one a GPU, and holds {}", gpus, t.steps.size()));
    for (size_t k = 0; k < gpus; ++k) {
      const std::string at = fmt::format("{}times.steps[{}].", before, k);
      const size_t sends = k + 1 < gpus ? gpus : 0;
      check_list(t.steps[k].attention, gpus, at + "attention");
      check_list(t.steps[k].together, gpus, at + "together");
      check_list(t.steps[k].waited, gpus, at + "waited");
      check_list(t.steps[k].transfer, sends, at + "transfer");
      check_list(t.steps[k].beside, sends, at + "beside");
    }
  }
  if (r.link) {
    if (r.link->rings < 1 || r.link->links < 1 || !(r.link->rate >= 0))
      throw JsonFault(before + "link", "counts no link, no ring, or a rate below zero");
    check_list(r.link->sent, gpus, before + "link.sent");
    check_list(r.link->received, gpus, before + "link.received");
  }
}

std::string ring_text(const std::vector<RingResult>& results) { return results_text(kRingFile, results); }

std::optional<std::vector<RingResult>> read_ring(std::string_view text, std::string& fault) {
  return read_results<RingResult>(kRingFile, text, fault);
}

void save_ring(const std::filesystem::path& path, const std::vector<RingResult>& results) {
  write_file(path, ring_text(results));
}

}  // namespace tilewalk
