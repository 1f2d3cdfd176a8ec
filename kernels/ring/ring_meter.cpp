#include "kernels/ring/ring_meter.h"

#include "kernels/ring/whole_problem.h"
#include "kernels/worker/gpu_lock.h"
#include "kernels/worker/nvml.h"
#include "kernels/worker/request_check.h"
#include "kernels/worker/timing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace tilewalk::gpu {
namespace {

// A rest before each timed ring, so that its clocks are not those of the power limit that the one before ran into.
constexpr auto kRest = std::chrono::milliseconds(30);
constexpr int kWarmups = 2;
// Counted over so many bytes a GPU that what else goes over the links, and the counters' KiB, do not matter.
constexpr double kCountedBytes = 2e9;
constexpr int kMostCounted = 200;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

Spread spread_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {quantile(values, 0.5), quantile(values, 0.1), quantile(values, 0.9), int(values.size())};
}

double longest(const Ring::Times& times) { return *std::max_element(times.whole.begin(), times.whole.end()); }

// Medians over the rounds, turn by turn and device by device.
template <class List>
void fold(std::vector<RingStep>& into, const std::vector<Ring::Times>& rounds, List list) {
  for (size_t turn = 0; turn < into.size(); ++turn)
    for (size_t device = 0; device < (rounds.front().steps[turn].*list).size(); ++device) {
      std::vector<double> values;
      for (const Ring::Times& round : rounds) values.push_back((round.steps[turn].*list)[device]);
      (into[turn].*list).push_back(std::max(0.0, median(values)));
    }
}

Ring::Times rested(Ring& ring, Ring::Work work) {
  std::this_thread::sleep_for(kRest);
  return ring.run(work);
}

// What the transfer cost the device that took longest, at the SM clock of its attention alone.
double exposed_ms(const Ring::Times& both, const Ring::Times& attention) {
  const auto g = size_t(std::max_element(both.whole.begin(), both.whole.end()) - both.whole.begin());
  const bool known = both.clock[g] > 0 && attention.clock[g] > 0;
  return both.whole[g] * (known ? both.clock[g] / attention.clock[g] : 1) - attention.whole[g];
}

// Together, attention and transfer in turns, the order turned round every time, so that what drifts meets them alike.
RingTimes time_ring(Ring& ring, const RingSpec& spec) {
  using Work = Ring::Work;
  for (int k = 0; k < kWarmups; ++k)
    for (const Work work : {Work::Both, Work::Attention, Work::Transfer}) ring.run(work);
  std::vector<Ring::Times> both, attention, transfer;
  std::vector<double> exposed;
  for (int round = 0; round < spec.rounds; ++round) {
    const bool first = round % 2 == 0;
    if (first) both.push_back(rested(ring, Work::Both));
    attention.push_back(rested(ring, Work::Attention));
    if (!first) both.push_back(rested(ring, Work::Both));
    transfer.push_back(rested(ring, Work::Transfer));
    exposed.push_back(exposed_ms(both.back(), attention.back()));
  }
  const auto whole = [](const std::vector<Ring::Times>& rounds) {
    std::vector<double> each;
    for (const Ring::Times& round : rounds) each.push_back(longest(round));
    return spread_of(each);
  };
  const auto clock = [](const std::vector<Ring::Times>& rounds) {
    std::vector<double> each;
    for (const Ring::Times& round : rounds) each.push_back(median(round.clock));
    return median(each);
  };
  RingTimes out;
  out.together = whole(both);
  out.attention = whole(attention);
  out.transfer = whole(transfer);
  out.exposed = spread_of(exposed);
  out.together_clock = clock(both);
  out.attention_clock = clock(attention);
  out.steps.resize(size_t(spec.gpus));
  fold(out.steps, both, &RingStep::together);
  fold(out.steps, both, &RingStep::waited);
  fold(out.steps, both, &RingStep::beside);
  fold(out.steps, attention, &RingStep::attention);
  fold(out.steps, transfer, &RingStep::transfer);
  return out;
}

std::optional<RingLink> count_links(Ring& ring, const RingSpec& spec, const std::vector<Gpu>& gpus,
                                    std::string& fault) {
  std::vector<std::unique_ptr<Nvml>> nvml;
  std::vector<NvLinks> before;
  for (int device = 0; device < spec.gpus; ++device) {
    nvml.push_back(std::make_unique<Nvml>(gpus[size_t(device)].pci));
    const auto links = nvml.back()->links();
    if (!links) {
      fault = fmt::format("GPU {} has no NVLink whose counters NVML gives out.", device);
      return std::nullopt;
    }
    before.push_back(*links);
  }
  RingLink out{before.front().count, before.front().rate, 0, {}, {}};
  out.rings = int(std::clamp(std::ceil(kCountedBytes / double(ring_bytes(spec))), 1.0, double(kMostCounted)));
  for (int k = 0; k < out.rings; ++k) ring.run(Ring::Work::Both);
  for (size_t device = 0; device < nvml.size(); ++device) {
    const NvLinks now = nvml[device]->links().value_or(before[device]);
    out.sent.push_back((now.sent - before[device].sent) / out.rings);
    out.received.push_back((now.received - before[device].received) / out.rings);
  }
  return out;
}

Errors worse(const Errors& a, const Errors& b) {
  const auto more = [](double x, double y) { return std::isnan(x) || x > y ? x : y; };
  return {a.rows, more(a.worst_row, b.worst_row), more(a.whole, b.whole), more(a.lse, b.lse), a.passed && b.passed};
}

