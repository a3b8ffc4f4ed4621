// Triad on a GPU, by the run-time compiler of CUDA (NVRTC) or of HIP (hipRTC):
//
//   streamgage measure --device cuda:0 --kernel-file examples/kernels/triad.cu
//   streamgage measure --device hip:0 --kernel-file examples/kernels/triad.cu
//
// Each work-item (thread) does one iteration. The kernels take the arrays in the order of their
// declaration, then the scalar and the number of iterations; `check` also takes the number of wrong
// ones.
//
// streamgage: name device-triad
// streamgage: formula a = b + s*c
// streamgage: array a double write
// streamgage: array b double read
// streamgage: array c double read
// streamgage: flops 2

extern "C" __global__ void run(double *a, const double *b, const double *c, const double s,
                               const unsigned long long iterations) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = b[i] + s * c[i];
}

extern "C" __global__ void check(const double *a, const double *b, const double *c, const double s,
                                 const unsigned long long iterations, unsigned int *wrong) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (a[i] != b[i] + s * c[i]) atomicAdd(wrong, 1u);
}
