/* A sweep of the 2-D 5-point stencil (Jacobi) over a grid with rows of NX points.
 *
 * An iteration is a point. Its result needs the points above and below, a row away in memory: the
 * row below is new, and the one above was last used two rows ago.
 *
 * Bytes an iteration, by the layer condition (Stengel, Treibig, Hager, Wellein, ICS 2015): while
 * three rows, 3 * 8 * NX bytes for each thread, fit in half of a cache, that cache serves both
 * neighbouring rows and the row in the middle, and each point of b comes from beyond it once:
 *
 *     holds:   8 of b + 8 of a = 16, which is what is shown; 24 with a's lines read first
 *     broken: 24 of b + 8 of a = 32, that is twice what is shown; 40 with a's lines read first
 *
 * What counts for memory is the last cache that a thread has a share of. Below that, a row may be
 * too long for L1 and still fit in L2: that costs traffic between caches and none at memory.
 * Choose the row with --cc 'gcc -O3 -march=native -DNX=4096'.
 */
#include <stdio.h>
#include <streamgage/kernel.h>

#ifndef NX
#define NX 2048
#endif

#ifndef NAME /* so that rows of several lengths can be measured in one run */
#define NAME "stencil-2d5"
#endif

/* The grid has a row more on either side than there are results: row r of a is row r + 1 of b. */
static double value_of_b(int64_t at) { return (double)(at * 7 % 29 - 14) / 8; }

static double sweep(const streamgage_call *call) {
  const double s = call->scalar;
  for (int64_t row = call->begin; row < call->end; row += NX) {
    double *restrict a = (double *)call->arrays[0] + row;
    const double *above = (const double *)call->arrays[1] + row;
    const double *here = above + NX, *below = here + NX;
    a[0] = here[0]; /* the border stays as it is */
    for (int64_t x = 1; x < NX - 1; ++x)
      a[x] = s * here[x] + 0.125 * (above[x] + here[x - 1] + here[x + 1] + below[x]);
    a[NX - 1] = here[NX - 1];
  }
  return 0.0;
}

static void fill(const streamgage_call *call) {
  double *a = call->arrays[0], *b = call->arrays[1];
  const int64_t last = call->end == call->iterations ? 2 * (int64_t)NX : 0;
  for (int64_t i = call->begin; i < call->end; ++i) a[i] = 0;
  for (int64_t i = call->begin; i < call->end + last; ++i) b[i] = value_of_b(i);
}

static int64_t check(const streamgage_call *call, char *why, size_t size) {
  const double *a = call->arrays[0];
  int64_t wrong = 0;
  for (int64_t i = call->begin; i < call->end; ++i) {
    const int64_t at = i + NX, x = i % NX;
    double expected = value_of_b(at);
    if (x > 0 && x < NX - 1)
      expected = call->scalar * expected + 0.125 * (value_of_b(at - NX) + value_of_b(at - 1) +
                                                    value_of_b(at + 1) + value_of_b(at + NX));
    if (a[i] == expected) continue;
    if (wrong++ == 0)
      snprintf(why, size, "The point %lld of row %lld is %g, not %g.", (long long)x,
               (long long)(i / NX), a[i], expected);
  }
  return wrong;
}

static const streamgage_array arrays[] = {
    {.name = "a", .type = "double", .access = STREAMGAGE_WRITE},
    {.name = "b", .type = "double", .access = STREAMGAGE_READ, .extra = 2 * NX},
};

STREAMGAGE_KERNEL(.name = NAME, .formula = "a = s*b + (n+w+e+s of b)/8", .arrays = arrays,
                  .array_count = 2, .flops = 6, .grain = NX, .run = sweep, .fill = fill,
                  .check = check)