// `whole`: bytes that the comparison still needs on GPU 0.
void check_memory(const RingSpec& spec, size_t whole) {
  for (int device = 0; device < spec.gpus; ++device) {
    check(cudaSetDevice(device), "Turning to a GPU");
    size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "Asking for free GPU memory");
    const size_t needed = Ring::bytes(spec) + (device == 0 ? whole : 0);
    if (needed <= free / 10 * 9) continue;
    check(cudaSetDevice(0), "Turning to a GPU");
    throw Refused("memory",
                  fmt::format("GPU {} of the ring needs {:.1f} GB{} and has {:.1f} GB free, of which a tenth "
                              "is left alone; take a smaller N or more GPUs.",
                              device, double(needed) * 1e-9,
                              device == 0 ? ", the whole problem to compare with included," : "", double(free) * 1e-9));
  }
  check(cudaSetDevice(0), "Turning to a GPU");
}

}  // namespace

void check_ring(const RingSpec& spec, const std::vector<Gpu>& gpus) {
  std::string fault;
  ring_plan(spec.problem, spec.gpus, spec.split, fault);
  if (!fault.empty()) throw Refused("problem", fault);
  RunSpec one;
  one.problem = spec.problem;
  one.kernels = {spec.kernel};
  check_request(one);
  if (spec.kernel != Method::Fa2 && spec.kernel != Method::Fa3)
    throw Refused("problem",
                  fmt::format("{} does not run on a ring; FA2 and FA3 do.", info_of(spec.kernel).kernel_name()));
  if (spec.spare && spec.kernel != Method::Fa3)
    throw Refused("problem", "FA2 launches a block for every Q tile and leaves no multiprocessor free; FA3 can.");
  if (int(gpus.size()) < spec.gpus)
    throw Refused("gpus", fmt::format("A ring of {} needs {} GPUs in this computer, and {} offered.", spec.gpus,
                                      spec.gpus, gpus.size() == 1 ? "1 is" : fmt::format("{} are", gpus.size())));
  for (int device = 0; device < spec.gpus; ++device) {
    const Provenance& gpu = gpus[size_t(device)].what;
    if (const std::string why = capability_fault(spec.kernel, gpu); !why.empty())
      throw Refused("problem", fmt::format("GPU {} of the ring: {}", device, why));
    if (spec.spare < 0 || spec.spare >= gpu.multiprocessors)
      throw Refused("problem", fmt::format("{} multiprocessors cannot be left free: GPU {} has {}.", spec.spare, device,
                                           gpu.multiprocessors));
  }
}

RingLocks::RingLocks(const std::vector<Gpu>& gpus, int count) {
  for (int device = 0; device < std::min(count, int(gpus.size())); ++device) {
    const std::string& pci = gpus[size_t(device)].pci;
    locks_.push_back(std::make_unique<GpuLock>(pci));
    if (!locks_.back()->held())
      shared_ = fmt::format("Another Tilewalk worker is measuring on GPU {}", device);
    else if (const double busy = Nvml(pci).busy(); busy > kDisturbed)
      shared_ = fmt::format("Other programs keep GPU {} {:.0f} % busy", device, busy * 100);
  }
}
RingLocks::~RingLocks() = default;

RingMeter::RingMeter(std::vector<Gpu> gpus, RingSetup setup) : gpus_(std::move(gpus)), setup_(std::move(setup)) {}
RingMeter::~RingMeter() = default;

// The one-GPU side of the problem, kept from one ring of it to the next.
WholeProblem& RingMeter::whole_of(const RingSpec& spec) {
  if (whole_ && whole_->is_of(spec.problem, spec.kernel)) {
    check_memory(spec, 0);
    return *whole_;
  }
  whole_.reset();
  check_memory(spec, WholeProblem::bytes(spec.problem));
  whole_ = std::make_unique<WholeProblem>(spec.problem, spec.kernel);
  return *whole_;
}

RingResult RingMeter::measure(const RingSpec& spec, const std::function<void(const std::string&)>& said) {
  check_ring(spec, gpus_);
  WholeProblem& whole = whole_of(spec);
  RingResult out;
  out.provenance = gpus_.front().what;
  out.provenance.date = utc_now();
  out.spec = spec;
  out.hash = whole.hash();
  said("making the ring");
  Ring ring(spec, setup_);
  out.transport = ring.transport();
  out.peer = ring.peer();
  said("checking the answer");
  ring.run(Ring::Work::Both);  // loads what is loaded at its first use
  out.errors = whole.check(ring);
  said("one GPU alone");
  out.alone = whole.alone(gpus_.front(), true);
  if (!out.errors.passed) return out;
  said("timing");
  RingTimes times = time_ring(ring, spec);
  said("counting what goes over the links");
  out.link = count_links(ring, spec, gpus_, out.no_link);
  said("checking the answer once more");
  out.errors = worse(out.errors, whole.check(ring));
  if (out.errors.passed) out.times = std::move(times);
  return out;
}

std::string RingMeter::fault(const RingSpec& spec) {
  check_ring(spec, gpus_);
  WholeProblem& whole = whole_of(spec);
  Ring ring(spec, setup_);
  const Errors once = whole.check(ring), again = whole.check(ring);
  for (const Errors& e : {once, again})
    if (!e.passed) return fmt::format("worst row {:.1e}, all rows {:.1e}, L {:.1e}", e.worst_row, e.whole, e.lse);
  const RingAlone alone = whole.alone(gpus_.front(), false);
  if (const double most = spec.problem.format == Format::BFloat16 ? 8e-3 : 1e-3; !(alone.difference <= most))
    return fmt::format("O differs from one GPU's by {:.1e}", alone.difference);
  return {};
}

}  // namespace tilewalk::gpu
