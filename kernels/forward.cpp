// Which kernel answers for which id.
#include "kernels/forward.h"

#include "kernels/common/calls.h"
#include "kernels/fa2_backward.h"
#include "kernels/fa3_backward.h"
#include "kernels/fa3_fp8.h"
#include "kernels/split_kv.h"
#include "kernels/standard_backward.h"

namespace tilewalk::gpu {
namespace {

constexpr Calls kStandardBackwardCalls{.prepare = prepare_standard_backward,
                                       .launch = launch_standard_backward,
                                       .workspace_bytes = workspace_bytes_standard_backward,
                                       .make_ready = keep_forward_standard_backward};
constexpr Calls kFa2BackwardCalls{.prepare = prepare_fa2_backward,
                                  .launch = launch_fa2_backward,
                                  .resident_blocks = resident_blocks_fa2_backward,
                                  .workspace_bytes = workspace_bytes_fa2_backward};
constexpr Calls kFa3BackwardCalls{.prepare = prepare_fa3_backward,
                                  .launch = launch_fa3_backward,
                                  .resident_blocks = resident_blocks_fa3_backward,
                                  .workspace_bytes = workspace_bytes_fa3_backward};

// Rounding is switched, and not the kernel.
Fp8Rounding rounding_of(Switch with) {
  return {.per_tile = with == Switch::None || with == Switch::Rotation,
          .rotate = with == Switch::Rotation || with == Switch::RotationAlone};
}
constexpr Calls kFa3Fp8Calls{.prepare = prepare_fa3_fp8,
                             .launch = launch_fa3_fp8,
                             .resident_blocks = resident_blocks_fa3_fp8,
                             .workspace_bytes = workspace_bytes_fa3_fp8,
                             .make_ready = [](const Request& request, cudaStream_t stream) {
                               return round_to_fp8(request, rounding_of(request.with), stream);
                             }};

// K and V of a request may have as many heads as Q.
Forward grouped(Forward f) {
  if (f.kv_heads == 0) f.kv_heads = f.heads;
  return f;
}
constexpr Calls kSplitKvCalls{
    .prepare = [](const Forward& f, const char** why) { return prepare_split_kv(grouped(f), why); },
    .launch =
        [](const Forward& f, cudaStream_t stream) {
          return launch_split_kv(grouped(f), f.with == Switch::Splitting ? 1 : f.splits, stream);
        },
    .resident_blocks = [](const Forward& f, int* blocks) { return resident_blocks_split_kv(grouped(f), blocks); },
    .workspace_bytes = [](const Forward& f) { return workspace_bytes_split_kv(grouped(f), f.splits); }};

// One of the switches that a kernel is built with (kernels/CMakeLists.txt).
template <Method kernel, Switch... all>
const Calls* built_with(Switch with) {
  const Calls* calls = nullptr;
  ((with == all ? void(calls = &Switched<kernel, all>::calls) : void()), ...);
  return calls;
}
const Calls* switched_calls(Method kernel, Switch with) {
  using enum Switch;
  switch (kernel) {
    case Method::Fa2:
      return built_with<Method::Fa2, Skipping, QTile64, LongestFirst, Swizzle, Expf, Polynomial, AnyRise, EveryTile,
                        NoRescale, WrongOrder, NoMax>(with);
    case Method::Fa3:
      return built_with<Method::Fa3, Producer, PingPong, Overlap, OneStage, Skipping, QTile64, QTile128, LongestFirst,
                        Expf, Polynomial, Risen, Raised, NoRescale, WrongOrder, NoMax>(with);
    // Theirs are read where they are launched.
    case Method::Fa3Fp8: return &kFa3Fp8Calls;
    case Method::SplitKv: return &kSplitKvCalls;
    default: return nullptr;
  }
}

// Of what has no kernel that runs, and of one without that switch: none.
const Calls& calls_of(Method kernel, Switch with = Switch::None) {
  static constexpr Calls kNone;
  if (with != Switch::None) {
    const Calls* const calls = switched_calls(kernel, with);
    return calls ? *calls : kNone;
  }
  switch (kernel) {
    case Method::Standard: return kStandardCalls;
    case Method::Naive: return kNaiveCalls;
    case Method::Tiled: return kTiledCalls;
    case Method::Fa1: return kFa1Calls;
    case Method::Fa1Paper: return kFa1PaperCalls;
    case Method::Fa1Small: return kFa1SmallCalls;
    case Method::Fa2: return kFa2Calls;
    case Method::Fa2Small: return kFa2SmallCalls;
    case Method::Fa3: return kFa3Calls;
    case Method::StandardBackward: return kStandardBackwardCalls;
    case Method::Fa2Backward: return kFa2BackwardCalls;
    case Method::Fa3Backward: return kFa3BackwardCalls;
    case Method::Fa3Fp8: return kFa3Fp8Calls;
    case Method::SplitKv: return kSplitKvCalls;
    default: break;
  }
  return kNone;
}

}  // namespace

size_t workspace_bytes(Method kernel, const Forward& f) {
  const auto call = calls_of(kernel).workspace_bytes;
  return call ? call(f) : 0;
}

cudaError_t resident_blocks(Method kernel, const Forward& f, int* blocks) {
  *blocks = 0;
  if (kernel == Method::Fa1Small || kernel == Method::Fa2Small) return cudaSuccess;
  const auto call = calls_of(kernel, f.with).resident_blocks;
  return call ? call(f, blocks) : cudaSuccess;
}

bool prepare(Method kernel, const Forward& f, const char** why) {
  if (f.kv_heads < 0 || (f.kv_heads && f.heads % f.kv_heads))
    return *why = "Heads of Q are grouped over those of K and V: their number must be a multiple.", false;
  if (group_of(f) > 1 && kernel != Method::Fa2 && kernel != Method::Fa3 && kernel != Method::SplitKv)
    return *why = "This kernel takes as many heads of K and V as of Q.", false;
  if (const auto call = calls_of(kernel, f.with).prepare) return call(f, why);
  *why = f.with == Switch::None ? "This kernel is retired." : "This kernel has no such switch.";
  return false;
}

cudaError_t make_ready(Method kernel, const Request& request, cudaStream_t stream) {
  const auto call = calls_of(kernel).make_ready;
  return call ? call(request, stream) : cudaSuccess;
}

cudaError_t launch(Method kernel, const Forward& f, cudaStream_t stream) {
  const auto call = calls_of(kernel, f.with).launch;
  return call ? call(f, stream) : cudaErrorNotSupported;
}

cudaError_t launch_traced(Method kernel, const Forward& f, const Trace& trace, cudaStream_t stream) {
  const auto call = calls_of(kernel, f.with).launch_traced;
  return call ? call(f, trace, stream) : cudaErrorNotSupported;
}

int lanes_of(Method kernel, int d) {
  if (!calls_of(kernel).launch_traced) return 0;
  const KernelShape shape = kernel_shape(kernel, d);
  return shape.consumers ? 1 + shape.consumers : shape.warps;
}

const char* lane_name(Method kernel, int lane) {
  constexpr const char* kWarps[kMostLanes] = {"warp 1", "warp 2", "warp 3", "warp 4",
                                              "warp 5", "warp 6", "warp 7", "warp 8"};
  constexpr const char* kGroups[kMostLanes] = {"producer", "warpgroup 1", "warpgroup 2", "warpgroup 3"};
  if (lane < 0 || lane >= lanes_of(kernel, 64)) return "";
  return kernel_shape(kernel, 64).consumers ? kGroups[lane] : kWarps[lane];
}

}  // namespace tilewalk::gpu
