/* Lines about threads: "EVENT PID TID NUMBER WANTED CPU MASK NAME", blanks between.
 *
 * CPU is where the thread was seen and MASK where it may run, both read back from the kernel; "-"
 * stands for what it did not report. A line is one write at the end of the file, so that lines of
 * several processes do not mix. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pin.h"

enum { LONGEST_LINE = 4096, LONGEST_NAME = 64, MOST_CPUS = 1 << 20 };

struct line {
  char text[LONGEST_LINE];
  size_t length;
};

__attribute__((format(printf, 2, 3))) static void add(struct line *line, const char *format, ...) {
  va_list values;
  va_start(values, format);
  const size_t room = sizeof line->text - line->length;
  const int written = vsnprintf(line->text + line->length, room, format, values);
  va_end(values);
  if (written > 0) {
    line->length += (size_t)written < room ? (size_t)written : room - 1;
  }
}

/* The first bytes of a file of /proc; an empty text where there is none. */
static void read_start(const char *path, char *text, size_t size) {
  ssize_t length = -1;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file >= 0) {
    length = read(file, text, size - 1);
    close(file);
  }
  text[length > 0 ? length : 0] = '\0';
}

/* Of another thread: field 39 of its stat, counted after the name in brackets. */
static int last_cpu_of(pid_t tid) {
  char path[64];
  char text[1024];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)tid);
  read_start(path, text, sizeof text);
  const char *at = strrchr(text, ')');
  for (int field = 2; at != NULL && field < 39; ++field) {
    at = strchr(at + 1, ' ');
  }
  return at == NULL ? -1 : atoi(at);
}

static void add_mask(struct line *line, const cpu_set_t *mask, size_t bytes, int most) {
  bool first = true;
  for (int cpu = 0; cpu < most; ++cpu) {
    if (!CPU_ISSET_S((size_t)cpu, bytes, mask)) {
      continue;
    }
    int last = cpu;
    while (last + 1 < most && CPU_ISSET_S((size_t)last + 1, bytes, mask)) {
      ++last;
    }
    add(line, first ? " %d" : ",%d", cpu);
    if (last > cpu) {
      add(line, "-%d", last);
    }
    first = false;
    cpu = last;
  }
  if (first) {
    add(line, " -");
  }
}

/* The kernel refuses a mask that is shorter than its own. */
static void add_affinity(struct line *line, pid_t tid) {
  for (int most = 1024; most <= MOST_CPUS; most *= 2) {
    cpu_set_t *mask = CPU_ALLOC((size_t)most);
    const size_t bytes = CPU_ALLOC_SIZE((size_t)most);
    if (mask == NULL) {
      break;
    }
    CPU_ZERO_S(bytes, mask);
    const int refused = sched_getaffinity(tid, bytes, mask);
    const bool longer = refused != 0 && errno == EINVAL;
    if (refused == 0) {
      add_mask(line, mask, bytes, most);
    }
    CPU_FREE(mask);
    if (refused == 0) {
      return;
    }
    if (!longer) {
      break;
    }
  }
  add(line, " -");
}

static void add_name(struct line *line, pid_t tid) {
  char path[64];
  char name[LONGEST_NAME];
  snprintf(path, sizeof path, "/proc/self/task/%d/comm", (int)tid);
  read_start(path, name, sizeof name);
  name[strcspn(name, "\n")] = '\0';
  add(line, " %s\n", name);
}

void pin_report(const char *event, pid_t tid, int number, int wanted) {
  const char *path = getenv("STREAMGAGE_PIN_REPORT");
  if (path == NULL) {
    return;
  }
  const int before = errno;
  /* A thread that is cancelled half-way would keep the file open. */
  int cancelling = PTHREAD_CANCEL_ENABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancelling);
  const int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file >= 0) {
    struct line line = {.length = 0};
    const int cpu = tid == gettid() ? sched_getcpu() : last_cpu_of(tid);
    add(&line, "%s %d %d %d %d %d", event, (int)getpid(), (int)tid, number, wanted, cpu);
    add_affinity(&line, tid);
    add_name(&line, tid);
    /* Where it cannot be written, the program is not to suffer for it. */
    const ssize_t written = write(file, line.text, line.length);
    (void)written;
    close(file);
  }
  pthread_setcancelstate(cancelling, NULL);
  errno = before;
}
