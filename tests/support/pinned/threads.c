/* Makes threads and says of each which CPUs it may use: "NUMBER CPUS...", the main thread last.
 *
 *   threads HOW N    HOW: posix, c11, own (POSIX threads with a mask of their maker's choice) */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;

static void say(int number) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  pthread_mutex_lock(&printing);
  printf("%d", number);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &mask)) {
      printf(" %d", cpu);
    }
  }
  printf("\n");
  fflush(stdout);
  pthread_mutex_unlock(&printing);
}

static void *run_posix(void *number) {
  say((int)(intptr_t)number);
  return number;
}

static int run_c11(void *number) {
  say((int)(intptr_t)number);
  return 7;
}

static int last_allowed(void) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  int cpu = CPU_SETSIZE - 1;
  while (!CPU_ISSET(cpu, &mask)) {
    --cpu;
  }
  return cpu;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "posix";
  const int count = argc > 2 ? atoi(argv[2]) : 0;
  pthread_attr_t attributes;
  cpu_set_t own;
  pthread_attr_init(&attributes);
  CPU_ZERO(&own);
  CPU_SET(last_allowed(), &own);
  pthread_attr_setaffinity_np(&attributes, sizeof own, &own);
  for (int number = 1; number <= count; ++number) {
    if (strcmp(how, "c11") == 0) {
      thrd_t thread;
      int result = 0;
      if (thrd_create(&thread, run_c11, (void *)(intptr_t)number) != thrd_success) {
        return 3;
      }
      thrd_join(thread, &result);
      if (result != 7) {
        return 4;
      }
    } else {
      pthread_t thread;
      void *result = NULL;
      if (pthread_create(&thread, strcmp(how, "own") == 0 ? &attributes : NULL, run_posix,
                         (void *)(intptr_t)number) != 0) {
        return 3;
      }
      pthread_join(thread, &result);
      if ((intptr_t)result != number) {
        return 4;
      }
    }
  }
  say(0);
  return 0;
}
