/* A gather: elements of b in random order.
 *
 * Bytes an iteration:
 *      4   the index
 *      8   of b, of which a whole line of 64 bytes is fetched: 8 if the other seven elements of it
 *          are used while it is in a cache, and up to 64 if each line is fetched for each element
 *      8   of a, written; its lines are read first with ordinary stores: 8 more
 *     20   in all, which is what is shown: the least that is possible
 *
 * With indices over all of b, and b larger than the caches, a line is gone before its next element
 * is wanted: where caches hold the share h of b, 64 * (1 - h) bytes of b cross the bus. With
 * h = 1/4 (b is four times the last-level cache) that is 48 + 4 + 16 = 68 bytes, 3.4 times what is
 * shown. And then latency, not bandwidth, may be the limit. With -DSPAN=4096 the indices stay
 * within the 4096 elements around, a first-level cache holds them, and what is shown is what
 * crosses, a's lines apart.
 */
#include <stdio.h>
#include <streamgage/kernel.h>

/* Elements of b among which an index is drawn; 0: all. */
#ifndef SPAN
#define SPAN 0
#endif

enum { A, B, INDEX };

static uint64_t mix(uint64_t x) { /* splitmix64, by Vigna */
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static int32_t index_of(int64_t i, int64_t iterations) {
  const int64_t all = iterations < INT32_MAX ? iterations : INT32_MAX;
  const int64_t span = SPAN > 0 && SPAN < all ? SPAN : all;
  int64_t first = SPAN > 0 ? i - span / 2 : 0;
  if (first > all - span) first = all - span;
  if (first < 0) first = 0;
  return (int32_t)(first + (int64_t)(mix((uint64_t)i) % (uint64_t)span));
}

static double value_of_b(int64_t i) { return (double)(i % 31 - 15) / 8; }

static double gather(const streamgage_call *call) {
  double *a = call->arrays[A];
  const double *b = call->arrays[B];
  const int32_t *index = call->arrays[INDEX];
  for (int64_t i = call->begin; i < call->end; ++i) a[i] = b[index[i]];
  return 0.0;
}

static void fill(const streamgage_call *call) {
  for (int64_t i = call->begin; i < call->end; ++i) {
    ((double *)call->arrays[A])[i] = -100;
    ((double *)call->arrays[B])[i] = value_of_b(i);
    ((int32_t *)call->arrays[INDEX])[i] = index_of(i, call->iterations);
  }
}

static int64_t check(const streamgage_call *call, char *why, size_t size) {
  const double *a = call->arrays[A];
  int64_t wrong = 0;
  for (int64_t i = call->begin; i < call->end; ++i) {
    const double expected = value_of_b(index_of(i, call->iterations));
    if (a[i] == expected) continue;
    if (wrong++ == 0) snprintf(why, size, "a[%lld] is %g, not %g.", (long long)i, a[i], expected);
  }
  return wrong;
}

static const streamgage_array arrays[] = {
    {.name = "a", .type = "double", .access = STREAMGAGE_WRITE},
    {.name = "b", .type = "double", .access = STREAMGAGE_READ},
    {.name = "index", .type = "int32", .access = STREAMGAGE_READ},
};

STREAMGAGE_KERNEL(.name = "gather", .formula = "a = b[index]", .arrays = arrays, .array_count = 3,
                  .run = gather, .fill = fill, .check = check)
