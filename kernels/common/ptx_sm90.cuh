// One instruction each: what Hopper adds (compute capability 9.0, target sm_90a). TMA copies whole tiles and reports to
// an mbarrier; setmaxnreg moves registers between warpgroups; wgmma's own wrappers are in wgmma.cuh.
// Source: PTX ISA, "mbarrier", "cp.async.bulk.tensor", "Asynchronous Warpgroup Level Matrix Instructions".
#pragma once

#include "kernels/common/ptx_sm80.cuh"

#include <cuda.h>  // CUtensorMap, a plain type; nothing of libcuda is linked

namespace tilewalk::gpu {

// A barrier in shared memory that counts arrivals and the bytes of copies still under way. Its phases alternate in
// parity, 0 first; wait(p) stands still while the phase under way has parity p: on a fresh barrier that is 0, and
// wait(1) returns at once. What a thread wrote before it arrived is seen by whoever gets past the wait for that phase,
// and what it had read by then is not overwritten by what comes behind the wait.
struct Barrier {
  uint64_t word;

  TILEWALK_PTX void init(int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(&word)), "r"(arrivals));
  }
  TILEWALK_PTX void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(&word)) : "memory");
  }
  // Arrives, and makes the phase wait for `bytes` more. Rows that TMA fills with zeros count like read ones.
  TILEWALK_PTX void arrive_and_expect(int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(&word)), "r"(bytes)
                 : "memory");
  }
  TILEWALK_PTX void wait(int parity) {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@done bra READY;\n"
        "bra AGAIN;\n"
        "READY:\n"
        "}" ::"r"(shared_address(&word)),
        "r"(parity)
        : "memory");
  }
};
// Makes freshly initialised barriers visible to TMA and to the block; __syncthreads must follow.
TILEWALK_PTX void fence_barrier_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
// Makes this thread's ordinary stores to shared memory visible to TMA and wgmma, which reach it by another path (the
// async proxy); a barrier must follow.
TILEWALK_PTX void fence_shared_for_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// How long L2 should keep what a copy reads.
TILEWALK_PTX uint64_t l2_evict_last() {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
TILEWALK_PTX uint64_t l2_evict_first() {
  uint64_t policy;
  asm volatile("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

// TMA. The tensor map describes a tensor [heads, rows, d] as (column in panel, row, panel, head); one call by one
// thread moves the box from `row` on of one head, all panels. Rows past the end read as zeros and are not written.
TILEWALK_PTX void tma_load(void* to, const CUtensorMap& map, Barrier& full, int row, int head, uint64_t l2_policy) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
      "[%0], [%1, {%2, %3, %4, %5}], [%6], %7;" ::"r"(shared_address(to)),
      "l"(&map), "r"(0), "r"(row), "r"(0), "r"(head), "r"(shared_address(&full.word)), "l"(l2_policy)
      : "memory");
}
TILEWALK_PTX void tma_store(const CUtensorMap& map, const void* from, int row, int head) {
  asm volatile(
      "cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%2, %3, %4, %5}], [%1];\n"
      "cp.async.bulk.commit_group;" ::"l"(&map),
      "r"(shared_address(from)), "r"(0), "r"(row), "r"(0), "r"(head)
      : "memory");
}
// For the thread that stored: the buffer has been read, and may be written again.
TILEWALK_PTX void tma_store_wait_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
// For the thread that stored: all of it has arrived.
TILEWALK_PTX void tma_store_wait() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

// TMA without a map: `bytes` that lie one behind the other, a multiple of 16.
TILEWALK_PTX void bulk_load(void* to, const void* from, Barrier& full, int bytes) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   shared_address(to)),
               "l"(from), "r"(bytes), "r"(shared_address(&full.word))
               : "memory");
}

// stmatrix, warp: the counterpart of load_matrices(), from the same registers to the same places.
TILEWALK_PTX void store_matrices(uint32_t address, const uint32_t* r) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(r[0]), "r"(r[1]),
               "r"(r[2]), "r"(r[3])
               : "memory");
}

// Registers per thread of this warpgroup from here on. The sum over the block must not exceed what the launch received
// (registers at entry * threads), or the increase waits for ever.
template <int registers>
TILEWALK_PTX void give_registers_back() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers>
TILEWALK_PTX void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

}  // namespace tilewalk::gpu
