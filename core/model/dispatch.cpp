// Which kernel runs. See dispatch.h; why one does not is in dispatch_rules.cpp.
#include "core/model/dispatch.h"

#include "core/model/dispatch_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tilewalk {
namespace {

constexpr std::array<std::string_view, kEntryPointCount> kEntries{
    "F.scaled_dot_product_attention",
    "flash_attn.flash_attn_func",
    "flash_attn_interface.flash_attn_func",
    "flash_attn.cute.flash_attn_func",
    "xformers.ops.memory_efficient_attention",
    "attn_implementation=\"eager\"",
    "attn_implementation=\"sdpa\"",
    "attn_implementation=\"flash_attention_2\"",
    "attn_implementation=\"flash_attention_3\"",
    "attn_implementation=\"flash_attention_4\"",
    "attn_implementation=\"flex_attention\"",
};
constexpr std::array<std::string_view, kBackendCount> kBackends{
    "cuDNN", "FA1", "FA2", "FA3", "FA4", "memory-efficient", "Triton split-K", "FlexAttention", "math"};
constexpr std::array<std::string_view, kBackendCount> kWhatItIs{"NVIDIA's library, fused",
                                                                "FlashAttention, the first",
                                                                "FlashAttention-2",
                                                                "FlashAttention-3",
                                                                "FlashAttention-4",
                                                                "fused, an older kernel",
                                                                "fused, for few queries",
                                                                "fused, compiled from Python",
                                                                "plain products and softmax, not fused"};

constexpr std::string_view kOwnCudnn = "Not checked: which cuDNN this release brings along.";

// cuDNN came to attention with 2.5, where 2.5.1 put it last again; a wheel's own cuDNN passed 9.15.0 with 2.11.
constexpr std::array<TorchRelease, 8> kReleases{{
    {"2.1", 210, 80902, 90, "sdp_utils.cpp of 2.1: FA1"},
    {"2.2", 220, 80902, 90, "pytorch/pytorch#105602: FA2"},
    {"2.5.0", 250, 90100, 90, "cuDNN first on compute capability 9.0, until pytorch/pytorch#138522", kOwnCudnn},
    {"2.5.1", 251, 90100, 90, "pytorch/pytorch#138522: cuDNN last again", kOwnCudnn},
    {"2.8", 280, 91002, 121, "sdp_utils.cpp of 2.8", kOwnCudnn},
    {"2.10", 300, 91002, 121, "sdp_utils.cpp of 2.10",
     "Not checked: so with cuDNN 9.10.2, as in wheels for CUDA 12; one past 9.15.0 would be asked first."},
    {"2.11", 310, 91900, 121, "measured on an H200, 20 November 2026"},
    {"main", 999, 91900, 121, "sdp_utils.cpp at 001f694a, August 2026",
     "Not checked: main is taken with the cuDNN of 2.11, 9.19.0."},
}};

// Whether it is put first on compute capability 9.x and 10.x.
bool cudnn_leads(const AttentionCall& call, const TorchRelease& release) {
  return !call.cudnn_last && release.number >= 300 && installed_cudnn(call, release) > 91500;
}

bool cudnn_first(const AttentionCall& call, const TorchRelease& release) {
  if (release.number == 250) return !call.cudnn_last && call.cc == 90;
  return cudnn_leads(call, release) && (call.cc == 90 || call.cc / 10 == 10);
}

// PyTorch 2.1's guess of which one keeps more multiprocessors busy, taken from xFormers.
bool efficient_first(const AttentionCall& call) {
  const int64_t blocks = call.batch * call.heads;
  if (call.grad) return 6 * blocks > call.n_q;
  return (blocks < 60 && blocks * (call.n_q / 64) / 2 >= blocks) || call.d == 128;
}

std::vector<Backend> sdpa_order(const AttentionCall& call, const TorchRelease& release) {
  const Backend flash = release.number < 220 ? Backend::Fa1 : Backend::Fa2;
  std::vector<Backend> order{flash, Backend::Efficient, Backend::Math};
  if (release.number < 220 && efficient_first(call)) std::swap(order[0], order[1]);
  if (release.number >= 250) order.insert(cudnn_first(call, release) ? order.begin() : order.end(), Backend::Cudnn);
  return order;
}

std::string why_not_sdpa(Backend backend, const AttentionCall& call, const TorchRelease& release) {
  if (call.only && *call.only != backend) return "sdpa_kernel does not let it in.";
  switch (backend) {
    case Backend::Cudnn: return why_not_cudnn(call, release);
    case Backend::Fa1:
    case Backend::Fa2: return why_not_flash(call, release);
    case Backend::Efficient: return why_not_efficient(call, release);
    default: break;
  }
  if (call.dtype == CallDtype::Fp8) return "Math does not take fp8.";
  if (call.grouped() && release.number < 250) return "This release has no enable_gqa: repeat K and V yourself.";
  return {};
}

int64_t padded_head(int64_t d) {
  for (int64_t size : {32, 64, 96, 128, 160, 192, 224, 256})
    if (d <= size) return size;
  return d;
}

// Br and Bc of upstream's FA2 kernels where they are known (flash_fwd_launch_template.h); 0 elsewhere.
std::string fa2_kernel(const AttentionCall& call, std::string_view space) {
  if (call.n_q == 1 && !call.grad) return fmt::format("{}::flash_fwd_splitkv_kernel, …_combine_kernel", space);
  const int64_t d = padded_head(call.d);
  const bool small = call.cc == 86 || call.cc == 89;
  int br = 128, bc = 64;
  if (d == 32 || d == 64) bc = d == 64 && call.dropout > 0 ? 64 : 128;
  if (d == 128 && small) br = call.mask == CallMask::Causal ? 64 : 128, bc = call.mask == CallMask::Causal ? 64 : 32;
  if (d == 32 || d == 64 || d == 96 || d == 128)
    return fmt::format("{}::flash_fwd_kernel<Flash_fwd_kernel_traits<{}, {}, {}, 4, …>>", space, d, br, bc);
  return fmt::format("{}::flash_fwd_kernel<Flash_fwd_kernel_traits<{}, …>>", space, d);
}

std::string efficient_kernel(const AttentionCall& call) {
  const std::string_view type = call.dtype == CallDtype::Fp32 ? "f32" : call.dtype == CallDtype::Bf16 ? "bf16" : "f16";
  if (call.cc < 80 || call.dtype == CallDtype::Fp32) return fmt::format("fmha_cutlassF_{}_…", type);
  if (call.d > 256) return fmt::format("fmha_cutlassF_{}_aligned_32x128_gmem_sm80", type);
  if (call.d > 64 && call.d <= 128) return fmt::format("fmha_cutlassF_{}_aligned_64x128_rf_sm80", type);
  return fmt::format("fmha_cutlassF_{}_aligned_…_sm80", type);
}

std::string kernel_of(Backend backend, const AttentionCall& call, std::string_view fa2_space) {
  switch (backend) {
    case Backend::Cudnn:
      if (call.cc == 90 && call.n_q == 1)
        return "cudnn_generated_fort_native_sdpa_sm80_flash_fprop_wmma_…, lean_reduction_kernel";
      if (call.cc == 90) return "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_…";
      return "cudnn_generated_fort_native_sdpa_…";
    case Backend::Fa1: return "fmha_fwd_loop_kernel<FMHA_kernel_traits…>";
    case Backend::Fa2: return fa2_kernel(call, fa2_space);
    case Backend::Fa3:
      return call.cc == 90 ? "cutlass::device_kernel<flash::enable_sm90<flash::FlashAttnFwdSm90<…>>>"
                           : "cutlass::device_kernel<flash::enable_sm80_to_sm89<flash::FlashAttnFwdSm80<…>>>";
    case Backend::Fa4: return "…flash_attncute…";
    case Backend::Efficient: return efficient_kernel(call);
    case Backend::TritonSplitK: return "_fwd_kernel_splitK";
    case Backend::Flex: return "triton_…flex_attention…";
    case Backend::Math:
      if (call.n_q == 1) return "gemvx, softmax_warp_forward or cunn_SoftMaxForward, gemvx";
      return "a product (gemm), softmax_warp_forward or cunn_SoftMaxForward, a product";
  }
  return {};
}

std::string_view sdpa_op(Backend backend) {
  switch (backend) {
    case Backend::Cudnn: return "aten::_scaled_dot_product_cudnn_attention";
    case Backend::Fa1:
    case Backend::Fa2: return "aten::_scaled_dot_product_flash_attention";
    case Backend::Efficient: return "aten::_scaled_dot_product_efficient_attention";
    default: return "aten::_scaled_dot_product_attention_math";
  }
}

// The first eligible one wins; the others' reasons are completed.
void settle(Dispatch& result, std::string_view where) {
  result.asked = result.tried.size();
  for (Candidate& candidate : result.tried) {
    candidate.eligible = candidate.reason.empty();
    if (!candidate.eligible) continue;
    if (!result.winner)
      result.winner = candidate.backend;
    else
      candidate.reason = fmt::format("It could, but {} is asked first.", title_of(*result.winner));
  }
  if (!result.winner) result.error = where;
}

// What this entry point never asks, with one reason for each.
void never(Dispatch& result, Backend backend, std::string reason) {
  result.tried.push_back({backend, false, std::move(reason)});
}

void run_sdpa(Dispatch& result, const AttentionCall& call) {
  const TorchRelease* known = torch_release(call.torch);
  const TorchRelease& release = known ? *known : kReleases[6];
  result.path.emplace_back(fmt::format("F.scaled_dot_product_attention, PyTorch {}", release.id));
  for (Backend backend : sdpa_order(call, release))
    result.tried.push_back({backend, false, why_not_sdpa(backend, call, release)});
  settle(result, "RuntimeError: No available kernel. Aborting execution.");
  // Where the chip is the reason, it is said.
  for (Candidate& candidate : result.tried)
    if (candidate.backend == Backend::Cudnn && candidate.eligible && result.winner != Backend::Cudnn &&
        cudnn_leads(call, release) && !cudnn_first(call, release))
      candidate.reason = fmt::format(
          "It could, but {} is asked first: cuDNN comes first on compute capability 9.x and 10.x alone; this is {}.",
          title_of(*result.winner), cc_text(call.cc));
  if (release.number < 220) never(result, Backend::Fa2, "FA2 came with 2.2; this release holds FA1.");
  if (release.number < 250) never(result, Backend::Cudnn, "This release does not call cuDNN for attention.");
  never(result, Backend::Fa3,
        release.number < 310 ? "Not in this release."
        : call.cc != 90      ? fmt::format("FA3 is for compute capability 9.0; this is {}.", cc_text(call.cc))
                        : "Only when asked for: activate_flash_attention_impl(\"FA3\"), with the package installed.");
  if (!result.winner) return;
  result.op = sdpa_op(*result.winner);
  result.kernel = kernel_of(*result.winner, call, "pytorch_flash");
  if (*result.winner == Backend::Fa2 && call.d % 8 != 0)
    result.notes.push_back(fmt::format("PyTorch pads the head dimension from {} to {}.", call.d, (call.d + 7) / 8 * 8));
  if (*result.winner == Backend::Cudnn && call.dropout * 16 != double(int64_t(call.dropout * 16)))
    result.notes.emplace_back("cuDNN's dropout comes in sixteenths: p is rounded.");
  if (*result.winner == Backend::Math && call.dtype != CallDtype::Fp32)
    result.notes.emplace_back("The math path stores the N×N matrix; fp16 and bf16 are computed in fp32.");
  if (call.mask == CallMask::Causal && call.n_q != call.n_k)
    result.notes.emplace_back("is_causal aligns the mask at the top left.");
  if (!release.unverified.empty()) result.notes.emplace_back(release.unverified);
}

// A package with one kernel in it.
void run_package(Dispatch& result, const AttentionCall& call, Backend backend, std::string why_not,
                 std::string_view package) {
  result.tried.push_back({backend, false, std::move(why_not)});
  settle(result, "");
  if (!result.winner) result.error = "It stops with an error: the package holds no other kernel.";
  result.kernel = result.winner ? kernel_of(backend, call, "flash") : "";
  if (backend != Backend::Fa2) never(result, Backend::Fa2, "Another package: from flash_attn import flash_attn_func.");
  if (backend != Backend::Fa3)
    never(result, Backend::Fa3, "Another package: from flash_attn_interface import flash_attn_func.");
  for (Backend other : {Backend::Cudnn, Backend::Efficient, Backend::Math})
    never(result, other, fmt::format("{} does not hold it.", package));
  if (!result.winner) return;
  if (backend == Backend::Fa3 && call.cc != 90)
    result.notes.emplace_back("FA3's code, but a plain kernel: no TMA, no WGMMA, none of the overlap.");
  if (call.mask == CallMask::Causal && call.n_q != call.n_k)
    result.notes.emplace_back("causal=True aligns the mask at the bottom right, unlike PyTorch's is_causal.");
}

void run_flash_attn(Dispatch& result, const AttentionCall& call) {
  result.path.emplace_back("flash_attn imports flash_attn_2_cuda: FA2 on every GPU");
  run_package(result, call, Backend::Fa2, why_not_fa2_package(call), "flash_attn");
}

void run_flash_interface(Dispatch& result, const AttentionCall& call) {
  result.path.emplace_back("flash_attn_interface, built from hopper/: FA3");
  run_package(result, call, Backend::Fa3, why_not_fa3_package(call), "flash_attn_interface");
}

void run_flash_cute(Dispatch& result, const AttentionCall& call) {
  result.path.emplace_back("flash_attn.cute: FA4");
  std::string why_not = why_not_fa4_package(call);
  if (call.entry == EntryPoint::HfFlash4 && call.cc < 90)
    why_not = fmt::format("Hugging Face lets FA4 in from compute capability 9.0 on; this is {}.", cc_text(call.cc));
  run_package(result, call, Backend::Fa4, std::move(why_not), "flash_attn.cute");
  if (result.winner && (call.cc < 90 || call.cc >= 120))
    result.notes.emplace_back("FA4's code, but a plain kernel of mma.sync: no tensor memory, none of its overlap.");
  if (result.winner && call.cc / 10 == 9)
    result.notes.emplace_back("FA4's code, but multiplied by Hopper's wgmma, as FA3's: there is no tensor memory.");
  if (result.winner) result.notes.emplace_back("The kernel's name is from issue threads, not from a profile of ours.");
}

void run_xformers(Dispatch& result, const AttentionCall& call) {
  result.path.emplace_back("xFormers asks its operators by priority");
  // Few queries over many shared keys: without ragged lengths FA2 is asked before Triton's split-K, and FA3 is not.
  const bool decode = !call.grad && call.grouped() && call.n_q <= 32 && call.n_k >= 256 && call.batch * call.heads < 64;
  const auto order = decode ? std::vector{Backend::Fa2, Backend::TritonSplitK, Backend::Efficient}
                            : std::vector{Backend::Fa3, Backend::Fa2, Backend::Efficient};
  for (Backend backend : order) result.tried.push_back({backend, false, why_not_xformers(backend, call)});
  settle(result, "NotImplementedError: No operator found for `memory_efficient_attention_forward`.");
  never(result, Backend::Cudnn, "xFormers does not hold it.");
  never(result, Backend::Math, "xFormers has no unfused path: it stops with an error.");
  if (!result.winner) return;
  result.kernel = kernel_of(*result.winner, call, "flash");
  if (*result.winner == Backend::Fa3 && call.cc != 90)
    result.notes.emplace_back("FA3's code, but a plain kernel: no TMA, no WGMMA, none of the overlap.");
  if (*result.winner == Backend::Fa3)
    result.notes.emplace_back("If FA3 was built: python -m xformers.info lists what was. Else FA2.");
  if (*result.winner == Backend::Fa2)
    result.notes.emplace_back("It may be PyTorch's own copy: the operator's name then ends in -pt.");
}

void run_eager(Dispatch& result, const AttentionCall& call) {
  result.path.emplace_back("torch.matmul, softmax, torch.matmul in Python");
  result.tried.push_back({Backend::Math, false, {}});
  settle(result, "");
  for (Backend other : {Backend::Cudnn, Backend::Fa2, Backend::Efficient, Backend::Fa3})
    never(result, other, "Eager code calls no fused kernel.");
  result.kernel = kernel_of(Backend::Math, call, "");
}

void run_flex(Dispatch& result, const AttentionCall& call) {
  result.path.emplace_back("torch.nn.attention.flex_attention, compiled to Triton");
  result.tried.push_back(
      {Backend::Flex, false, call.cc < 80 ? "FlexAttention's kernels need compute capability 8.0." : ""});
  settle(result, "It stops with an error.");
  for (Backend other : {Backend::Cudnn, Backend::Fa2, Backend::Efficient, Backend::Math})
    never(result, other, "FlexAttention compiles a kernel of its own.");
  if (result.winner) result.kernel = kernel_of(Backend::Flex, call, "");
}

}  // namespace

