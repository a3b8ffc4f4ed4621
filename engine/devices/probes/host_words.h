/* CUDA C++ for a host compiler: one work-item at a time, in this process. */
struct HostIndex {
  unsigned x, y, z;
};
extern "C" HostIndex threadIdx, blockIdx, blockDim, gridDim;
extern "C" void (*streamgage_barrier)();
#define __global__
#define __device__
#define __shared__
#define __launch_bounds__(items, groups)
#define __syncthreads() streamgage_barrier()
#define LOAD_STREAMING(place) (*(place))
#define STORE_STREAMING(place, value) (*(place) = (value))
