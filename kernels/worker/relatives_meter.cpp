#include "kernels/worker/relatives_meter.h"

#include "core/attention/inputs.h"
#include "core/attention/selected_blocks.h"
#include "core/run/tolerance.h"
#include "kernels/relatives.h"
#include "kernels/split_kv.h"
#include "kernels/worker/buffer.h"
#include "kernels/worker/device_inputs.h"
#include "kernels/worker/relatives_reference.h"
#include "kernels/worker/request_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk::gpu {
namespace {

constexpr size_t kMargin = 256;  // bytes behind each output that nobody may write
constexpr float kLambda = 0.8f;  // where the paper's starts in deep layers: 0.8 - 0.6 e^(-0.3 (layer - 1))
static_assert(kSelectedBlock == kBlockKeys && kLatent == kLatentRank && kLatentRope == kLatentRopeSize);

// A tensor [heads, rows, width] of a problem's own numbers; width is any number of 64s.
void make_tensor(Problem p, InputTensor tensor, int64_t heads, int64_t rows, int64_t width, Buffer& out) {
  p.batch = 1, p.heads = heads, p.d = 64;
  p.n_q = p.n_k = rows * width / 64;
  out.hold(size_t(heads * rows * width) * 2);
  make_rows(p, tensor, 0, p.n_q, out.data());
}

}  // namespace

// What one spec needs on the GPU.
struct RelativeMeter::Job {
  RelativeSpec spec;
  Forward f;
  SelectedBlocks blocks{};
  Buffer q, k, v, o, lse, workspace, first, entries;
  size_t o_bytes = 0, lse_bytes = 0, work_bytes = 0;
  int launches = 1;  // kernels of one

  cudaError_t prepare(const char** why) {
    const auto done = [](bool ready) { return ready ? cudaSuccess : cudaErrorNotSupported; };
    switch (spec.form) {
      case RelativeForm::SparseShared:
      case RelativeForm::SparseApart: return done(prepare_sparse(f, why));
      case RelativeForm::SparseFull: return done(gpu::prepare(Method::Fa2, f, why));
      case RelativeForm::Latent: return done(prepare_latent(f, why));
      case RelativeForm::LatentHeads: return done(prepare_split_kv(f, why));
      default: return done(prepare_differential(f, why));
    }
  }
  cudaError_t launch(cudaStream_t stream) const {
    switch (spec.form) {
      case RelativeForm::SparseShared:
      case RelativeForm::SparseApart: return launch_sparse(f, blocks, stream);
      case RelativeForm::SparseFull: return gpu::launch(Method::Fa2, f, stream);
      case RelativeForm::Latent: return launch_latent(f, int(spec.splits), stream);
      case RelativeForm::LatentHeads: return launch_split_kv(f, int(spec.splits), stream);
      case RelativeForm::Differential: return launch_differential(f, kLambda, stream);
      default: return launch_two_calls(f, kLambda, stream);
    }
  }
  void poison() {
    check(cudaMemset(o.data(), 0xFF, o_bytes + kMargin), "Overwriting O");
    check(cudaMemset(lse.data(), 0xFF, lse_bytes + kMargin), "Overwriting L");
    check(cudaMemset(workspace.data(), 0xFF, work_bytes + kMargin), "Overwriting the workspace");
  }
  bool margins_intact() const {
    for (const auto& [buffer, bytes] : {std::pair(&o, o_bytes), {&lse, lse_bytes}, {&workspace, work_bytes}})
      for (const uint8_t byte : buffer->download<uint8_t>(kMargin, bytes))
        if (byte != 0xFF) return false;
    return true;
  }
};

RelativeMeter::RelativeMeter(Gpu gpu) : gpu_(std::move(gpu)), nvml_(gpu_.pci) {
  check(cudaStreamCreate(&stream_), "Making a stream");
}
RelativeMeter::~RelativeMeter() { cudaStreamDestroy(stream_); }

