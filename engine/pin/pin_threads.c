/* Takes the place of pthread_create and thrd_create: a thread binds itself before its own code. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#include "pin.h"

typedef int create_posix(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int create_c11(thrd_t *, thrd_start_t, void *);

struct start {
  struct pin_running running; /* first, so that its address is that of the whole */
  void *(*posix)(void *);
  thrd_start_t c11;
  void *argument;
};

static struct pin_running main_thread;
static bool bound_main;

static void free_start(struct pin_running *running) { free(running); }

/* Libraries of MPI and of its networks, and drivers of devices, make threads for themselves, which
 * mostly sleep: they need no CPU of the list. Open MPI's plugins are mca_*, UCX's libraries libucs,
 * libucp and so on. MPI may load OpenCL without the program: hwloc looks for its devices. */
static bool is_made_for_itself(const void *caller) {
  static const char *const beginnings[] = {
      "libmpi",    "libopen-",  "mca_",     "libpmix",   "pmix_mca_", "libprrte",   "libuc",
      "libpsm",    "libfabric", "libhcoll", "libsharp",  "libcuda",   "libnvidia-", "libamdhip",
      "libamdocl", "libhsa-",   "libze_",   "libigdrcl", "libOpenCL", "libpocl"};
  Dl_info found;
  if (dladdr(caller, &found) == 0 || found.dli_fname == NULL) {
    return false;
  }
  const char *slash = strrchr(found.dli_fname, '/');
  const char *name = slash == NULL ? found.dli_fname : slash + 1;
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; ++i) {
    if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) {
      return true;
    }
  }
  return false;
}

static struct start *prepare(const pthread_attr_t *attributes, void *argument, const void *caller) {
  struct start *start = calloc(1, sizeof *start);
  if (start == NULL) {
    return NULL;
  }
  start->argument = argument;
  start->running.release = free_start;
  const bool helper = is_made_for_itself(caller);
  start->running.thread = pin_take_place(attributes, !helper);
  /* Bound before it made a thread, the main thread would have an OpenMP runtime count one CPU. */
  if (!helper && !bound_main && gettid() == getpid()) {
    bound_main = true;
    if (!pin_skips(PIN_MAIN)) {
      pin_bind(pin_cpus().numbers[0]);
    }
  }
  return start;
}

static void discard(struct start *start) {
  pin_was_not_made(&start->running.thread);
  free(start);
}

static void begin(struct start *start) {
  const struct pin_thread *thread = &start->running.thread;
  if (!thread->keeps_cpus) {
    if (thread->wanted >= 0) {
      pin_bind(thread->wanted);
    } else {
      pin_bind_to_all();
    }
  }
  pin_begin_running(&start->running);
}

static void *run_posix(void *argument) {
  struct start *start = argument;
  begin(start);
  return start->posix(start->argument);
}

static int run_c11(void *argument) {
  struct start *start = argument;
  begin(start);
  return start->c11(start->argument);
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
  struct start *start = prepare(attributes, argument, __builtin_return_address(0));
  if (start == NULL) {
    return EAGAIN;
  }
  start->posix = run;
  const int refused = create(thread, attributes, run_posix, start);
  if (refused != 0) {
    discard(start);
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
  struct start *start = prepare(NULL, argument, __builtin_return_address(0));
  if (start == NULL) {
    return thrd_nomem;
  }
  start->c11 = run;
  const int outcome = create(thread, run_c11, start);
  if (outcome != thrd_success) {
    discard(start);
  }
  return outcome;
}

/* A child is a program of its own, in which only the thread that forked goes on, where it was. */
static void begin_child(void) {
  pin_forget_running();
  bound_main = false;
  main_thread.thread = pin_begin_places();
  main_thread.thread.wanted = PIN_OWN;
  pin_begin_running(&main_thread);
}

__attribute__((constructor)) static void begin_program(void) {
  pin_read_environment();
  if (pin_cpus().count == 0) {
    return;
  }
  /* A program that a bound thread has started would have that thread's CPU alone. */
  pin_bind_to_all();
  pin_watch_ends();
  main_thread.thread = pin_begin_places();
  pin_begin_running(&main_thread);
  pthread_atfork(NULL, NULL, begin_child);
}

__attribute__((destructor)) static void end_program(void) { pin_end_all(); }