std::string_view title_of(EntryPoint entry) { return kEntries[size_t(entry)]; }
std::string_view title_of(Backend backend) { return kBackends[size_t(backend)]; }
std::string_view what_is(Backend backend) { return kWhatItIs[size_t(backend)]; }

std::string_view name_of(CallDtype dtype) {
  constexpr std::array<std::string_view, 4> names{"fp16", "bf16", "fp32", "fp8"};
  return names[size_t(dtype)];
}

std::string_view name_of(CallMask mask) {
  constexpr std::array<std::string_view, 4> names{"none", "causal", "bool", "float"};
  return names[size_t(mask)];
}

std::span<const TorchRelease> torch_releases() { return kReleases; }

const TorchRelease* torch_release(std::string_view id) {
  const auto found = std::ranges::find(kReleases, id, &TorchRelease::id);
  return found == kReleases.end() ? nullptr : &*found;
}

Dispatch dispatch(const AttentionCall& call) {
  Dispatch result;
  if (call.cc < 50) {
    result.error = "Only NVIDIA GPUs of compute capability 5.0 and newer are known here.";
    return result;
  }
  if (call.entry >= EntryPoint::HfEager) result.path.emplace_back(title_of(call.entry));
  switch (call.entry) {
    case EntryPoint::Sdpa: run_sdpa(result, call); break;
    case EntryPoint::HfSdpa:
      run_sdpa(result, call);
      result.notes.emplace_back(call.mask == CallMask::None
                                    ? "A padded batch would bring an attn_mask, which flash refuses."
                                    : "Padding makes Hugging Face pass an attn_mask, and flash refuses those.");
      break;
    case EntryPoint::FlashAttn:
    case EntryPoint::HfFlash2: run_flash_attn(result, call); break;
    case EntryPoint::FlashInterface:
    case EntryPoint::HfFlash3: run_flash_interface(result, call); break;
    case EntryPoint::FlashCute:
    case EntryPoint::HfFlash4: run_flash_cute(result, call); break;
    case EntryPoint::Xformers: run_xformers(result, call); break;
    case EntryPoint::HfEager: run_eager(result, call); break;
    case EntryPoint::HfFlex: run_flex(result, call); break;
  }
  if (result.winner)
    result.name = fmt::format("{}{}",
                              (result.winner == Backend::Fa3 && call.cc != 90) ||
                                      (result.winner == Backend::Fa4 && (call.cc < 90 || call.cc >= 120))
                                  ? "plain "
                                  : "",
                              title_of(*result.winner));
  return result;
}

}  // namespace tilewalk
