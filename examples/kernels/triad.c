/* Triad, which the catalogue has too: the shortest kernel of one's own.
 *
 * Bytes an iteration: 8 of b and 8 of c are read, 8 of a written: 24, which is what is shown. With
 * ordinary stores each line of a is read before it is overwritten, for it may have been written in
 * part alone: 8 more, 32 cross the bus. Which of these a processor does, `streamgage measure` says.
 */
#include <stdio.h>
#include <streamgage/kernel.h>

static double value_of_b(int64_t i) { return (double)(i % 17 - 8) / 8; }

static double value_of_c(int64_t i) { return (double)(i % 13 - 6) / 8; }

static double triad(const streamgage_call *call) {
  double *a = call->arrays[0];
  const double *b = call->arrays[1], *c = call->arrays[2];
  const double s = call->scalar;
  for (int64_t i = call->begin; i < call->end; ++i) a[i] = b[i] + s * c[i];
  return 0.0;
}

static void fill(const streamgage_call *call) {
  double *a = call->arrays[0], *b = call->arrays[1], *c = call->arrays[2];
  for (int64_t i = call->begin; i < call->end; ++i) {
    a[i] = 0;
    b[i] = value_of_b(i);
    c[i] = value_of_c(i);
  }
}

/* All values are multiples of 1/16, so no sum of them is rounded. */
static int64_t check(const streamgage_call *call, char *why, size_t size) {
  const double *a = call->arrays[0];
  int64_t wrong = 0;
  for (int64_t i = call->begin; i < call->end; ++i) {
    const double expected = value_of_b(i) + call->scalar * value_of_c(i);
    if (a[i] == expected) continue;
    if (wrong++ == 0) snprintf(why, size, "a[%lld] is %g, not %g.", (long long)i, a[i], expected);
  }
  return wrong;
}

static const streamgage_array arrays[] = {
    {.name = "a", .type = "double", .access = STREAMGAGE_WRITE},
    {.name = "b", .type = "double", .access = STREAMGAGE_READ},
    {.name = "c", .type = "double", .access = STREAMGAGE_READ},
};

STREAMGAGE_KERNEL(.name = "my-triad", .formula = "a = b + s*c", .arrays = arrays, .array_count = 3,
                  .flops = 2, .run = triad, .fill = fill, .check = check)
