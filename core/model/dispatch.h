// Which attention kernel a call runs, and for every other one the reason why not. The rules are those of PyTorch's
// sdp_utils.cpp, xFormers' dispatch.py, flash-attention's interfaces and Hugging Face's attn_implementation, as far as
// they were read; releases differ, and a release is offered only where its rules are known.
//
//   PyTorch     pytorch/pytorch, aten/src/ATen/native/transformers/cuda/sdp_utils.cpp, at 001f694a and at its releases;
//               what 2.11 picks on an H200 was measured
//   xFormers    facebookresearch/xformers, xformers/ops/fmha/dispatch.py at 038444aa (v0.0.33 to v0.0.35)
//   flash-attn  Dao-AILab/flash-attention, README and hopper/
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewalk {

// What the code calls.
enum class EntryPoint : uint8_t {
  Sdpa,            // torch.nn.functional.scaled_dot_product_attention
  FlashAttn,       // from flash_attn import flash_attn_func
  FlashInterface,  // from flash_attn_interface import flash_attn_func
  FlashCute,       // from flash_attn.cute import flash_attn_func
  Xformers,        // xformers.ops.memory_efficient_attention
  HfEager,
  HfSdpa,
  HfFlash2,
  HfFlash3,
  HfFlash4,
  HfFlex,  // attn_implementation="eager", "sdpa", ...
};
constexpr int kEntryPointCount = 11;
std::string_view title_of(EntryPoint entry);  // as it is written in code: "attn_implementation=\"sdpa\""

enum class Backend : uint8_t { Cudnn, Fa1, Fa2, Fa3, Fa4, Efficient, TritonSplitK, Flex, Math };
constexpr int kBackendCount = 9;
std::string_view title_of(Backend backend);  // "FA2", "cuDNN", "memory-efficient"
std::string_view what_is(Backend backend);   // in a few words: "NVIDIA's library, fused"

// A PyTorch release, as far as it matters here.
struct TorchRelease {
  std::string_view id;  // "2.11"
  int number = 0;       // 210 for 2.1, 251 for 2.5.1, 310 for 2.11: orders them
  int cudnn = 0;        // version that the wheel brings: 91900 is 9.19.0
  int newest_cc = 0;    // compute capability times ten up to which fused kernels are let in
  std::string_view source;
  std::string_view unverified = {};  // what of it was not checked against a wheel; one sentence, or empty
};
std::span<const TorchRelease> torch_releases();          // oldest first
const TorchRelease* torch_release(std::string_view id);  // or null

enum class CallDtype : uint8_t { Fp16, Bf16, Fp32, Fp8 };
enum class CallMask : uint8_t { None, Causal, Bool, Float };
std::string_view name_of(CallDtype dtype);  // "fp16", "bf16", "fp32", "fp8"
std::string_view name_of(CallMask mask);    // "none", "causal", "bool", "float"

struct AttentionCall {
  EntryPoint entry = EntryPoint::Sdpa;
  std::string torch = "2.11";  // a release's id; what is not known is taken as 2.11
  int cudnn = 0;               // what is installed; 0 is the wheel's
  int cc = 90;                 // compute capability times ten
  CallDtype dtype = CallDtype::Fp16;
  int64_t d = 128, d_v = 0;  // head dimension of q and k, and of v; 0 is the same
  CallMask mask = CallMask::None;
  int64_t n_q = 4096, n_k = 4096;
  int64_t batch = 4, heads = 16, kv_heads = 0;  // 0 is as many as heads; fewer is enable_gqa=True
  double dropout = 0;
  bool grad = false;            // an input requires it
  bool deterministic = false;   // torch.use_deterministic_algorithms(True)
  bool cudnn_last = false;      // TORCH_CUDNN_SDPA_DEPRIORITIZED=1
  std::optional<Backend> only;  // sdpa_kernel([SDPBackend....]) around it
  bool grouped() const { return kv_heads > 0 && kv_heads != heads; }
  int64_t value_size() const { return d_v > 0 ? d_v : d; }
};

struct Candidate {
  Backend backend;
  bool eligible = false;  // it could run this call
  std::string reason;     // of one that does not run: why not; one sentence
};

struct Dispatch {
  std::vector<Candidate> tried;   // in the order they are asked; those that this call never asks are behind
  size_t asked = 0;               // how many of them are asked at all
  std::optional<Backend> winner;  // nothing: an error
  std::string name;  // of what runs: the winner's title, or "plain FA3" or "plain FA4" where the chip lacks their units
  std::string kernel;              // fragment of its name in a profiler
  std::string op;                  // PyTorch's operator above it, where there is one
  std::vector<std::string> path;   // the calls from the entry point down
  std::vector<std::string> notes;  // what is easily missed
  std::string error;               // what the program says where nothing runs
};

Dispatch dispatch(const AttentionCall& call);

}  // namespace tilewalk
