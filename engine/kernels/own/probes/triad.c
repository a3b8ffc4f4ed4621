#define _DEFAULT_SOURCE /* usleep */
/* A user's kernel for tests: right, or with one defect. Those whose names begin with LATE
 * show in arrays larger than those of the check alone. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "streamgage/kernel.h"

enum { SMALL = 5000 }; /* more iterations than the check does */

#if defined(THREADS)
struct part {
  double *a;
  const double *b, *c;
  double scalar;
  int64_t begin, end;
};

static void *run_part(void *argument) {
  const struct part *part = argument;
  for (int64_t i = part->begin; i < part->end; ++i) {
    part->a[i] = part->b[i] + part->scalar * part->c[i];
  }
  return NULL;
}
#endif

#if defined(RANDOM)
static void fill(const streamgage_call *call) {
  for (int64_t i = call->begin; i < call->end; ++i) {
    ((double *)call->arrays[1])[i] = rand();
  }
}
#endif

static double run(const streamgage_call *call) {
  double *a = call->arrays[0];
  const double *b = call->arrays[1];
  const double *c = call->arrays[2];
  int64_t begin = call->begin;
  int64_t end = call->end;
#if defined(BEFORE)
  begin -= begin == 0;
  for (int64_t i = begin; i < end; ++i) a[i] = i < 0 ? 1.0 : b[i] + call->scalar * c[i];
  return 0.0;
#elif defined(BEHIND)
  if (end == call->iterations) a[end] = 1.0;
#elif defined(LATE_BEHIND)
  if (end == call->iterations && end > SMALL) a[end] = 1.0;
#elif defined(RANGE)
  end += end < call->iterations && end > begin;
#elif defined(THIRD)
  c = call->arrays[3];
#elif defined(ENDLESS) || defined(LATE_ENDLESS)
  volatile int64_t forever = 1;
#if defined(LATE_ENDLESS)
  forever = call->iterations > SMALL;
#endif
  while (forever != 0) {
  }
#elif defined(CRASH) || defined(LATE_CRASH)
  int *volatile nowhere = (int *)(uintptr_t)0x7ffffffff000;
#if defined(LATE_CRASH)
  if (call->iterations > SMALL)
#endif
    *nowhere = 1;
#elif defined(ABORT)
  abort();
#elif defined(EXIT)
  exit(0);
#elif defined(WRITES_READ)
  if (end > begin) ((double *)call->arrays[2])[begin] = 1.0;
#elif defined(NEVER_READS)
  c = b;
#elif defined(NEVER_WRITES)
  return b[begin < end ? begin : 0] + c[0];
#elif defined(DIVISION)
  for (int64_t i = begin; i < end; ++i) a[i] = b[i] + call->scalar * c[i] + (double)begin;
  return 0.0;
#elif defined(THREADS)
  struct part part = {a, b, c, call->scalar, begin, end};
  pthread_t thread;
  pthread_create(&thread, NULL, &run_part, &part);
  pthread_join(thread, NULL);
  return 0.0;
#elif defined(SLOW)
  usleep(200000);
#elif defined(PRINTS)
  printf("now");
  fflush(stdout);
#elif defined(READS_WRITTEN)
  for (int64_t i = begin; i < end; ++i) a[i] += b[i] + call->scalar * c[i];
  return 0.0;
#elif defined(WRONG)
  for (int64_t i = begin; i < end; ++i) a[i] = b[i] - call->scalar * c[i];
  return 0.0;
#endif
  for (int64_t i = begin; i < end; ++i) a[i] = b[i] + call->scalar * c[i];
  return 0.0;
}

static int64_t check(const streamgage_call *call, char *why, size_t size) {
  const double *a = call->arrays[0];
  const double *b = call->arrays[1];
  const double *c = call->arrays[2];
  int64_t wrong = 0;
  for (int64_t i = call->begin; i < call->end; ++i) {
    wrong += fabs(a[i] - (b[i] + call->scalar * c[i])) > 1e-12;
  }
  if (wrong != 0) snprintf(why, size, "a is not b + s*c.");
  return wrong;
}

static const streamgage_array arrays[] = {
    {.name = "a", .type = "double", .access = STREAMGAGE_WRITE},
    {.name = "b", .type = "double", .access = STREAMGAGE_READ},
    {.name = "c", .type = "double", .access = STREAMGAGE_READ},
};

#if defined(RANDOM)
STREAMGAGE_KERNEL(.name = "own-triad", .formula = "a = b + s*c", .arrays = arrays, .array_count = 3,
                  .flops = 2, .run = run, .fill = fill, .check = check)
#elif !defined(UNDECLARED)
STREAMGAGE_KERNEL(.name = "own-triad", .formula = "a = b + s*c", .arrays = arrays, .array_count = 3,
                  .flops = 2, .run = run, .check = check)
#else
int streamgage_no_kernel(void) {
  return (int)(sizeof arrays + (size_t)(run != NULL) + (size_t)(check != NULL));
}
#endif
