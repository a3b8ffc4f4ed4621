/* The threads that run: noticed when they begin and when they end, or at the end of the program. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

#include "pin.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct pin_running *first_running;
static pthread_key_t of_thread; /* its destructor runs however a thread ends */
static bool have_key;

static void end_running(void *argument) {
  struct pin_running *running = argument;
  pin_report("end", running->tid, running->thread.number, running->thread.wanted);
  pthread_mutex_lock(&mutex);
  for (struct pin_running **at = &first_running; *at != NULL; at = &(*at)->next) {
    if (*at == running) {
      *at = running->next;
      break;
    }
  }
  pthread_mutex_unlock(&mutex);
  pin_give_back(&running->thread);
  if (running->release != NULL) {
    running->release(running);
  }
}

void pin_begin_running(struct pin_running *running) {
  running->tid = gettid();
  pthread_mutex_lock(&mutex);
  running->next = first_running;
  first_running = running;
  pthread_mutex_unlock(&mutex);
  if (have_key) {
    pthread_setspecific(of_thread, running);
  }
  pin_report("begin", running->tid, running->thread.number, running->thread.wanted);
}

void pin_watch_ends(void) { have_key = pthread_key_create(&of_thread, end_running) == 0; }

void pin_forget_running(void) {
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  mutex = fresh;
  first_running = NULL;
}

void pin_end_all(void) {
  pthread_mutex_lock(&mutex);
  for (const struct pin_running *at = first_running; at != NULL; at = at->next) {
    pin_report("end", at->tid, at->thread.number, at->thread.wanted);
  }
  pthread_mutex_unlock(&mutex);
}