void RelativeMeter::make(const RelativeSpec& spec, Job& job) {
  using enum RelativeForm;
  job.spec = spec;
  const Problem& p = spec.problem;
  Forward& f = job.f;
  const int64_t heads = p.batch * p.heads;
  f.heads = int(heads), f.n_q = int(p.n_q), f.n_k = int(p.n_k), f.d = int(p.d);
  f.causal = p.mask == Mask::Causal, f.element = element_of(p.format), f.scale = float(p.softmax_scale());
  int64_t o_width = p.d, lse_rows = heads * p.n_q;
  if (is_sparse(spec.form)) {
    const int64_t kv_heads = p.batch * spec.kv_heads;
    f.kv_heads = int(kv_heads);
    make_tensor(p, InputTensor::Q, heads, p.n_q, p.d, job.q);
    make_tensor(p, InputTensor::K, kv_heads, p.n_k, p.d, job.k);
    make_tensor(p, InputTensor::V, kv_heads, p.n_k, p.d, job.v);
    if (spec.form != SparseFull) {
      const BlockLists lists = choose_blocks({.kv_heads = kv_heads,
                                              .n_q = p.n_q,
                                              .n_k = p.n_k,
                                              .group = int(spec.group()),
                                              .causal = f.causal,
                                              .apart = spec.form == SparseApart,
                                              .seed = p.seed});
      job.first.upload(std::span<const int32_t>(lists.first));
      if (!lists.entries.empty()) job.entries.upload(std::span<const uint32_t>(lists.entries));
      job.blocks = {job.first.as<const int>(), job.entries.as<const uint32_t>()};
    }
  } else if (spec.form == Latent) {
    f.kv_heads = int(p.batch), f.d = kLatent;
    o_width = kLatent;
    make_tensor(p, InputTensor::Q, heads, 1, kLatentRow, job.q);
    make_tensor(p, InputTensor::K, p.batch, p.n_k, kLatentRow, job.k);
    job.launches = spec.splits > 1 ? 2 : 1;
    job.work_bytes = workspace_bytes_latent(f, int(spec.splits));
  } else if (spec.form == LatentHeads) {
    f.kv_heads = int(heads);
    make_tensor(p, InputTensor::Q, heads, 1, p.d, job.q);
    make_tensor(p, InputTensor::K, heads, p.n_k, p.d, job.k);
    make_tensor(p, InputTensor::V, heads, p.n_k, p.d, job.v);
    job.launches = spec.splits > 1 ? 2 : 1;
    job.work_bytes = workspace_bytes_split_kv(f, int(spec.splits));
  } else {
    o_width = 2 * p.d, lse_rows *= 2;
    make_tensor(p, InputTensor::Q, 2 * heads, p.n_q, p.d, job.q);
    make_tensor(p, InputTensor::K, 2 * heads, p.n_k, p.d, job.k);
    make_tensor(p, InputTensor::V, heads, p.n_k, 2 * p.d, job.v);
    job.launches = spec.form == Differential ? 1 : 3;
    if (spec.form == DifferentialTwice) job.work_bytes = workspace_bytes_two_calls(f);
  }
  job.o_bytes = size_t(heads * p.n_q * o_width) * 2, job.lse_bytes = size_t(lse_rows) * sizeof(float);
  f.q = job.q.data(), f.k = job.k.data(), f.v = job.v.data();
  f.o = job.o.hold(job.o_bytes + kMargin);
  f.lse = static_cast<float*>(job.lse.hold(job.lse_bytes + kMargin));
  f.workspace = job.workspace.hold(job.work_bytes + kMargin);
  if (const char* why = ""; job.prepare(&why)) throw Refused("problem", why);
}

