/* The words of the devices' kernels in OpenCL C. They are written in its language; these are the
 * few things for which CUDA C++ has no equal: see cuda.h. */
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* For compilers of GPUs; see cuda.h. */
#define AT_MOST_256_ITEMS
#define LOADED(value)

/* The type of a vector. */
#define VECTOR_OF(type, lanes) VECTOR_OF_(type, lanes)
#define VECTOR_OF_(type, lanes) VECTOR_OF_##lanes(type)
#define VECTOR_OF_1(type) type
#define VECTOR_OF_2(type) type##2
#define VECTOR_OF_4(type) type##4
#define VECTOR_OF_8(type) type##8
#define VECTOR_OF_16(type) type##16

/* Loads and stores that are not to stay in the caches, where the compiler is a clang that has them.
 */
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_load) && __has_builtin(__builtin_nontemporal_store)
#define LOAD_STREAMING(place) __builtin_nontemporal_load(place)
#define STORE_STREAMING(place, value) __builtin_nontemporal_store(value, place)
#endif
#endif

/* A link of the chain; see chase.h. */
#define LINK(links, place) (*(__global const ulong *)((links) + (place)))

/* Memory that the work-items of a group share: behind the last parameter of the kernel, and where
 * its body begins. */
#define SHARED_PARAMETER(type, name) , __local type *restrict name
#define SHARED_ARRAY(type, name)
