/* Places: an entry of the list is one, so that a CPU that is named twice has two. A thread has the
 * first place that the fewest threads have, and gives it back when it ends. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "pin.h"

enum { NO_PLACE = -1 };
/* Of the CPU that whoever makes a thread chose for it; all others are its number. */
enum { NOT_CHOSEN = -1, SEVERAL = -2 };
enum { MOST_CPUS = 8192 }; /* Linux's NR_CPUS goes no further */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int *threads_at; /* how many threads have each place */
static int made;        /* threads that the program made */

static int place_of_fewest(int cpu) {
  const struct pin_list cpus = pin_cpus();
  int best = NO_PLACE;
  for (int place = 0; threads_at != NULL && place < cpus.count; ++place) {
    const bool fits = cpu == NOT_CHOSEN || cpus.numbers[place] == cpu;
    if (fits && (best == NO_PLACE || threads_at[place] < threads_at[best])) {
      best = place;
    }
  }
  return best;
}

/* GNU OpenMP chooses so; glibc gives a mask of all ones where nobody did. */
static int chosen_cpu(const pthread_attr_t *attributes) {
  cpu_set_t mask[MOST_CPUS / CPU_SETSIZE];
  if (attributes == NULL || pthread_attr_getaffinity_np(attributes, sizeof mask, mask) != 0) {
    return NOT_CHOSEN;
  }
  const int chosen = CPU_COUNT_S(sizeof mask, mask);
  if (chosen == MOST_CPUS) {
    return NOT_CHOSEN;
  }
  size_t first = 0;
  while (chosen == 1 && !CPU_ISSET_S(first, sizeof mask, mask)) {
    ++first;
  }
  return chosen == 1 ? (int)first : SEVERAL;
}

/* The caller holds the mutex. */
static void find_place(struct pin_thread *thread, int chosen) {
  const int place = place_of_fewest(chosen);
  if (place == NO_PLACE) {
    thread->wanted = chosen == NOT_CHOSEN ? PIN_BEYOND : PIN_OWN;
  } else if (threads_at[place] > 0 && !pin_repeats()) {
    thread->wanted = PIN_BEYOND;
  } else {
    thread->wanted = pin_cpus().numbers[place];
    thread->place = place;
    ++threads_at[place];
  }
}

struct pin_thread pin_begin_places(void) {
  /* A child of fork comes here too, and the mutex may have been held when it was made. */
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  const size_t places = (size_t)pin_cpus().count;
  mutex = fresh;
  made = 0;
  if (threads_at == NULL) {
    threads_at = calloc(places, sizeof *threads_at);
  } else {
    memset(threads_at, 0, places * sizeof *threads_at);
  }
  struct pin_thread main_thread = {
      .number = 0, .wanted = PIN_SKIPPED, .place = NO_PLACE, .keeps_cpus = false};
  if (!pin_skips(PIN_MAIN)) {
    find_place(&main_thread, NOT_CHOSEN);
  }
  return main_thread;
}

struct pin_thread pin_take_place(const pthread_attr_t *attributes, bool needs_place) {
  const int chosen = chosen_cpu(attributes);
  struct pin_thread thread = {
      .wanted = PIN_SKIPPED, .place = NO_PLACE, .keeps_cpus = chosen != NOT_CHOSEN};
  pthread_mutex_lock(&mutex);
  const int order = made++;
  thread.number = order + 1;
  if (needs_place && !pin_skips(order)) {
    find_place(&thread, chosen);
  }
  pthread_mutex_unlock(&mutex);
  return thread;
}

static void leave(const struct pin_thread *thread) {
  if (thread->place != NO_PLACE) {
    --threads_at[thread->place];
  }
}

void pin_give_back(const struct pin_thread *thread) {
  pthread_mutex_lock(&mutex);
  leave(thread);
  pthread_mutex_unlock(&mutex);
}

void pin_was_not_made(const struct pin_thread *thread) {
  pthread_mutex_lock(&mutex);
  leave(thread);
  if (made == thread->number) { /* else another was made meanwhile, and keeps its number */
    --made;
  }
  pthread_mutex_unlock(&mutex);
}
