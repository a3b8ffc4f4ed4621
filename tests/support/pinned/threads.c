/* Makes threads and says of each which CPUs it may use: "NUMBER CPUS...", the main thread last.
 *
 *   threads HOW N [ROUNDS [REFUSED]]
 *
 * HOW: posix, c11, own (POSIX threads with a mask of their maker's choice), or exit and cancel
 * (POSIX threads that end in that way). The N threads of a round run at the same time; there are
 * ROUNDS one after another, and before the first REFUSED threads for which there is no memory. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <threads.h>
#include <unistd.h>

static const char *how = "posix";
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all_run;
static pthread_attr_t attributes;

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
  pthread_barrier_wait(&all_run);
  if (strcmp(how, "exit") == 0) {
    pthread_exit(number);
  }
  while (strcmp(how, "cancel") == 0) {
    pause();
  }
  return number;
}

static int run_c11(void *number) {
  say((int)(intptr_t)number);
  pthread_barrier_wait(&all_run);
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

/* glibc's threads of C11 are POSIX threads, but the library must see the right call. */
union thread {
  pthread_t posix;
  thrd_t c11;
};

static int make(union thread *thread, int number) {
  void *argument = (void *)(intptr_t)number;
  if (strcmp(how, "c11") == 0) {
    return thrd_create(&thread->c11, run_c11, argument) == thrd_success;
  }
  const pthread_attr_t *chosen = strcmp(how, "own") == 0 ? &attributes : NULL;
  return pthread_create(&thread->posix, chosen, run_posix, argument) == 0;
}

static int join(union thread *thread, int number) {
  if (strcmp(how, "c11") == 0) {
    int result = 0;
    return thrd_join(thread->c11, &result) == thrd_success && result == 7;
  }
  const int cancelled = strcmp(how, "cancel") == 0;
  void *result = NULL;
  if (cancelled) {
    pthread_cancel(thread->posix);
  }
  pthread_join(thread->posix, &result);
  return result == (cancelled ? PTHREAD_CANCELED : (void *)(intptr_t)number);
}

static int make_without_memory(void) {
  struct rlimit before;
  union thread thread;
  getrlimit(RLIMIT_AS, &before);
  const struct rlimit none = {.rlim_cur = 1, .rlim_max = before.rlim_max};
  setrlimit(RLIMIT_AS, &none);
  const int done = make(&thread, -1);
  setrlimit(RLIMIT_AS, &before);
  return done;
}

int main(int argc, char **argv) {
  how = argc > 1 ? argv[1] : how;
  const int count = argc > 2 ? atoi(argv[2]) : 0;
  const int rounds = argc > 3 ? atoi(argv[3]) : 1;
  const int refused = argc > 4 ? atoi(argv[4]) : 0;
  cpu_set_t own;
  pthread_attr_init(&attributes);
  CPU_ZERO(&own);
  CPU_SET(last_allowed(), &own);
  pthread_attr_setaffinity_np(&attributes, sizeof own, &own);
  pthread_barrier_init(&all_run, NULL, (unsigned)count + 1);
  union thread *threads = calloc((size_t)count + 1, sizeof *threads);
  for (int number = 0; number < refused; ++number) {
    if (make_without_memory()) {
      return 5;
    }
  }
  for (int first = 1; first <= rounds * count; first += count) {
    for (int number = 0; number < count; ++number) {
      if (!make(&threads[number], first + number)) {
        return 3;
      }
    }
    pthread_barrier_wait(&all_run);
    for (int number = 0; number < count; ++number) {
      if (!join(&threads[number], first + number)) {
        return 4;
      }
    }
  }
  say(0);
  return 0;
}
