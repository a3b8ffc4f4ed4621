/* The sparse matrix of spmv_crs.c and spmv_sell.c, and the vector that it is multiplied by.
 *
 * Each block of 256 rows has rows of 4 to 35 nonzeros, eight of each length, in an order of its
 * own: 19.5 a row. A row's columns lie within BAND around its diagonal, in ascending order, one in
 * each part of the band. All values follow from row and position, so that each thread can fill its
 * own part and a check needs no array that could have been overwritten.
 */
#ifndef SPMV_MATRIX_H
#define SPMV_MATRIX_H

#include <stdint.h>

/* Columns around the diagonal. The part of x that a thread uses at a time has so many elements:
 * while they fit in its caches, each element comes from memory once. */
#ifndef BAND
#define BAND 16384
#endif

enum { BLOCK = 256, LEAST = 4, MOST = 35, NONZEROS_OF_BLOCK = 4992 };

static inline uint64_t mix(uint64_t x) { /* splitmix64, by Vigna */
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static inline int length_of_row(int64_t row) {
  const uint64_t start = mix((uint64_t)(row / BLOCK));
  const uint64_t place = ((uint64_t)row * 77 + start) % BLOCK;
  return LEAST + (int)(place / 8);
}

static inline int32_t column_of(int64_t row, int position, int length, int64_t rows) {
  const int64_t part = BAND / length;
  const int64_t within = (int64_t)(mix((uint64_t)(row * 64 + position)) % (uint64_t)part);
  const int64_t column = row - BAND / 2 + position * part + within;
  return (int32_t)((column % rows + rows) % rows);
}

static inline double value_of(int64_t row, int position) {
  return (double)((row + 3 * position) % 15 - 7) / 8;
}

static inline double x_of(int64_t column) { return (double)(column % 11 - 5) / 8; }

/* Of y = A x; multiples of 1/64, so that it is the same however the sum is formed. */
static inline double result_of(int64_t row, int64_t rows) {
  const int length = length_of_row(row);
  double sum = 0;
  for (int k = 0; k < length; ++k) sum += value_of(row, k) * x_of(column_of(row, k, length, rows));
  return sum;
}

#endif