Errors RelativeMeter::judge(Job& job, int64_t most_rows) {
  const Problem& p = job.spec.problem;
  const int64_t all = p.batch * p.heads * p.n_q, count = std::min(all, most_rows);
  std::vector<int64_t> rows;
  for (int64_t k = 0; k < count; ++k) rows.push_back(count < 2 ? 0 : k * (all - 1) / (count - 1));
  Buffer on_gpu, gaps;
  on_gpu.upload(std::span<const int64_t>(rows));
  gaps.hold(size_t(count) * sizeof(DecodeGap));
  const auto compare = [&] {
    const auto* at = on_gpu.as<const int64_t>();
    auto* out = gaps.as<DecodeGap>();
    if (is_sparse(job.spec.form))
      return compare_sparse(job.f, job.spec.form == RelativeForm::SparseFull ? nullptr : &job.blocks, at, int(count),
                            out);
    if (job.spec.form == RelativeForm::Latent) return compare_latent(job.f, at, int(count), out);
    if (job.spec.form == RelativeForm::LatentHeads) return compare_sparse(job.f, nullptr, at, int(count), out);
    return compare_differential(job.f, kLambda, at, int(count), out);
  };
  check(compare(), "Comparing with float64");
  const DecodeErrors errors = judge_decode(job.f, gaps.download<DecodeGap>(size_t(count)));
  return {count, errors.row, errors.whole, errors.lse, errors.passed};
}

namespace {

// Latent decoding: as many splits as fill the GPU.
void fill_splits(RelativeSpec& spec, int multiprocessors) {
  if (!is_latent(spec.form) || spec.splits) return;
  const Problem& p = spec.problem;
  const bool compressed = spec.form == RelativeForm::Latent;
  const int64_t blocks = p.batch * (compressed ? (p.heads + kLatentHeads - 1) / kLatentHeads : p.heads);
  const int64_t room = multiprocessors * (compressed ? 1 : kSplitResident);
  const int asked = int(std::clamp<int64_t>(room / blocks, 1, kMostSplits));
  spec.splits = compressed ? splits_made_latent(int(p.n_k), asked) : splits_made(int(p.n_k), int(p.d), asked);
}

}  // namespace

RelativeResult RelativeMeter::measure(RelativeSpec spec) {
  fill_splits(spec, gpu_.what.multiprocessors);
  RelativeResult out;
  out.provenance = gpu_.what;
  out.provenance.date = utc_now();
  out.spec = spec;
  Job job;
  make(spec, job);
  job.poison();
  const std::string what = std::string(name_of(spec.form)) + "'s launch";
  const auto queue = [&] { check(job.launch(stream_), what); };
  const auto wait = [&] { check(cudaStreamSynchronize(stream_), what); };
  queue();
  wait();
  out.errors = judge(job, 256);
  if (!out.errors.passed) return out;

  // A cache does not lie in L2 when the next token comes.
  flush_.prepare(gpu_.what.l2_bytes);
  Timing timing;
  const TimingPlan plan{10, 30, is_latent(spec.form) ? &flush_ : nullptr};
  time_launches(plan, {queue, [](int, int) { return true; }, job.launches}, stream_, nvml_, timing);
  out.timing = timing;
  if (!traffic_) traffic_ = std::make_unique<Traffic>();
  Traffic::Launches counted;
  counted.flush = [&] { flush_.queue(stream_), wait(); };
  counted.launch = [&] { queue(), wait(); };
  counted.pass = [](int, int) { return true; };
  out.counters = traffic_->measure(counted, out.no_counters);
  if (std::string fault; out.counters && !l2_) l2_ = probe_l2(*traffic_, flush_, gpu_.what, stream_, fault);
  if (l2_) out.provenance.l2_shared = l2_->all_bytes, out.provenance.l2_dirty = l2_->dirty_bytes;
  return out;
}

std::string RelativeMeter::fault(RelativeSpec spec, Errors& worst) {
  fill_splits(spec, gpu_.what.multiprocessors);
  Job job;
  make(spec, job);
  for (int time = 0; time < 2; ++time) {
    job.poison();
    check(job.launch(stream_), "The launch");
    check(cudaStreamSynchronize(stream_), "The launch");
    if (!job.margins_intact()) return "something was written behind an output";
    const Errors errors = judge(job, 1 << 20);
    if (!errors.passed)
      return fmt::format("relative error of a row {:.1e}, of all {:.1e}, of L {:.1e}", errors.worst_row, errors.whole,
                         errors.lse);
    worst.worst_row = std::max(worst.worst_row, errors.worst_row), worst.lse = std::max(worst.lse, errors.lse);
    worst.rows += errors.rows;
  }
  return "";
}

}  // namespace tilewalk::gpu
