// Triad on a device, by its OpenCL compiler:
//
//   streamgage measure --device opencl:0 --kernel-file examples/kernels/triad.cl
//
// Each work-item does one iteration. The kernels take the arrays in the order of their declaration,
// then the scalar and the number of iterations; `check` also takes the number of wrong ones.
//
// streamgage: name device-triad
// streamgage: formula a = b + s*c
// streamgage: array a double write
// streamgage: array b double read
// streamgage: array c double read
// streamgage: flops 2

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel void run(__global double *a, __global const double *b, __global const double *c,
                  const double s, const ulong iterations) {
  const size_t i = get_global_id(0);
  a[i] = b[i] + s * c[i];
}

__kernel void check(__global const double *a, __global const double *b, __global const double *c,
                    const double s, const ulong iterations, __global uint *wrong) {
  const size_t i = get_global_id(0);
  if (a[i] != b[i] + s * c[i]) atomic_inc(wrong);
}
