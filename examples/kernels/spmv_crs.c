/* y = A x with a sparse matrix in CRS: the nonzeros of a row side by side.
 *
 * An iteration is a row; the matrix of spmv_matrix.h has 19.5 nonzeros in one.
 *
 * Bytes an iteration:
 *     156   values: 8 for each nonzero
 *      78   column indices: 4 for each nonzero, half as much again
 *       8   where the row starts
 *       8   x, if each of its elements comes from memory once: BAND elements around the diagonal
 *           stay in the caches
 *       8   y, written; its lines are read first with ordinary stores: 8 more
 *     258   in all, which is what is shown; 266 with y's lines read first
 *
 * That is 39 flops for 258 bytes, so memory is the limit. With a band that no cache holds (try
 * -DBAND=16777216) every nonzero may fetch a line of x of its own, up to 64 bytes where 8 are used;
 * what that costs shows as bandwidth that seems to be missing.
 */
#include <stdio.h>
#include <streamgage/kernel.h>

#include "spmv_matrix.h"

enum { VALUES, COLUMNS, STARTS, X, Y };

static double multiply(const streamgage_call *call) {
  const double *values = call->arrays[VALUES], *x = call->arrays[X];
  const int32_t *columns = call->arrays[COLUMNS];
  const int64_t *starts = call->arrays[STARTS];
  double *y = call->arrays[Y];
  for (int64_t row = call->begin; row < call->end; ++row) {
    double sum = 0;
    for (int64_t k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
  return 0.0;
}

static void fill(const streamgage_call *call) {
  double *values = call->arrays[VALUES], *x = call->arrays[X], *y = call->arrays[Y];
  int32_t *columns = call->arrays[COLUMNS];
  int64_t *starts = call->arrays[STARTS];
  /* Ranges begin at a block, and all blocks have as many nonzeros. */
  int64_t at = call->begin / BLOCK * NONZEROS_OF_BLOCK;
  for (int64_t row = call->begin; row < call->end; ++row) {
    const int length = length_of_row(row);
    starts[row] = at;
    x[row] = x_of(row);
    y[row] = 0;
    for (int k = 0; k < length; ++k, ++at) {
      values[at] = value_of(row, k);
      columns[at] = column_of(row, k, length, call->iterations);
    }
  }
  if (call->end == call->iterations) starts[call->end] = at;
}

static int64_t check(const streamgage_call *call, char *why, size_t size) {
  const double *y = call->arrays[Y];
  int64_t wrong = 0;
  for (int64_t row = call->begin; row < call->end; ++row) {
    const double expected = result_of(row, call->iterations);
    if (y[row] == expected) continue;
    if (wrong++ == 0)
      snprintf(why, size, "y[%lld] is %g, not %g.", (long long)row, y[row], expected);
  }
  return wrong;
}

static const streamgage_array arrays[] = {
    {.name = "values", .type = "double", .access = STREAMGAGE_READ, .per_iteration = 19.5},
    {.name = "columns", .type = "int32", .access = STREAMGAGE_READ, .per_iteration = 19.5},
    {.name = "starts", .type = "int64", .access = STREAMGAGE_READ, .extra = 1},
    {.name = "x", .type = "double", .access = STREAMGAGE_READ},
    {.name = "y", .type = "double", .access = STREAMGAGE_WRITE},
};

STREAMGAGE_KERNEL(.name = "spmv-crs", .formula = "y = A x, CRS", .arrays = arrays, .array_count = 5,
                  .flops = 39, .grain = BLOCK, .run = multiply, .fill = fill, .check = check)
