/* The words of the devices' kernels in CUDA C++ and HIP C++: what makes these of the OpenCL C in
 * which they are written. */
#ifndef ITEM_NUMBER
#define ITEM_NUMBER threadIdx.x
#define ITEMS_OF_GROUP blockDim.x
#define GROUP_NUMBER blockIdx.x
#define GROUPS_OF_GRID gridDim.x
#endif

#define __kernel extern "C" __global__
/* Compilers take turns in loading and computing, so as to use few registers: of eight loads that
 * the source has before the first use, ptxas had two to five in flight, and clang for GCN three.
 * ptxas keeps them together where registers are not scarce, which small groups say, and clang where
 * the values pass through what it cannot look into. */
#define AT_MOST_256_ITEMS __launch_bounds__(256, 1)
#ifdef __AMDGCN__
#define LOADED(value) asm volatile("" : "+v"(value) : : "memory");
#else
#define LOADED(value)
#endif
#define __global
/* Without it no load may move behind a store that the source has later. */
#define restrict
#define ulong unsigned long long
#define uint unsigned int
#define uchar unsigned char
#define get_local_id(dimension) ((unsigned long long)(ITEM_NUMBER))
#define get_local_size(dimension) ((unsigned long long)(ITEMS_OF_GROUP))
#define get_group_id(dimension) ((unsigned long long)(GROUP_NUMBER))
#define get_num_groups(dimension) ((unsigned long long)(GROUPS_OF_GRID))
#define get_global_id(dimension) \
  (get_group_id(dimension) * get_local_size(dimension) + get_local_id(dimension))
#define get_global_size(dimension) (get_num_groups(dimension) * get_local_size(dimension))
#define barrier(fence) __syncthreads()

#define SHARED_PARAMETER(type, name)
#define SHARED_ARRAY(type, name) extern __shared__ type name[];

/* Loads and stores have at most 16 bytes: a wider vector has several of them. Of a structure, clang
 * would copy each element by itself; it has vectors of its own, as OpenCL C does. */
#ifdef __clang__
template <class Element, int Lanes>
struct VectorOf {
  typedef Element Vector __attribute__((ext_vector_type(Lanes)));
};
template <class Element>
struct VectorOf<Element, 1> {
  typedef Element Vector;
};
#define VECTOR_OF(type, lanes) VectorOf<type, lanes>::Vector
#else
template <class Element, int Lanes>
struct alignas(sizeof(Element) * Lanes < 16 ? sizeof(Element) * Lanes : 16) VectorOf {
  Element lane[Lanes];
  VectorOf() = default;
  __device__ VectorOf(Element value) {
    for (int each = 0; each < Lanes; ++each) lane[each] = value;
  }
};
#define VECTOR_OF(type, lanes) VectorOf<type, lanes>

template <class Element, int Lanes>
__device__ inline VectorOf<Element, Lanes> operator+(VectorOf<Element, Lanes> left,
                                                     const VectorOf<Element, Lanes> &right) {
  for (int each = 0; each < Lanes; ++each) left.lane[each] += right.lane[each];
  return left;
}
template <class Element, int Lanes>
__device__ inline VectorOf<Element, Lanes> operator*(VectorOf<Element, Lanes> left,
                                                     const VectorOf<Element, Lanes> &right) {
  for (int each = 0; each < Lanes; ++each) left.lane[each] *= right.lane[each];
  return left;
}
template <class Element, int Lanes>
__device__ inline VectorOf<Element, Lanes> operator*(Element left, VectorOf<Element, Lanes> right) {
  for (int each = 0; each < Lanes; ++each) right.lane[each] *= left;
  return right;
}
template <class Element, int Lanes>
__device__ inline VectorOf<Element, Lanes> operator-(VectorOf<Element, Lanes> value) {
  for (int each = 0; each < Lanes; ++each) value.lane[each] = -value.lane[each];
  return value;
}
template <class Element, int Lanes>
__device__ inline void operator+=(VectorOf<Element, Lanes> &left,
                                  const VectorOf<Element, Lanes> &right) {
  for (int each = 0; each < Lanes; ++each) left.lane[each] += right.lane[each];
}
#endif
