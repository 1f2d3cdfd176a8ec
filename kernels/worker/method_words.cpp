#include "core/attention/fp8.h"
#include "kernels/worker/method_meter.h"
#include "kernels/worker/tables.h"

#include <fmt/format.h>

namespace tilewalk::gpu {
namespace {

std::string over(const std::optional<double>& counted, int64_t predicted) {
  return counted ? fmt::format("{:+.2f} %", 100 * (*counted / double(predicted) - 1) + 0.0) : "not counted";
}

}  // namespace

std::string method_title(const MethodSpec& s) {
  const Problem& p = s.problem;
  std::string out = fmt::format("{}, B {}, H {}", s.method, p.batch, p.heads);
  if (group_of(s) > 1) out += fmt::format(" over {}", s.kv_heads);
  out += fmt::format(", N {}, d {}, {}", p.n_k, p.d, name_of(p.mask));
  if (s.method == "split-kv")
    out += s.splits ? fmt::format(", {} splits", s.splits) : std::string(", splits by the rule");
  if (s.method == "fa3-fp8")
    out += fmt::format(", {}, a scale for each {}{}", name_of(p.distribution), s.tile_scales ? "tile" : "tensor",
                       s.rotated ? ", Q and K rotated" : "");
  return out;
}

std::string method_line(const MethodResult& r) {
  std::string out;
  if (r.timing) {
    out = time_words(r.timing->median);
    out += r.spec.method == "split-kv"
               ? fmt::format(", {:.2f} TB/s of K and V", kv_bytes(r.spec) / r.timing->median / 1e9)
               : fmt::format(", {:.1f} TFLOP/s", flop_rate(r) / 1e12);
  } else {
    out = "wrong answer";
  }
  out += fmt::format("; rows {:.1e}, all {:.1e}, L {:.1e}", r.errors.worst_row, r.errors.whole, r.errors.lse);
  if (r.rounding)
    out += fmt::format("; before rounding RMSE {:.2e}, relative {:.2e}, L {:.1e}; rounding takes {}", r.rounding->rmse,
                       r.rounding->whole, r.rounding->lse, time_words(r.rounding->seconds * 1e3));
  if (r.counters)
    out +=
        fmt::format("; L2 to SM {} ({}), SM to L2 {}, DRAM read {} of {} at least", bytes_words(r.counters->l2_to_sm),
                    over(r.counters->l2_to_sm, r.l2_to_sm), over(r.counters->sm_to_l2, r.sm_to_l2),
                    bytes_words(r.counters->dram_read), bytes_words(double(r.dram_least)));
  else if (!r.no_counters.empty())
    out += "; no counters: " + r.no_counters;
  return out;
}

std::vector<MethodSpec> method_set(std::string_view name) {
  constexpr int64_t kTokens = 16384, kHidden = 2048, kD = 128;
  const auto cell = [](int64_t n, Mask mask) {
    return Problem{
        .batch = kTokens / n, .heads = kHidden / kD, .n_q = n, .n_k = n, .d = kD, .br = 128, .bc = 128, .mask = mask};
  };
  std::vector<MethodSpec> out;
  if (name == "decode")
    for (const int64_t n : {8192, 32768, 131072})
      for (const int64_t group : {1, 4, 8})
        for (const int64_t splits : {0, 1}) {
          MethodSpec s{.method = "split-kv", .kv_heads = 32 / group, .splits = splits};
          s.problem = {.heads = 32, .n_q = 1, .n_k = n, .d = kD};
          out.push_back(s);
        }
  if (name == "fp8") {
    for (const Mask mask : {Mask::Full, Mask::Causal})
      for (const int64_t n : {512, 1024, 2048, 4096, 8192, 16384})
        out.push_back({.method = "fa3-fp8", .problem = cell(n, mask), .tile_scales = true});
    for (const Distribution distribution : {Distribution::Normal, Distribution::Outliers})
      for (const Fp8Method& method : fp8_methods()) {
        MethodSpec s{.method = "fa3-fp8", .tile_scales = method.per_tile, .rotated = method.incoherent};
        s.problem = cell(4096, Mask::Full);
        s.problem.distribution = distribution;
        out.push_back(s);
      }
  }
  if (name == "groups")
    for (const char* method : {"fa2", "fa3"})
      for (const Mask mask : {Mask::Full, Mask::Causal})
        for (const int64_t n : {4096, 16384})
          for (const int64_t group : {1, 4, 8})
            out.push_back({.method = method, .problem = cell(n, mask), .kv_heads = kHidden / kD / group});
  return out;
}

}  // namespace tilewalk::gpu
