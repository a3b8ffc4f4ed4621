/* The signature of a kernel, in C so that any compiler and any shared object can offer one.
 *
 * A kernel works on the elements [begin, end) of its arrays; which of them it uses is said in the
 * catalogue. Arrays do not overlap. s is the kernel's scalar; a reduction returns its value over
 * the range, every other kernel returns 0. It must be right for any begin <= end, aligned or not,
 * and must leave its stores visible to a thread that synchronises with it afterwards.
 */
#ifndef STREAMGAGE_KERNELS_RANGE_KERNEL_H
#define STREAMGAGE_KERNELS_RANGE_KERNEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef double (*streamgage_range_kernel)(void *a, const void *b, const void *c, const void *d,
                                          double s, int64_t begin, int64_t end);

#ifdef __cplusplus
}
#endif

#endif
