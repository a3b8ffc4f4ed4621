/* CUDA C++ for a host compiler: one work-item at a time, in this process. */
#include <stddef.h>
struct HostIndex {
  unsigned x, y, z;
};
extern "C" HostIndex threadIdx, blockIdx, blockDim, gridDim;
extern "C" void (*streamgage_barrier)();
#define __global__
#define __device__
#define __shared__
#define __launch_bounds__(...)
#define __syncthreads() streamgage_barrier()
template <class Number, class Value>
Number atomicAdd(Number *to, Value value) {
  const Number before = *to;
  *to += value;
  return before;
}

/* Those of bulk.h. */
#define BULK_WORDS
typedef unsigned long long bulk_barrier;
struct HostBulk {
  void (*begin)(bulk_barrier *barrier);
  void (*fence)();
  void (*expect)(bulk_barrier *barrier, unsigned bytes);
  void (*copy)(void *to, const void *from, unsigned bytes, bulk_barrier *barrier);
  void (*wait)(bulk_barrier *barrier, unsigned turn);
};
extern "C" HostBulk streamgage_bulk;
#define bulk_begin streamgage_bulk.begin
#define bulk_fence streamgage_bulk.fence
#define bulk_expect streamgage_bulk.expect
#define bulk_copy streamgage_bulk.copy
#define bulk_wait streamgage_bulk.wait

#define LOAD_STREAMING(place) (*(place))
#define STORE_STREAMING(place, value) (*(place) = (value))
#define LINK(links, place) (*(const unsigned long long *)(place))
