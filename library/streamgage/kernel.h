/* A kernel of your own for streamgage: what a source file declares so that it is placed, timed,
 * checked and shown like any other.
 *
 * A kernel does `iterations` iterations, which streamgage divides among threads: each thread is
 * given a range [begin, end) of them. It declares its arrays, each with a size in
 * proportion to the iterations; streamgage allocates them, lets each thread touch its own part
 * first, and hands them to the function in the order of the declaration.
 *
 * In C and C++:
 *
 *     #include <streamgage/kernel.h>
 *
 *     static double triad(const streamgage_call *call) {
 *       double *a = call->arrays[0];
 *       const double *b = call->arrays[1], *c = call->arrays[2];
 *       for (int64_t i = call->begin; i < call->end; ++i) a[i] = b[i] + call->scalar * c[i];
 *       return 0.0;
 *     }
 *
 *     static const streamgage_array arrays[] = {
 *         {.name = "a", .type = "double", .access = STREAMGAGE_WRITE},
 *         {.name = "b", .type = "double", .access = STREAMGAGE_READ},
 *         {.name = "c", .type = "double", .access = STREAMGAGE_READ},
 *     };
 *
 *     STREAMGAGE_KERNEL(.name = "my-triad", .formula = "a = b + s*c", .arrays = arrays,
 *                       .array_count = 3, .flops = 2, .run = triad)
 *
 * In Fortran, the module streamgage_kernel (streamgage_kernel.f90) has the same types.
 */
#ifndef STREAMGAGE_KERNEL_H
#define STREAMGAGE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of these declarations; a kernel of another version is refused. */
#define STREAMGAGE_KERNEL_VERSION 1

/* A kernel has from 1 to so many arrays. */
#define STREAMGAGE_MOST_ARRAYS 16

/* What a kernel does with an array; each is checked, not believed. */
enum { STREAMGAGE_READ = 1, STREAMGAGE_WRITE = 2, STREAMGAGE_READ_WRITE = 3 };

/* C++ wants to hear that a field may be left out; C knows. */
#ifdef __cplusplus
#define STREAMGAGE_OPTIONAL = 0
#else
#define STREAMGAGE_OPTIONAL
#endif

/* An array. It has ceil(per_iteration * iterations) + extra elements. */
typedef struct streamgage_array {
  const char *name; /* for people: "a"; letters, digits, "-" and "_" */
  const char *type; /* of its elements: "double", "float", "int32" or "int64" */
  int32_t access;   /* STREAMGAGE_READ ... */
  double per_iteration STREAMGAGE_OPTIONAL; /* elements an iteration; 0 stands for 1 */
  int64_t extra STREAMGAGE_OPTIONAL;        /* elements beyond these, such as a halo */
  /* Bytes an iteration that cross the memory bus at least, each way that `access` names; 0 stands
   * for per_iteration elements. */
  double bytes STREAMGAGE_OPTIONAL;
} streamgage_array;

/* What a function of the kernel is called with. */
typedef struct streamgage_call {
  void *const *arrays; /* in the order of the declaration, each aligned to 64 bytes at least */
  int64_t begin;       /* the first iteration of this thread, a multiple of the grain */
  int64_t end;         /* one past its last one; it may have none */
  int64_t iterations;  /* of all threads */
  double scalar;       /* the s of the formula; 0.5 or -0.5, another one from run to run */
  double value;        /* for check alone: the sum of what run returned to all threads */
} streamgage_call;

typedef struct streamgage_kernel {
  int32_t version;     /* STREAMGAGE_KERNEL_VERSION */
  const char *name;    /* "my-triad": letters, digits, "-" and "_", none of the catalogue's names */
  const char *formula; /* for people: "a = b + s*c" */
  const streamgage_array *arrays;
  int32_t array_count;               /* of `arrays` */
  double flops STREAMGAGE_OPTIONAL;  /* an iteration */
  int64_t grain STREAMGAGE_OPTIONAL; /* ranges begin and end at multiples of it, such as a row of a
                                        grid; 0 stands for 1 */

  /* Does the iterations [begin, end), from any number of threads at once, and with none of its own.
   * What it returns is summed over the threads for `check`. */
  double (*run)(const streamgage_call *call);

  /* Writes what the elements that belong to [begin, end) hold at first, those beyond the last
   * iteration in the range that ends there. Without it, arrays of floating-point elements hold
   * multiples of 1/8 in [-1, 1] and the others 0. It is called often, and writes the same values
   * each time. */
  void (*fill)(const streamgage_call *call) STREAMGAGE_OPTIONAL;

  /* How many of the iterations [begin, end) have a wrong result, after one pass over arrays that
   * were filled; `why` may be given a sentence of at most `size` bytes, the ending zero included.
   */
  int64_t (*check)(const streamgage_call *call, char *why, size_t size) STREAMGAGE_OPTIONAL;
} streamgage_kernel;

/* The function that a kernel's shared object exports; STREAMGAGE_KERNEL defines it. */
const streamgage_kernel *streamgage_declare_kernel(void);

#if defined(__GNUC__)
#define STREAMGAGE_EXPORTED __attribute__((visibility("default")))
#else
#define STREAMGAGE_EXPORTED
#endif

/* Declares the kernel by its fields. */
#define STREAMGAGE_KERNEL(...)                                                                   \
  STREAMGAGE_EXPORTED const streamgage_kernel *streamgage_declare_kernel(void) {                 \
    static const streamgage_kernel kernel = {.version = STREAMGAGE_KERNEL_VERSION, __VA_ARGS__}; \
    return &kernel;                                                                              \
  }

#ifdef __cplusplus
}
#endif

#endif
