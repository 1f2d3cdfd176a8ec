// Who refuses what. See dispatch_rules.h; the sources are named in dispatch.h.
#include "core/model/dispatch_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tilewalk {
namespace {

bool half(const AttentionCall& call) { return call.dtype == CallDtype::Fp16 || call.dtype == CallDtype::Bf16; }
bool masked(const AttentionCall& call) { return call.mask == CallMask::Bool || call.mask == CallMask::Float; }
bool sizes_differ(const AttentionCall& call) { return call.value_size() != call.d; }
// The GeForce-sized multiprocessors of Ampere, Ada and Blackwell: 99 KB of shared memory a block.
bool small_sm(int cc) { return cc == 86 || cc == 87 || cc == 89 || cc == 120 || cc == 121; }

std::string needs_half(const AttentionCall& call, std::string_view who) {
  return fmt::format("{} takes fp16 and bf16, not {}.", who, name_of(call.dtype));
}

std::string wrong_gpu(const AttentionCall& call, std::string_view who, int least, int most) {
  return fmt::format("{} is for compute capability {} to {}; this is {}.", who, cc_text(least), cc_text(most),
                     cc_text(call.cc));
}

}  // namespace

std::string cc_text(int cc) { return fmt::format("{}.{}", cc / 10, cc % 10); }

