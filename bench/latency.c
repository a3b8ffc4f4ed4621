/* Idle latency of memory: a chase of pointers through a random cycle over huge pages.
 *
 *   latency KIB [WINDOW_KIB]   prints nanoseconds a load, the median of five passes
 *
 * Bound to CPU 0. In windows it goes through one after the other, at random within each: the page
 * tables of a window stay in the TLB.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { LINE = 64, STEPS = 1 << 21, PASSES = 5, HUGE = 2 << 20 };

static uint64_t random_state = 88172645463325252ULL;

static uint64_t next_random(void) { /* xorshift64, Marsaglia 2003 */
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return random_state;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  const double left = *(const double *)a;
  const double right = *(const double *)b;
  return (left > right) - (left < right);
}

int main(int argc, char **argv) {
  cpu_set_t first;
  CPU_ZERO(&first);
  CPU_SET(0, &first);
  sched_setaffinity(0, sizeof first, &first);
  const size_t bytes = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1 << 20) << 10;
  char *raw = mmap(NULL, bytes + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == 0 || raw == MAP_FAILED) {
    fprintf(stderr, "latency: no memory for that many KiB\n");
    return 1;
  }
  char *memory = (char *)(((uintptr_t)raw + HUGE - 1) / HUGE * HUGE);
  madvise(memory, bytes, MADV_HUGEPAGE);
  const size_t lines = bytes / LINE;
  const size_t asked = argc > 2 ? (strtoull(argv[2], NULL, 10) << 10) / LINE : lines;
  const size_t window = asked == 0 ? 1 : asked;
  size_t *order = malloc(lines * sizeof *order);
  if (order == NULL) {
    fprintf(stderr, "latency: no memory for the order of the lines\n");
    return 1;
  }
  for (size_t i = 0; i < lines; ++i) order[i] = i;
  for (size_t first = 0; first < lines; first += window) { /* Fisher and Yates, in each window */
    const size_t count = lines - first < window ? lines - first : window;
    for (size_t i = count - 1; i > 0; --i) {
      const size_t j = next_random() % (i + 1);
      const size_t swap = order[first + i];
      order[first + i] = order[first + j];
      order[first + j] = swap;
    }
  }
  for (size_t i = 0; i < lines; ++i) {
    *(char **)(memory + order[i] * LINE) = memory + order[(i + 1) % lines] * LINE;
  }
  free(order);
  double each[PASSES];
  char *at = memory;
  for (size_t step = 0; step < lines; ++step) at = *(char *volatile *)at; /* fills the caches */
  for (int pass = 0; pass < PASSES; ++pass) {
    const double start = seconds();
    for (int step = 0; step < STEPS; ++step) at = *(char *volatile *)at;
    each[pass] = (seconds() - start) / STEPS;
  }
  qsort(each, PASSES, sizeof each[0], ascending);
  printf("%.3f\n", 1e9 * each[PASSES / 2]);
  return at == NULL;
}
