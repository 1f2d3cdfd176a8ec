// One instruction each: what the kernels use from compute capability 8.0 up. Every wrapper is inlined; "warp" means
// that all 32 lanes take part. Source: PTX ISA, "Warp Level Matrix Instructions" and "Asynchronous Copy".
#pragma once

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace tilewalk::gpu {

// Of wrappers of PTX, and of all device functions that must be inlined as these are.
#define TILEWALK_PTX __device__ __forceinline__

// An address as instructions on shared memory want it.
TILEWALK_PTX uint32_t shared_address(const void* p) { return static_cast<uint32_t>(__cvta_generic_to_shared(p)); }

// No instruction. The compiler must believe that each register is read and given a new value here. So what is computed
// of them below is computed below, and not before a loop and then kept; and around asynchronous products (wgmma.cuh)
// nothing is read too early or written too late.
template <int N>
TILEWALK_PTX void pin(float (&r)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("" : "+f"(r[i])::"memory");
}
template <int N>
TILEWALK_PTX void pin(uint32_t (&r)[N]) {
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("" : "+r"(r[i])::"memory");
}
TILEWALK_PTX void pin(int& r) { asm volatile("" : "+r"(r)::"memory"); }

// 2^x; 2^-inf = 0. About 2 ulp, one slot of the special function unit.
TILEWALK_PTX float exp2_approx(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Two floats rounded to 16 bits in one register, `low` in the lower half.
template <class T>
TILEWALK_PTX uint32_t pack(float low, float high);
template <>
TILEWALK_PTX uint32_t pack<__half>(float low, float high) {
  uint32_t r;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}
template <>
TILEWALK_PTX uint32_t pack<__nv_bfloat16>(float low, float high) {
  uint32_t r;
  asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(high), "f"(low));
  return r;
}

// Barrier `id` (1 to 15; 0 is __syncthreads) among `threads` threads: waits, or only reports.
TILEWALK_PTX void named_barrier_sync(int id, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
TILEWALK_PTX void named_barrier_arrive(int id, int threads) {
  asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory");
}
// Waits, and tells whether all of them say `yes`. The shuffle shows the compiler that a warp has one answer.
TILEWALK_PTX bool named_barrier_all(int id, int threads, bool yes) {
  unsigned all;
  asm volatile(
      "{.reg .pred p, q; setp.ne.u32 p, %3, 0;\n"
      "bar.red.and.pred q, %1, %2, p; selp.u32 %0, 1, 0, q;}"
      : "=r"(all)
      : "r"(id), "r"(threads), "r"(unsigned(yes))
      : "memory");
  return __shfl_sync(~0u, all, 0) != 0;
}

// cp.async: 16 bytes from global to shared memory, past the registers. Where `inside` is false nothing is read and the
// 16 bytes become zero; `from` must be a valid address all the same.
TILEWALK_PTX void copy_async(uint32_t to, const void* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0) : "memory");
}
TILEWALK_PTX void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
// Until at most `pending` of this thread's youngest groups are under way. Other threads' copies need a barrier besides.
template <int pending>
TILEWALK_PTX void copy_wait() {
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
}

// ldmatrix, warp: four 8x8 matrices of 16-bit elements. Lane t gives the address of row t % 8 of matrix t / 8
// (16 bytes) and gets elements (t / 4, 2 (t % 4)) and (t / 4, 2 (t % 4) + 1) of each; transposed: (2 (t % 4), t / 4)
// and the next row.
TILEWALK_PTX void load_matrices(uint32_t (&r)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}
TILEWALK_PTX void load_matrices_transposed(uint32_t (&r)[4], uint32_t address) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address)
               : "memory");
}

// mma, warp: c[16, 8] += a[16, 16] b[16, 8], sums in fp32. Lane t holds of
//   c: (t / 4, 2 (t % 4) + {0, 1}) in c[0], c[1]; the same of row t / 4 + 8 in c[2], c[3]
//   a: columns 2 (t % 4) + {0, 1} of row t / 4 in a[0], of row t / 4 + 8 in a[1]; columns 8 further in a[2], a[3]
//   b: rows 2 (t % 4) + {0, 1} of column t / 4 in b0; rows 8 further in b1
template <class T>
TILEWALK_PTX void mma_m16n8k16(float* c, const uint32_t (&a)[4], uint32_t b0, uint32_t b1);
template <>
TILEWALK_PTX void mma_m16n8k16<__half>(float* c, const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
template <>
TILEWALK_PTX void mma_m16n8k16<__nv_bfloat16>(float* c, const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

TILEWALK_PTX void store_shared(uint32_t to, uint32_t bits) {
  asm volatile("st.shared.b32 [%0], %1;" ::"r"(to), "r"(bits) : "memory");
}

// Four neighbouring floats in memory, 16-byte aligned, += x: atomic each, in no order. One instruction from 9.0 up.
TILEWALK_PTX void add_in_memory(float* to, const float* x) {
#if __CUDA_ARCH__ >= 900
  asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0], {%1, %2, %3, %4};" ::"l"(to), "f"(x[0]), "f"(x[1]), "f"(x[2]),
               "f"(x[3])
               : "memory");
#else
#pragma unroll
  for (int e = 0; e < 4; ++e) atomicAdd(to + e, x[e]);
#endif
}

}  // namespace tilewalk::gpu
