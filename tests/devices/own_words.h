/* What CUDA's and HIP's own headers give to a user's kernel, for clang, which compiles it without
 * them: by the words of clang.h or amdgcn.h. */
typedef decltype(sizeof 0) size_t;
struct Index {
  unsigned x;
};
#define threadIdx (Index{(unsigned)(ITEM_NUMBER)})
#define blockIdx (Index{(unsigned)(GROUP_NUMBER)})
#define blockDim (Index{(unsigned)(ITEMS_OF_GROUP)})
__device__ inline unsigned atomicAdd(unsigned *to, unsigned value) {
  return __atomic_fetch_add(to, value, __ATOMIC_RELAXED);
}
