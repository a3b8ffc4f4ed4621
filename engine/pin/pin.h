/* What the parts of libstreamgage-pin share. The library is preloaded into a program that
 * `streamgage pin` starts, and binds each thread that the program makes to the next CPU of a list.
 * It needs nothing but the C library. Its environment:
 *
 *   STREAMGAGE_PIN_CPUS    "0,8,2,10": OS numbers in thread order; thread 0 is the main thread
 *   STREAMGAGE_PIN_SKIP    "0,2": threads that are not bound, counted from 0 as they are made
 *   STREAMGAGE_PIN_ANEW    set: threads beyond the list begin anew at its start
 *   STREAMGAGE_PIN_REPORT  file that lines about threads are added to
 */
#ifndef STREAMGAGE_PIN_H
#define STREAMGAGE_PIN_H

#include <stdbool.h>
#include <sys/types.h>

/* What was wanted for a thread, in place of a CPU. */
enum { PIN_SKIPPED = -1, PIN_BEYOND = -2, PIN_OWN = -3 };

struct pin_list {
  const int *numbers;
  int count;
};

struct pin_list pin_cpus(void);
bool pin_skips(int made); /* the thread that was made as number `made`, from 0 */
bool pin_begins_anew(void);
void pin_read_environment(void);

/* Binds the calling thread; to all CPUs of the list with pin_bind_to_all. */
void pin_bind(int cpu);
void pin_bind_to_all(void);

/* Adds a line about the calling thread, or about thread `tid` of this process, to the report. */
void pin_report(const char *event, pid_t tid, int number, int wanted);

#endif
