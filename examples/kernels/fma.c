/* Multiplications and additions of vectors in registers: what the cores can compute.
 *
 *   streamgage ladder --kernels triad --kernel-file examples/kernels/fma.c --format roofline
 *
 * An iteration takes a number from the array, starts 12 chains of vectors with it, and does 6144
 * operations on them: 12 independent operations keep two units busy that need up to six cycles for
 * each. It reads 64 bytes, and the first 8 count: 96 operations per byte, so that no memory
 * limits it.
 *
 * Vectors are as wide as the flags of the compiler allow (-march=native is the default). A
 * processor with wider ones than these here, such as SVE of 512 bits, or with units for matrices,
 * can do more.
 */
#include <stdio.h>
#include <streamgage/kernel.h>

#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif
#define WIDTH (BYTES / 8)
#define CHAINS 12
#define FLOPS 6144
#define ROUNDS (FLOPS / (2 * CHAINS * WIDTH))

typedef double vector __attribute__((vector_size(BYTES)));

/* Keeps a vector in its register, and what it holds from the compiler. */
#if defined(__x86_64__)
#define OPAQUE(v) __asm__ volatile("" : "+x"(v))
#elif defined(__aarch64__)
#define OPAQUE(v) __asm__ volatile("" : "+w"(v))
#else
#define OPAQUE(v) __asm__ volatile("" : "+m"(v))
#endif

static double chains_of(double start) {
  vector factor = 1.0 + (vector){0}, step = factor;
  OPAQUE(factor);
  OPAQUE(step);
  vector c[CHAINS];
  for (int k = 0; k < CHAINS; ++k) {
    c[k] = start + (vector){0};
    OPAQUE(c[k]);
  }
  for (int round = 0; round < ROUNDS; ++round)
    for (int k = 0; k < CHAINS; ++k) c[k] = c[k] * factor + step;
  for (int k = 1; k < CHAINS; ++k) OPAQUE(c[k]);
  return c[0][WIDTH - 1];
}

static double fma_run(const streamgage_call *call) {
  const double *a = call->arrays[0];
  double sum = 0.0;
  for (int64_t i = call->begin; i < call->end; ++i) sum += chains_of(a[8 * i]);
  return sum;
}

static double value_of(int64_t i) { return (double)(i % 16 - 8); }

static void fill(const streamgage_call *call) {
  double *a = call->arrays[0];
  for (int64_t i = 8 * call->begin; i < 8 * call->end; ++i) a[i] = value_of(i / 8);
}

/* Each operation adds 1 to a whole number, so no sum is rounded. */
static int64_t check(const streamgage_call *call, char *why, size_t size) {
  double expected = (double)call->iterations * ROUNDS - 8.0 * (double)(call->iterations / 16);
  for (int64_t i = call->iterations / 16 * 16; i < call->iterations; ++i) expected += value_of(i);
  if (call->value == expected) return 0;
  snprintf(why, size, "The sum is %g, not %g.", call->value, expected);
  return call->end - call->begin;
}

static const streamgage_array arrays[] = {
    {.name = "a", .type = "double", .access = STREAMGAGE_READ, .per_iteration = 8},
};

STREAMGAGE_KERNEL(.name = "fma", .formula = "s += a * 1 + 1 + ...", .arrays = arrays,
                  .array_count = 1, .flops = FLOPS, .run = fma_run, .fill = fill, .check = check)
