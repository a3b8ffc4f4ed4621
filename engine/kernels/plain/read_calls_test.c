/* What the test of read_calls.cmake reads: functions whose calls are the same on every processor.
 */
#include <stddef.h>
#include <string.h>

void probe_call(char *a, const char *b, size_t n);
void probe_jump(char *a, const char *b, size_t n);
void probe_both(char *a, char *b, const char *c, size_t n);
double probe_nothing(const double *a, size_t n);
void probe_neighbour(char *a, size_t n);
__attribute__((noinline)) void other(char *a, size_t n);

void probe_call(char *a, const char *b, size_t n) {
  memcpy(a, b, n);
  a[0] = 1;
}

void probe_jump(char *a, const char *b, size_t n) { memcpy(a, b, n); }

void probe_both(char *a, char *b, const char *c, size_t n) {
  memset(a, 1, n);
  memcpy(b, c, n);
  memset(b, 2, n / 2);
}

double probe_nothing(const double *a, size_t n) {
  double sum = 0.3; /* a constant that has to be loaded */
  for (size_t i = 0; i < n; ++i) sum += a[i] * 0.7;
  return sum;
}

void other(char *a, size_t n) { memset(a, 3, n); }

void probe_neighbour(char *a, size_t n) {
  other(a, n / 2);
  a[0] = 4;
}
