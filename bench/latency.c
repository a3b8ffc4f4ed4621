/* Idle latency of memory: a chase of pointers through a random cycle over huge pages.
 *
 *   latency MIB   prints nanoseconds a load, the least of five passes
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

enum { LINE = 64, STEPS = 1 << 22, HUGE = 2 << 20 };

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

int main(int argc, char **argv) {
  const size_t bytes = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1024) << 20;
  char *raw = mmap(NULL, bytes + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == 0 || raw == MAP_FAILED) {
    fprintf(stderr, "latency: no memory for that many MiB\n");
    return 1;
  }
  char *memory = (char *)(((uintptr_t)raw + HUGE - 1) / HUGE * HUGE);
  madvise(memory, bytes, MADV_HUGEPAGE);
  const size_t lines = bytes / LINE;
  size_t *order = malloc(lines * sizeof *order);
  if (order == NULL) {
    fprintf(stderr, "latency: no memory for the order of the lines\n");
    return 1;
  }
  for (size_t i = 0; i < lines; ++i) order[i] = i;
  for (size_t i = lines - 1; i > 0; --i) { /* Sattolo: one cycle over all lines */
    const size_t j = next_random() % i;
    const size_t swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
  for (size_t i = 0; i < lines; ++i) *(char **)(memory + i * LINE) = memory + order[i] * LINE;
  free(order);
  double best = 1e9;
  char *at = memory;
  for (int pass = 0; pass < 5; ++pass) {
    const double start = seconds();
    for (int step = 0; step < STEPS; ++step) at = *(char *volatile *)at;
    const double each = (seconds() - start) / STEPS;
    if (each < best) best = each;
  }
  printf("%.2f\n", 1e9 * best);
  return at == NULL;
}
