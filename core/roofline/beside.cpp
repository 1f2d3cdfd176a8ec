#include "core/roofline/beside.h"

#include "core/attention/fp8_tiles.h"
#include "core/machine/cost.h"
#include "core/run/prediction.h"

namespace tilewalk {

Work work_of_kernel(const KernelResult& kernel, const RunSpec& spec, Method method, int sms, KernelVersion version) {
  const Problem& p = spec.problem;
  if (kernel.label.empty() && kernel.kernel == Method::SplitKv) {
    Problem packed = p;
    packed.heads = p.heads / group_of(spec);
    packed.n_q = group_of(spec);
    const int64_t made = kernel.splits > 0 ? kernel.splits : splits_of_run(p, change_of(spec, kernel.with), sms);
    Work work = work_of(method, packed, Direction::Forward, made);
    work.problem = p;
    work.nominal_flop = nominal_flop(p, Method::SplitKv);
    return work;
  }
  Work work = work_of(method, p, schedule_of(kernel.kernel).direction, 1, version);
  if (!kernel.label.empty() || kernel.kernel != Method::Fa3Fp8) return work;
  PassWork& pass = work.passes.front();
  const Fp8Traffic bytes = fp8_traffic(p);
  const double o = double(work.heads() * p.n_q * kFp8D);  // O stays in 16 bits, and L in fp32
  pass.dram_bytes = pass.dram_bytes / 2 + o + double(work.heads() * p.n_q) * kStatisticBytes / 2;
  pass.l2_bytes = double(bytes.loads + bytes.stores);
  for (double* each : {&pass.sram_bytes, &pass.two_level_bytes, &pass.kept_per_head, &pass.again, &pass.edge_bytes})
    *each /= 2;
  return work;
}

Roofs roofs_for(const KernelResult& kernel, const Roofs& roofs) {
  Roofs out = roofs;
  if (!kernel.label.empty()) return out;
  if (kernel.kernel == Method::SplitKv && roofs.dram_read) out[Roof::Dram] = roofs.dram_read;
  if (kernel.kernel != Method::Fa3Fp8) return out;
  out[Roof::Tensor] = roofs.fp8;
  if (!roofs.fp8 && roofs[Roof::Tensor]) {
    out[Roof::Tensor] = roofs[Roof::Tensor];
    out[Roof::Tensor]->value *= 2;
    out[Roof::Tensor]->source += ", twice it for e4m3";
  }
  return out;
}

}  // namespace tilewalk
