/* Takes the place of pthread_create and thrd_create: a thread binds itself before its own code. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "pin.h"

typedef int create_posix(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int create_c11(thrd_t *, thrd_start_t, void *);

/* A thread that runs: told of at its end, or at the end of the program. */
struct running {
  struct running *next;
  pid_t tid;
  int number;
  int wanted;
};

struct start {
  void *(*posix)(void *);
  thrd_start_t c11;
  void *argument;
  int number; /* in the order made; the main thread is 0 */
  int wanted;
  struct running running;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct running *first_running;
static int made;   /* threads that the program made */
static int placed; /* threads that took a place in the list, the main thread too */
static struct running main_thread;

static void begin_running(struct running *thread, int number, int wanted) {
  thread->tid = gettid();
  thread->number = number;
  thread->wanted = wanted;
  pthread_mutex_lock(&mutex);
  thread->next = first_running;
  first_running = thread;
  pthread_mutex_unlock(&mutex);
  pin_report("begin", thread->tid, number, wanted);
}

static void end_running(void *argument) {
  struct start *start = argument;
  pin_report("end", start->running.tid, start->number, start->wanted);
  pthread_mutex_lock(&mutex);
  for (struct running **at = &first_running; *at != NULL; at = &(*at)->next) {
    if (*at == &start->running) {
      *at = start->running.next;
      break;
    }
  }
  pthread_mutex_unlock(&mutex);
  free(start);
}

/* The next CPU of the list; the caller holds the mutex. */
static int next_place(void) {
  const struct pin_list cpus = pin_cpus();
  const int place = placed++;
  if (place < cpus.count) {
    return cpus.numbers[place];
  }
  return pin_begins_anew() ? cpus.numbers[place % cpus.count] : PIN_BEYOND;
}

/* Whether whoever makes the thread wants it on other CPUs than `wanted`, as GNU OpenMP may: glibc
 * gives a mask of all ones where they do not say. */
static bool has_other_cpus(const pthread_attr_t *attributes, int wanted) {
  cpu_set_t mask;
  if (attributes == NULL || pthread_attr_getaffinity_np(attributes, sizeof mask, &mask) != 0) {
    return false;
  }
  const bool same = wanted >= 0 && CPU_COUNT(&mask) == 1 && CPU_ISSET(wanted, &mask);
  return CPU_COUNT(&mask) < CPU_SETSIZE && !same;
}

static int choose_place(const pthread_attr_t *attributes, int *number) {
  pthread_mutex_lock(&mutex);
  const bool first = made == 0;
  const int order = made++;
  int wanted = PIN_SKIPPED;
  if (!pin_skips(order)) {
    wanted = next_place();
    wanted = wanted != PIN_BEYOND && has_other_cpus(attributes, wanted) ? PIN_OWN : wanted;
  }
  pthread_mutex_unlock(&mutex);
  *number = order + 1;
  /* Bound before it made a thread, it would have an OpenMP runtime count one CPU. */
  if (first && gettid() == getpid()) {
    pin_bind(pin_cpus().numbers[0]);
  }
  return wanted;
}

static struct start *prepare(const pthread_attr_t *attributes, void *argument) {
  struct start *start = calloc(1, sizeof *start);
  if (start != NULL) {
    start->argument = argument;
    start->wanted = choose_place(attributes, &start->number);
  }
  return start;
}

static void take_place(struct start *start) {
  if (start->wanted >= 0) {
    pin_bind(start->wanted);
  } else if (start->wanted != PIN_OWN) {
    pin_bind_to_all();
  }
  begin_running(&start->running, start->number, start->wanted);
}

static void *run_posix(void *argument) {
  struct start *start = argument;
  void *result = NULL;
  take_place(start);
  pthread_cleanup_push(end_running, start);
  result = start->posix(start->argument);
  pthread_cleanup_pop(1);
  return result;
}

static int run_c11(void *argument) {
  struct start *start = argument;
  int result = 0;
  take_place(start);
  pthread_cleanup_push(end_running, start);
  result = start->c11(start->argument);
  pthread_cleanup_pop(1);
  return result;
}

/* ISO C has no conversion of a data pointer to that of a function. */
static void find(const char *name, void *function) {
  void *found = dlsym(RTLD_NEXT, name);
  memcpy(function, &found, sizeof found);
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*run)(void *), void *argument) {
  create_posix *create = NULL;
  find("pthread_create", &create);
  if (pin_cpus().count == 0) {
    return create(thread, attributes, run, argument);
  }
  struct start *start = prepare(attributes, argument);
  if (start == NULL) {
    return EAGAIN;
  }
  start->posix = run;
  const int refused = create(thread, attributes, run_posix, start);
  if (refused != 0) {
    free(start);
  }
  return refused;
}

__attribute__((visibility("default"))) int thrd_create(thrd_t *thread, thrd_start_t run,
                                                       void *argument) {
  create_c11 *create = NULL;
  find("thrd_create", &create);
  if (pin_cpus().count == 0) {
    return create(thread, run, argument);
  }
  struct start *start = prepare(NULL, argument);
  if (start == NULL) {
    return thrd_nomem;
  }
  start->c11 = run;
  const int outcome = create(thread, run_c11, start);
  if (outcome != thrd_success) {
    free(start);
  }
  return outcome;
}

/* A child is a program of its own, in which only the thread that forked goes on, where it was. */
static void forget_threads(void) {
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  mutex = fresh;
  first_running = NULL;
  made = 0;
  placed = 1;
  begin_running(&main_thread, 0, PIN_OWN);
}

__attribute__((constructor)) static void begin_program(void) {
  pin_read_environment();
  if (pin_cpus().count == 0) {
    return;
  }
  placed = 1;
  /* A program that a bound thread has started would have that thread's CPU alone. */
  pin_bind_to_all();
  begin_running(&main_thread, 0, pin_cpus().numbers[0]);
  pthread_atfork(NULL, NULL, forget_threads);
}

/* Threads that still run, the main thread among them. */
__attribute__((destructor)) static void end_program(void) {
  pthread_mutex_lock(&mutex);
  for (const struct running *at = first_running; at != NULL; at = at->next) {
    pin_report("end", at->tid, at->number, at->wanted);
  }
  pthread_mutex_unlock(&mutex);
}
