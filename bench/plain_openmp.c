/* The kernels as anyone would write them, in one file with OpenMP and static arrays: what the store
 * mode "plain" of the engine is held against. Compile with -DELEMENTS=... .
 *
 *   plain_openmp RUNS KERNEL     prints the mean seconds of a run
 */
#define _GNU_SOURCE
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifndef ELEMENTS
#define ELEMENTS 10000000
#endif
#define HUGE_PAGE (2ul << 20)
#define WARMUPS 2

static double a[ELEMENTS] __attribute__((aligned(HUGE_PAGE)));
static double b[ELEMENTS] __attribute__((aligned(HUGE_PAGE)));
static double c[ELEMENTS] __attribute__((aligned(HUGE_PAGE)));
static volatile double sink;

static void touch(void) {
  /* Kernels without huge pages refuse the advice; then there are none for either side. */
  (void)madvise(a, sizeof a, MADV_HUGEPAGE);
  (void)madvise(b, sizeof b, MADV_HUGEPAGE);
  (void)madvise(c, sizeof c, MADV_HUGEPAGE);
#pragma omp parallel for schedule(static)
  for (long i = 0; i < ELEMENTS; ++i) {
    a[i] = 0.125 * (double)(i % 7 + 1);
    b[i] = 0.125 * (double)(i % 5 + 1);
    c[i] = 0.125 * (double)(i % 3 + 1);
  }
}

static int run(const char *kernel, double s) {
  if (strcmp(kernel, "init") == 0) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < ELEMENTS; ++i) a[i] = s;
  } else if (strcmp(kernel, "sum") == 0) {
    double sum = 0.0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (long i = 0; i < ELEMENTS; ++i) sum += b[i];
    sink = sum;
  } else if (strcmp(kernel, "copy") == 0) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < ELEMENTS; ++i) a[i] = b[i];
  } else if (strcmp(kernel, "update") == 0) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < ELEMENTS; ++i) a[i] = s * a[i];
  } else if (strcmp(kernel, "triad") == 0) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < ELEMENTS; ++i) a[i] = b[i] + s * c[i];
  } else if (strcmp(kernel, "daxpy") == 0) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < ELEMENTS; ++i) a[i] = a[i] + s * b[i];
  } else {
    return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3 || atoi(argv[1]) < 1) {
    fprintf(stderr, "usage: plain_openmp RUNS KERNEL\n");
    return 2;
  }
  const int runs = atoi(argv[1]);
  touch();
  double total = 0.0;
  for (int i = 0; i < WARMUPS + runs; ++i) {
    const double start = omp_get_wtime();
    if (!run(argv[2], -1.0)) {
      fprintf(stderr, "plain_openmp: no kernel '%s'\n", argv[2]);
      return 2;
    }
    total += i >= WARMUPS ? omp_get_wtime() - start : 0.0;
  }
  printf("%.9f\n", total / runs);
  return 0;
}
