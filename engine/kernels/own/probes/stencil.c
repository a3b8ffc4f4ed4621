/* A user's kernel for tests: rows of a grid with a halo, and how it fills them itself. */
#include "streamgage/kernel.h"

enum { COLUMNS = 96 };

static double run(const streamgage_call *call) {
  float *to = call->arrays[0];
  const float *from = call->arrays[1];
  for (int64_t row = call->begin / COLUMNS; row < call->end / COLUMNS; ++row) {
    for (int64_t i = (row + 1) * COLUMNS + 1; i < (row + 2) * COLUMNS - 1; ++i) {
      to[i] = 0.25F * (from[i - 1] + from[i + 1] + from[i - COLUMNS] + from[i + COLUMNS]);
    }
  }
  return 0.0;
}

/* The grid is flat, so that its mean is. */
static void fill(const streamgage_call *call) {
  float *from = call->arrays[1];
  const int64_t halo = call->end == call->iterations && call->end > call->begin ? 2 * COLUMNS : 0;
  for (int64_t i = call->begin; i < call->end + halo; ++i) from[i] = 3.0F;
}

static int64_t check(const streamgage_call *call, char *why, size_t size) {
  const float *to = call->arrays[0];
  int64_t wrong = 0;
  (void)why;
  (void)size;
  for (int64_t i = call->begin; i < call->end; ++i) {
    const int64_t column = i % COLUMNS;
    wrong += column != 0 && column != COLUMNS - 1 && to[i + COLUMNS] != 3.0F;
  }
  return wrong;
}

static const streamgage_array arrays[] = {
    {.name = "to", .type = "float", .access = STREAMGAGE_WRITE, .extra = 2 * COLUMNS},
    {.name = "from", .type = "float", .access = STREAMGAGE_READ, .extra = 2 * COLUMNS},
};

STREAMGAGE_KERNEL(.name = "stencil", .formula = "to = mean of 4 of from", .arrays = arrays,
                  .array_count = 2, .flops = 4, .grain = COLUMNS, .run = run, .fill = fill,
                  .check = check)
