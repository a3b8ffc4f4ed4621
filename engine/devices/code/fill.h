/* The kernel NAME, which repeats a pattern of elements of the type T in an array. */
__kernel void NAME(__global T *restrict a, __global const T *restrict pattern, const uint period,
                   const ulong elements) {
  for (ulong i = get_global_id(0); i < elements; i += get_global_size(0)) {
    a[i] = pattern[i % period];
  }
}
