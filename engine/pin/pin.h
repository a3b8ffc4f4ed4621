/* What the parts of libstreamgage-pin share. The library is preloaded into a program that
 * `streamgage pin` starts, and binds each thread that the program makes to the next CPU of a list.
 * It needs nothing but the C library. Its environment:
 *
 *   STREAMGAGE_PIN_CPUS    "0,8,2,10": OS numbers in thread order; thread 0 is the main thread
 *   STREAMGAGE_PIN_SKIP    "0,2": threads that are not bound, counted from 0 as they are made;
 *                          -1 is the main thread
 *   STREAMGAGE_PIN_REPEAT  set: threads beyond the list begin again at its start
 *   STREAMGAGE_PIN_REPORT  file that lines about threads are added to
 */
#ifndef STREAMGAGE_PIN_H
#define STREAMGAGE_PIN_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

/* What was wanted for a thread, in place of a CPU. */
enum { PIN_SKIPPED = -1, PIN_BEYOND = -2, PIN_OWN = -3 };

/* Among the threads as they are made, which are counted from 0. */
enum { PIN_MAIN = -1 };

struct pin_list {
  const int *numbers;
  int count;
};

/* What a thread was given. */
struct pin_thread {
  int number; /* in the order made; the main thread is 0 */
  int wanted; /* a CPU, or one of the names above */
  int place;
  bool keeps_cpus; /* whoever made it chose them */
};

struct pin_running {
  struct pin_running *next;
  void (*release)(struct pin_running *); /* or null */
  struct pin_thread thread;
  pid_t tid;
};

struct pin_list pin_cpus(void);
bool pin_skips(int made); /* the thread that was made as number `made`, from 0 */
bool pin_repeats(void);
void pin_read_environment(void);

/* At the start of a program or of a child of fork: all places are free but its main thread's. */
struct pin_thread pin_begin_places(void);
/* Without `needs_place`, the thread is skipped. */
struct pin_thread pin_take_place(const pthread_attr_t *attributes, bool needs_place);
void pin_give_back(const struct pin_thread *thread);
void pin_was_not_made(const struct pin_thread *thread);

/* The calling thread runs from now on; when it ends, its place is given back and it is released. */
void pin_begin_running(struct pin_running *running);
void pin_watch_ends(void);
void pin_forget_running(void);
void pin_end_all(void);

/* Binds the calling thread; to all CPUs of the list with pin_bind_to_all. */
void pin_bind(int cpu);
void pin_bind_to_all(void);

/* Adds a line about the calling thread, or about thread `tid` of this process, to the report. */
void pin_report(const char *event, pid_t tid, int number, int wanted);

#endif
