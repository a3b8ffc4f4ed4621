/* y = A x with a sparse matrix in SELL-C-sigma (Kreutzer, Hager, Wellein, Fehske, Bishop, SIAM J.
 * Sci. Comput. 36 (2014)): rows sorted by length within blocks of sigma, cut into chunks of C rows,
 * and each chunk stored column by column, so that a vector works on C rows at once.
 *
 * An iteration is a row of the matrix of spmv_matrix.h, with 19.5 nonzeros. Each chunk is filled up
 * to its longest row; sorting keeps rows of like length together, so that 21 elements are stored a
 * row. Without sorting it would be nearly 35, the longest row of all.
 *
 * Bytes an iteration:
 *     168     values: 8 for each element stored, the filling included
 *      84     column indices: 4 for each element stored
 *       0.375 where each chunk starts and how wide it is: 12 for 32 rows
 *       4     which row of the block it is
 *       8     x, as in spmv_crs.c
 *       8     y, written: the rows of a block in the order of their lengths, but a block of y is
 *             2 KiB, and its lines leave the cache whole; 8 more where they are read first
 *     272.375 in all, which is what is shown; 280.375 with y's lines read first
 *
 * So it moves 5 % more than CRS for the same 39 flops, and wins where CRS is limited by its short
 * inner loops rather than by memory: compare seconds or flops, not GB/s.
 */
#include <stdio.h>
#include <streamgage/kernel.h>

#include "spmv_matrix.h"

/* Each block has eight rows of each length from 4 to 35, so its sorted chunks of 32 rows are 35,
 * 31, 27 ... 7 wide: 168 columns of 32 elements. */
enum { C = 32, SIGMA = BLOCK, CHUNKS = SIGMA / C, STORED_OF_BLOCK = 168 * C };
enum { VALUES, COLUMNS, STARTS, WIDTHS, ROWS, X, Y };

static double multiply(const streamgage_call *call) {
  const double *values = call->arrays[VALUES], *x = call->arrays[X];
  const int32_t *columns = call->arrays[COLUMNS], *widths = call->arrays[WIDTHS];
  const int32_t *rows = call->arrays[ROWS];
  const int64_t *starts = call->arrays[STARTS];
  for (int64_t chunk = call->begin / C; chunk < call->end / C; ++chunk) {
    double *y = (double *)call->arrays[Y] + chunk / CHUNKS * SIGMA;
    double sum[C] = {0};
    const double *value = values + starts[chunk];
    const int32_t *column = columns + starts[chunk];
    for (int k = 0; k < widths[chunk]; ++k, value += C, column += C)
      for (int lane = 0; lane < C; ++lane) sum[lane] += value[lane] * x[column[lane]];
    for (int lane = 0; lane < C; ++lane) y[rows[chunk * C + lane]] = sum[lane];
  }
  return 0.0;
}

/* The rows of a block from the longest to the shortest, equal ones as they come. */
static void sort_by_length(int64_t block, int32_t *rows) {
  for (int32_t i = 0; i < SIGMA; ++i) {
    const int length = length_of_row(block + i);
    int32_t at = i;
    for (; at > 0 && length_of_row(block + rows[at - 1]) < length; --at) rows[at] = rows[at - 1];
    rows[at] = i;
  }
}

static void fill_chunk(const streamgage_call *call, int64_t chunk, int64_t start) {
  double *values = (double *)call->arrays[VALUES] + start;
  int32_t *columns = (int32_t *)call->arrays[COLUMNS] + start;
  const int32_t *rows = (const int32_t *)call->arrays[ROWS] + chunk * C;
  const int64_t block = chunk / CHUNKS * SIGMA;
  const int width = length_of_row(block + rows[0]);
  ((int64_t *)call->arrays[STARTS])[chunk] = start;
  ((int32_t *)call->arrays[WIDTHS])[chunk] = width;
  for (int lane = 0; lane < C; ++lane) {
    const int64_t row = block + rows[lane];
    const int length = length_of_row(row);
    for (int k = 0; k < width; ++k) {
      /* What fills up is a zero that is multiplied by an element which is at hand. */
      const int within = k < length ? k : length - 1;
      values[k * C + lane] = k < length ? value_of(row, k) : 0;
      columns[k * C + lane] = column_of(row, within, length, call->iterations);
    }
  }
}

static void fill(const streamgage_call *call) {
  for (int64_t block = call->begin; block < call->end; block += SIGMA) {
    sort_by_length(block, (int32_t *)call->arrays[ROWS] + block);
    int64_t start = block / SIGMA * STORED_OF_BLOCK;
    for (int64_t chunk = block / C; chunk < (block + SIGMA) / C; ++chunk) {
      fill_chunk(call, chunk, start);
      start += (int64_t)C * ((const int32_t *)call->arrays[WIDTHS])[chunk];
    }
  }
  for (int64_t row = call->begin; row < call->end; ++row) {
    ((double *)call->arrays[X])[row] = x_of(row);
    ((double *)call->arrays[Y])[row] = 0;
  }
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
    {.name = "values", .type = "double", .access = STREAMGAGE_READ, .per_iteration = 21},
    {.name = "columns", .type = "int32", .access = STREAMGAGE_READ, .per_iteration = 21},
    {.name = "starts", .type = "int64", .access = STREAMGAGE_READ, .per_iteration = 1.0 / C},
    {.name = "widths", .type = "int32", .access = STREAMGAGE_READ, .per_iteration = 1.0 / C},
    {.name = "rows", .type = "int32", .access = STREAMGAGE_READ},
    {.name = "x", .type = "double", .access = STREAMGAGE_READ},
    {.name = "y", .type = "double", .access = STREAMGAGE_WRITE},
};

STREAMGAGE_KERNEL(.name = "spmv-sell", .formula = "y = A x, SELL-32-256", .arrays = arrays,
                  .array_count = 7, .flops = 39, .grain = SIGMA, .run = multiply, .fill = fill,
                  .check = check)
