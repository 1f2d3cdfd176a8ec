#include "core/run/ring_plan.h"

#include "core/kernel/kernel_shapes.h"

#include <fmt/format.h>

#include <algorithm>

namespace tilewalk {

std::vector<RingBlock> ring_blocks(const RingPlan& plan, int64_t device, int64_t turn) {
  const int64_t shard = shard_at(device, turn, plan.devices);
  std::vector<RingBlock> out;
  for (int64_t q = 0; q < plan.parts(); ++q)
    for (int64_t k = 0; k < plan.parts(); ++k) {
      const int64_t row = plan.part_index(device, q), column = plan.part_index(shard, k);
      if (!plan.causal || column <= row) out.push_back({q, k, plan.causal && column == row});
    }
  return out;
}

RingWork ring_plan_work(const RingPlan& plan) {
  const int64_t n = plan.part_tokens();
  RingWork out;
  for (int64_t turn = 0; turn < plan.devices; ++turn) {
    std::vector<int64_t>& work = out.work.emplace_back();
    for (int64_t device = 0; device < plan.devices; ++device) {
      work.push_back(0);
      for (const RingBlock& block : ring_blocks(plan, device, turn))
        work.back() += block.causal ? n * (n + 1) / 2 : n * n;
      out.total += work.back();
    }
    out.lasts += *std::ranges::max_element(work);
  }
  return out;
}

RingPlan ring_plan(const Problem& p, int64_t devices, RingSplit split, std::string& fault) {
  const RingPlan plan{devices, split, p.n_q, p.mask == Mask::Causal};
  if (devices < 2)
    fault = fmt::format("A ring has two GPUs or more, and {} is asked for.", devices);
  else if (p.n_q != p.n_k)
    fault = fmt::format("On a ring queries and keys are the same tokens: N_q is {} and N_k is {}.", p.n_q, p.n_k);
  else if (split == RingSplit::Striped)
    fault = "The kernels take neighbours together: shards or zigzag, not single tokens dealt out.";
  else if (p.n_q % (devices * plan.parts()))
    fault = fmt::format("N is {}, which {} GPUs cannot share out in {} equal parts; {} would do.", p.n_q, devices,
                        devices * plan.parts(),
                        std::max<int64_t>(1, p.n_q / (devices * plan.parts())) * devices * plan.parts());
  return plan;
}

int64_t ring_step_bytes(const Problem& p, int64_t devices) {
  return p.batch * p.heads * (p.n_k / devices) * padded_d(p.d) * 2 * bytes_of(p.format);
}

}  // namespace tilewalk
