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

/* Loads and stores of vectors that are not to stay in the caches, of at least 16 bytes. For
 * NVIDIA's GPUs clang has no builtin that becomes one. */
#ifdef __AMDGCN__
#define LOAD_STREAMING(place) __builtin_nontemporal_load(place)
#define STORE_STREAMING(place, value) __builtin_nontemporal_store(value, place)
#endif
#ifndef LOAD_STREAMING
#define LOAD_STREAMING(place) load_streaming<T>(place)
#define STORE_STREAMING(place, value) store_streaming<T>(place, value)
__device__ inline void load_16_bytes(const double *place, double *to) {
  asm volatile("ld.global.cs.v2.f64 {%0, %1}, [%2];" : "=d"(to[0]), "=d"(to[1]) : "l"(place));
}
__device__ inline void load_16_bytes(const float *place, float *to) {
  asm volatile("ld.global.cs.v4.f32 {%0, %1, %2, %3}, [%4];"
               : "=f"(to[0]), "=f"(to[1]), "=f"(to[2]), "=f"(to[3])
               : "l"(place));
}
__device__ inline void store_16_bytes(double *place, const double *from) {
  asm volatile("st.global.cs.v2.f64 [%0], {%1, %2};"
               :
               : "l"(place), "d"(from[0]), "d"(from[1])
               : "memory");
}
__device__ inline void store_16_bytes(float *place, const float *from) {
  asm volatile("st.global.cs.v4.f32 [%0], {%1, %2, %3, %4};"
               :
               : "l"(place), "f"(from[0]), "f"(from[1]), "f"(from[2]), "f"(from[3])
               : "memory");
}
template <class Element, class Vector>
__device__ inline Vector load_streaming(const Vector *place) {
  Vector value;
  for (int each = 0; each < (int)(sizeof(Vector) / sizeof(Element)); each += 16 / sizeof(Element)) {
    load_16_bytes((const Element *)place + each, (Element *)&value + each);
  }
  return value;
}
template <class Element, class Vector>
__device__ inline void store_streaming(Vector *place, const Vector &value) {
  for (int each = 0; each < (int)(sizeof(Vector) / sizeof(Element)); each += 16 / sizeof(Element)) {
    store_16_bytes((Element *)place + each, (const Element *)&value + each);
  }
}
#endif

/* A link of the chain, see chase.h, by a load that knows that it is in the memory of the GPU. */
#ifdef __AMDGCN__
#define LINK(links, place) (*(__attribute__((address_space(1))) const ulong *)(place))
#endif
#ifndef LINK
#define LINK(links, place) load_link(place)
__device__ inline ulong load_link(ulong place) {
  ulong link;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(link) : "l"(place));
  return link;
}
#endif

#define SHARED_PARAMETER(type, name)
#define SHARED_ARRAY(type, name) extern __shared__ __attribute__((aligned(16))) type name[];

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
