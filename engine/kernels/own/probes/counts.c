/* A user's kernel for tests: integers that it adds to, of different sizes, and no check. */
#include "streamgage/kernel.h"

static double run(const streamgage_call *call) {
  int32_t *counts = call->arrays[0];
  const int64_t *steps = call->arrays[1];
  double sum = 0.0;
  for (int64_t i = call->begin; i < call->end; i += 2) {
    counts[i] += (int32_t)steps[i / 2];
    counts[i + 1] += 1;
    sum += (double)counts[i];
  }
  return sum;
}

static const streamgage_array arrays[] = {
    {.name = "counts", .type = "int32", .access = STREAMGAGE_READ_WRITE},
    {.name = "steps", .type = "int64", .access = STREAMGAGE_READ, .per_iteration = 0.5},
};

STREAMGAGE_KERNEL(.name = "counts", .formula = "counts += steps", .arrays = arrays,
                  .array_count = 2, .grain = 2, .run = run)