std::string cudnn_text(int version) {
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

int installed_cudnn(const AttentionCall& call, const TorchRelease& release) {
  return call.cudnn > 0 ? call.cudnn : release.cudnn;
}

std::string why_not_flash(const AttentionCall& call, const TorchRelease& release) {
  const bool first = release.number < 220;  // FA1
  const std::string_view who = first ? "FA1" : "Flash";
  const int least = first ? 75 : 80;
  if (masked(call)) return "Flash takes no attn_mask, only is_causal.";
  if (sizes_differ(call)) return fmt::format("{} needs q, k and v of one head dimension.", who);
  if (first && (call.d > 128 || call.d % 8 != 0))
    return fmt::format("FA1 takes head dimensions up to 128 that are multiples of 8; this is {}.", call.d);
  if (call.d > 256) return fmt::format("Flash takes head dimensions up to 256; this is {}.", call.d);
  if (call.cc < least || call.cc > release.newest_cc) return wrong_gpu(call, who, least, release.newest_cc);
  if (first && call.grad && small_sm(call.cc) && call.d > 64)
    return fmt::format("FA1 does not train head dimensions over 64 on compute capability {}.", cc_text(call.cc));
  if (!first && call.grad && small_sm(call.cc) && call.d > 192 && (call.d <= 224 || call.dropout > 0))
    return fmt::format("Flash does not train head dimension {}{} on compute capability {}.", call.d,
                       call.d > 224 ? " with dropout" : "", cc_text(call.cc));
  if (!first && call.mask == CallMask::Causal && call.n_q != call.n_k)
    return "Flash refuses is_causal where N_q ≠ N_k: it would align the mask at the bottom right.";
  if (!half(call) || (call.dtype == CallDtype::Bf16 && call.cc < 80)) return needs_half(call, who);
  if (call.grouped() && release.number < 250) return "This release has no enable_gqa: repeat K and V yourself.";
  return {};
}

std::string why_not_efficient(const AttentionCall& call, const TorchRelease& release) {
  if (call.cc < 50 || call.cc > release.newest_cc) return wrong_gpu(call, "Memory-efficient", 50, release.newest_cc);
  const bool tensor_cores = call.cc >= 80 || (call.cc >= 70 && half(call));
  const int64_t alignment = tensor_cores ? (half(call) ? 8 : 4) : (call.cc >= 80 ? 4 : 1);
  if (call.d % alignment != 0 || call.value_size() % alignment != 0)
    return fmt::format("Memory-efficient needs head dimensions that are multiples of {}.", alignment);
  if (call.dtype == CallDtype::Fp8) return "Memory-efficient takes fp16, bf16 and fp32, not fp8.";
  if (call.dtype == CallDtype::Bf16 && call.cc < 80)
    return "Memory-efficient takes bf16 from compute capability 8.0 on.";
  if (call.grouped() && release.id != "main")
    return release.number < 250 ? "This release has no enable_gqa: repeat K and V yourself."
                                : "Memory-efficient does not take fewer K/V heads in this release.";
  return {};
}

std::string why_not_cudnn(const AttentionCall& call, const TorchRelease& release) {
  const int cudnn = installed_cudnn(call, release);
  if (release.number < 250) return "This release does not call cuDNN for attention.";
  if (cudnn < 90000) return fmt::format("It takes cuDNN 9 or newer; this is {}.", cudnn_text(cudnn));
  if (call.dropout > 0 && cudnn > 91100 && cudnn < 91400) return "cuDNN 9.11 to 9.13 are not asked for dropout.";
  if (call.deterministic) return "cuDNN is not asked in deterministic mode.";
  if (!half(call)) return needs_half(call, "cuDNN");
  if (call.cc < 80 || call.cc > release.newest_cc) return wrong_gpu(call, "cuDNN", 80, release.newest_cc);
  const bool main = release.id == "main";
  if (main && call.dropout * 16 != std::floor(call.dropout * 16))
    return fmt::format("cuDNN's dropout comes in sixteenths; {:g} is none.", call.dropout);
  if (call.batch > 65535 || call.heads > 65535) return "cuDNN takes up to 65,535 sequences and heads.";
  const bool hopper = call.cc == 90, data_center_blackwell = call.cc / 10 == 10;
  int64_t most = 128;
  if (main) {
    if ((hopper || data_center_blackwell) && cudnn > 92200)
      most = 256;
    else if ((hopper || data_center_blackwell) && cudnn >= 91100 && call.d == 192 && call.value_size() == 128)
      most = 192;
  } else if (release.number >= 280) {
    if (hopper && cudnn >= 91000) most = 256;
    if (data_center_blackwell && cudnn >= 91100 && call.d == 192 && call.value_size() == 128) most = 192;
  }
  if (call.d > most || call.value_size() > most)
    return fmt::format("cuDNN {} takes head dimensions up to {} here; this is {}.", cudnn_text(cudnn), most,
                       std::max(call.d, call.value_size()));
  if (call.d % 8 != 0 || call.value_size() % 8 != 0) return "cuDNN needs head dimensions that are multiples of 8.";
  if (call.n_k == 1 || (call.n_q == 1 && (release.number < 280 || call.dropout > 0)))
    return call.n_k == 1          ? "cuDNN takes no single key."
           : release.number < 280 ? "cuDNN takes no single query in this release."
                                  : "cuDNN takes no single query with dropout.";
  return {};
}

std::string why_not_fa2_package(const AttentionCall& call) {
  if (call.cc < 80) return fmt::format("FA2 needs compute capability 8.0; this is {}.", cc_text(call.cc));
  if (!half(call)) return needs_half(call, "FA2");
  if (call.d > 256 || call.value_size() > 256)
    return fmt::format("FA2 takes head dimensions up to 256; this is {}.", call.d);
  if (sizes_differ(call)) return "FA2 needs q, k and v of one head dimension.";
  if (masked(call)) return "flash_attn_func has no mask argument, only causal, windows and ALiBi.";
  return {};
}

std::string why_not_fa3_package(const AttentionCall& call) {
  if (call.cc < 80 || call.cc >= 100)
    return fmt::format(
        "FA3's kernels are for compute capability 9.0 (a build may hold plain ones for 8.x); this is {}.",
        cc_text(call.cc));
  if (!half(call) && call.dtype != CallDtype::Fp8) return "FA3 takes fp16, bf16 and, forward, fp8, not fp32.";
  if (call.dtype == CallDtype::Fp8 && call.cc != 90) return "FA3's fp8 is for compute capability 9.0.";
  if (call.dtype == CallDtype::Fp8 && call.grad) return "FA3's fp8 has no backward.";
  if (call.d > 256 || call.value_size() > 256)
    return fmt::format("FA3 takes head dimensions up to 256; this is {}.", call.d);
  if (call.dropout > 0) return "FA3 has no dropout.";
  if (masked(call)) return "FA3's flash_attn_func has no mask argument.";
  return {};
}

std::string why_not_fa4_package(const AttentionCall& call) {
  // flash_attn/cute/interface.py of fa4-v4.0.0.beta27; 8.x and 12.x since beta5, March 2026.
  const int major = call.cc / 10;
  if (major < 8 || major > 12) return wrong_gpu(call, "FA4", 80, 121);
  if (call.grad && major == 8)
    return fmt::format("FA4's backward needs compute capability 9.0; this is {}.", cc_text(call.cc));
  const bool fp8 = call.dtype == CallDtype::Fp8;
  if (fp8 && (major != 10 || call.grad)) return "FA4's fp8 is a forward pass on compute capability 10.x.";
  if (!half(call) && !fp8) return "FA4 takes fp16, bf16 and, forward on compute capability 10.x, fp8, not fp32.";
  const int64_t d = call.d, d_v = call.value_size();
  if (d % 8 != 0 || d_v % 8 != 0) return "FA4 needs head dimensions that are multiples of 8.";
  const bool wide = (d == 192 && d_v == 128) || (d == 256 && d_v == 256) || (d_v == 512 && (d == 64 || d == 512));
  if ((major == 10 || major == 11) && !wide && std::max(d, d_v) > 128)
    return fmt::format("FA4 takes head dimensions up to 128, 192 with values of 128, and 256 here; this is {}.", d);
  if (std::max(d, d_v) > 256 && !wide) return fmt::format("FA4 takes head dimensions up to 256; this is {}.", d);
  if (masked(call)) return "FA4's flash_attn_func has no mask argument.";
  if (call.dropout > 0) return "FA4 has no dropout.";
  return {};
}

std::string why_not_xformers(Backend backend, const AttentionCall& call) {
  switch (backend) {
    case Backend::Fa3:
      if (call.cc < 80 || call.cc > 90) return wrong_gpu(call, "FA3 in xFormers", 80, 90);
      if (!half(call)) return needs_half(call, "FA3");
      if (call.d < 32 || call.d > 256) return "FA3 in xFormers takes head dimensions 32 to 256.";
      if (call.dropout > 0) return "FA3 has no dropout.";
      if (masked(call)) return "FA3 takes no bias tensor.";
      return {};
    case Backend::Fa2:
      if (call.cc < 80) return fmt::format("FA2 needs compute capability 8.0; this is {}.", cc_text(call.cc));
      if (!half(call)) return needs_half(call, "FA2");
      if (call.d > 256) return fmt::format("FA2 takes head dimensions up to 256; this is {}.", call.d);
      if (sizes_differ(call)) return "FA2 needs q, k and v of one head dimension.";
      if (masked(call)) return "FA2 takes no bias tensor.";
      return {};
    case Backend::TritonSplitK:
      if (!half(call)) return needs_half(call, "Triton split-K");
      if (call.cc < 80) return "Triton split-K needs compute capability 8.0.";
      if (masked(call) || call.dropout > 0) return "Triton split-K takes neither a bias tensor nor dropout.";
      return {};
    case Backend::Efficient:
      if (call.cc > 90) return wrong_gpu(call, "The CUTLASS kernel", 50, 90);
      if (call.cc < 75) return "xFormers dropped compute capability 7.0 with 0.0.31.";
      if (call.dtype == CallDtype::Fp8) return "The CUTLASS kernel takes fp16, bf16 and fp32, not fp8.";
      if (call.dtype == CallDtype::Bf16 && call.cc < 80) return "bf16 needs compute capability 8.0.";
      return {};
    default: return {};
  }
}

}  // namespace tilewalk
