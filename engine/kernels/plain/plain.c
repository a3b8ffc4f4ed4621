/* The plain kernels: the C loops as everybody writes them, for any compiler of C or C++.
 *
 * Compile with -DSTREAMGAGE_ELEMENT=double (or float) and -DSTREAMGAGE_PREFIX=name_: each kernel
 * becomes the symbol name_KERNEL with the signature of range_kernel.h. What the compiler makes of
 * the loops, a call of memcpy included, is what the store mode "plain" measures. The arrays are
 * known to be apart (restrict), as STREAM's are, which are variables of their own.
 */
#include "kernels/range_kernel.h"

#ifndef STREAMGAGE_ELEMENT
#define STREAMGAGE_ELEMENT double
#endif
#ifndef STREAMGAGE_PREFIX
#define STREAMGAGE_PREFIX plain_
#endif

#define PASTE_(prefix, name) prefix##name
#define PASTE(prefix, name) PASTE_(prefix, name)

#ifdef __cplusplus
#define restrict __restrict__
#define EXPORTED extern "C"
#else
#define EXPORTED
#endif

typedef STREAMGAGE_ELEMENT element;

#define SIGNATURE(name)                                                                          \
  double PASTE(STREAMGAGE_PREFIX, name)(void *restrict target, const void *restrict second,      \
                                        const void *restrict third, const void *restrict fourth, \
                                        double scalar, int64_t begin, int64_t end)

#define OPERANDS                                    \
  element *const a = (element *)target;             \
  const element *const b = (const element *)second; \
  const element *const c = (const element *)third;  \
  const element *const d = (const element *)fourth; \
  const element s = (element)scalar;                \
  (void)a, (void)b, (void)c, (void)d, (void)s

/* A kernel that stores: one statement an element. */
#define MAP(name, statement)                \
  EXPORTED SIGNATURE(name);                 \
  SIGNATURE(name) {                         \
    OPERANDS;                               \
    for (int64_t i = begin; i < end; ++i) { \
      statement;                            \
    }                                       \
    return 0.0;                             \
  }

/* A kernel that reduces: the pragma allows the order of additions that a vector loop needs. */
#define REDUCE(name, term)                                                                        \
  EXPORTED SIGNATURE(name);                                                                       \
  SIGNATURE(name) {                                                                               \
    OPERANDS;                                                                                     \
    element sum = 0;                                                                              \
    _Pragma("omp simd reduction(+ : sum)") for (int64_t i = begin; i < end; ++i) { sum += term; } \
    return (double)sum;                                                                           \
  }

/* clang-format off */
MAP(init, a[i] = s)
REDUCE(sum, a[i])
REDUCE(dot, a[i] * b[i])
MAP(copy, a[i] = b[i])
MAP(scale, a[i] = s * b[i])
MAP(update, a[i] = s * a[i])
MAP(add, a[i] = b[i] + c[i])
MAP(triad, a[i] = b[i] + s * c[i])
MAP(daxpy, a[i] = a[i] + s * b[i])
MAP(striad, a[i] = b[i] + c[i] * d[i])
MAP(sdaxpy, a[i] = a[i] + b[i] * c[i])
MAP(bracket, a[i] = a[i] + b[i] * c[i] + d[i])
/* clang-format on */
