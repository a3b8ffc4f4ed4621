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
#define __syncthreads() streamgage_barrier()
#define __launch_bounds__(items)
template <class Number, class Value>
Number atomicAdd(Number *to, Value value) {
  const Number before = *to;
  *to += value;
  return before;
}
