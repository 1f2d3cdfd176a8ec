// The attention kernels as the worker calls them. All pointers are device memory; every call is asynchronous on
// `stream` and returns the first CUDA error.
#pragma once

#include "core/kernel/switches.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace tilewalk::gpu {

enum class Element : uint8_t { Half, BFloat16 };

// What a kernel is asked for: O = softmax(scale * Q K^T + mask) V for batch * heads independent heads, or the gradients
// of Q, K and V from that of O. Every tensor is 16-byte aligned.
struct Request {
  Direction direction = Direction::Forward;
  // [heads, n_q, d], [heads, n_k, d], [heads, n_k, d]
  const void *q = nullptr, *k = nullptr, *v = nullptr;
  void* o = nullptr;     // [heads, n_q, d]: forward writes it, backward reads it
  float* lse = nullptr;  // [heads, n_q], L = scale * m + ln l; -inf where every key is hidden; as o
  // Backward alone. [heads, n_q, d], in the element's format as all the others.
  const void* d_o = nullptr;
  void *dq = nullptr, *dk = nullptr, *dv = nullptr;  // [heads, n_q, d], [heads, n_k, d], [heads, n_k, d]: written
  int heads = 1;                                     // B * H, of Q
  int n_q = 1, n_k = 1;
  int d = 64;           // padded_d() of the kernel: smaller head dimensions are padded with zeros
  bool causal = false;  // row r sees key c iff c <= r + n_k - n_q (bottom right)
  Element element = Element::Half;
  float scale = 0.125f;      // of the scores: 1/sqrt(unpadded d) as a rule
  bool wide_scores = false;  // standard keeps S in fp32: keeps_wide_scores()
  // FA2 and FA3, forward in fp16: the kernel that is built with it. FP8: how its numbers are rounded.
  Switch with = Switch::None;
  int splits = 1;             // split-KV: of the keys, at most
  int spare = 0;              // multiprocessors that FA3 leaves free for others; the other kernels take all
  void* workspace = nullptr;  // workspace_bytes() of it, 256-byte aligned
  int kv_heads = 0;           // B * H of K and V, each of them for heads / kv_heads of Q; 0: as many as of Q
};
using Forward = Request;
// Heads of Q that share a head of K and V: head h of Q reads head h / group_of() of them.
constexpr int group_of(const Request& f) { return f.kv_heads > 0 ? f.heads / f.kv_heads : 1; }

// Where a traced launch writes. Records of one head and of one thread block.
struct TraceRecord {
  int64_t clock;  // of the multiprocessor
  uint16_t step;  // StepKind, or kWait
  uint16_t end;   // 0: begins, 1: ends
  int32_t tile;   // j
};
constexpr uint16_t kWait = 0xFFFF;
struct Trace {
  int head = 0;
  float* m = nullptr;              // [Tc, n_q], natural units (scaled scores); the caller fills both with NaN
  float* l = nullptr;              // [Tc, n_q]
  int block = 0;                   // the thread block that stamps
  TraceRecord* records = nullptr;  // [lanes, capacity]
  int* counts = nullptr;           // [lanes], records written; zeroed by the caller
  int capacity = 0;                // of a lane
};

size_t workspace_bytes(Method kernel, const Forward& f);
// Thread blocks that a multiprocessor of this GPU holds at once, to be held against
// KernelShape::resident; 0 for standard and the small tiles, whose shapes do not count it. After prepare().
cudaError_t resident_blocks(Method kernel, const Forward& f, int* blocks);
// Prepares what a launch needs once (attributes, handles); may be called again. `why` gets a sentence on failure, such
// as a missing cuBLAS.
bool prepare(Method kernel, const Forward& f, const char** why);
// What a launch starts from beside the request's tensors, into the workspace: standard's P for its backward pass, FP8's
// rounded Q, K and V. Nothing for the others. After prepare(), once for any number of launches.
cudaError_t make_ready(Method kernel, const Request& request, cudaStream_t stream);
cudaError_t launch(Method kernel, const Forward& f, cudaStream_t stream);
cudaError_t launch_traced(Method kernel, const Forward& f, const Trace& trace, cudaStream_t stream);
// Lanes of the trace: "warp 1"... or "producer", "warpgroup 1"...; at most kMostLanes.
constexpr int kMostLanes = 8;
int lanes_of(Method kernel, int d);
const char* lane_name(Method kernel, int lane);

}  // namespace tilewalk::gpu
