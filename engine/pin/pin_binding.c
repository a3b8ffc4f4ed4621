/* Binding, by masks as long as the highest CPU needs: a fixed cpu_set_t ends at 1,024. */
#define _GNU_SOURCE
#include <sched.h>
#include <stddef.h>

#include "pin.h"

static void bind_to(const int *numbers, int count) {
  int highest = 0;
  for (int i = 0; i < count; ++i) {
    highest = numbers[i] > highest ? numbers[i] : highest;
  }
  cpu_set_t *mask = CPU_ALLOC((size_t)highest + 1);
  if (mask == NULL) {
    return;
  }
  const size_t bytes = CPU_ALLOC_SIZE((size_t)highest + 1);
  CPU_ZERO_S(bytes, mask);
  for (int i = 0; i < count; ++i) {
    CPU_SET_S((size_t)numbers[i], bytes, mask);
  }
  /* A refusal is no reason to stop the program; the report shows where the thread really ran. */
  sched_setaffinity(0, bytes, mask);
  CPU_FREE(mask);
}

void pin_bind(int cpu) { bind_to(&cpu, 1); }

void pin_bind_to_all(void) {
  const struct pin_list cpus = pin_cpus();
  if (cpus.count > 0) {
    bind_to(cpus.numbers, cpus.count);
  }
}
