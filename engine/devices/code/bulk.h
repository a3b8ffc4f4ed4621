/* Copies in bulk between the memory of a GPU and that which a group shares, made by the GPU's own
 * engine while the work-items compute: in PTX, for compute capability 9.0 and later. A barrier in
 * shared memory counts the bytes that are still to come: `turn` 0 is the first time that all have
 * come, 1 the next one, then 0 again. Addresses and sizes are multiples of 16 bytes. */
#ifndef BULK_WORDS
#define BULK_WORDS
typedef ulong bulk_barrier;

__device__ inline uint shared_address(const void *place) {
  ulong address;
  asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(place));
  return (uint)address;
}

/* One work-item makes the barrier; then comes a fence. */
__device__ inline void bulk_begin(bulk_barrier *barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;"
               :
               : "r"(shared_address(barrier))
               : "memory");
}

/* What the work-item did with memory comes before all copies that begin behind the next barrier of
 * the group. */
__device__ inline void bulk_fence() { asm volatile("fence.proxy.async;" : : : "memory"); }

/* So many bytes are to come, by copies that begin after this. */
__device__ inline void bulk_expect(bulk_barrier *barrier, uint bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
               :
               : "r"(shared_address(barrier)), "r"(bytes)
               : "memory");
}

__device__ inline void bulk_copy(void *to, const void *from, uint bytes, bulk_barrier *barrier) {
  asm volatile(
      "{\n.reg .u64 there;\ncvta.to.global.u64 there, %1;\n"
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [there], %2, "
      "[%3];\n}"
      :
      : "r"(shared_address(to)), "l"(from), "r"(bytes), "r"(shared_address(barrier))
      : "memory");
}

__device__ inline void bulk_wait(bulk_barrier *barrier, uint turn) {
  uint done;
  do {
    asm volatile(
        "{\n.reg .pred all;\nmbarrier.try_wait.parity.shared::cta.b64 all, [%1], %2;\n"
        "selp.u32 %0, 1, 0, all;\n}"
        : "=r"(done)
        : "r"(shared_address(barrier)), "r"(turn)
        : "memory");
  } while (done == 0);
}
#endif
