/* The square of a vector's norm, in C++: a kernel that writes nothing and returns its sum.
 *
 * Bytes an iteration: 8 of a are read, and nothing is written: 8, which is what is shown and what
 * crosses. It has eight partial sums, since a single one in order would be limited by the latency
 * of additions and not by memory.
 */
#include <streamgage/kernel.h>
#include <array>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace {

constexpr int kPartialSums = 8;

double value_of(int64_t i) { return static_cast<double>(i % 16 - 8) / 8; }

double square(double x) { return x * x; }

double norm(const streamgage_call *call) {
  const auto *a = static_cast<const double *>(call->arrays[0]);
  std::array<double, kPartialSums> sums{};
  int64_t i = call->begin;
  for (; i + kPartialSums <= call->end; i += kPartialSums)
    for (int k = 0; k < kPartialSums; ++k) sums[k] += square(a[i + k]);
  for (; i < call->end; ++i) sums[0] += square(a[i]);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

void fill(const streamgage_call *call) {
  auto *a = static_cast<double *>(call->arrays[0]);
  for (int64_t i = call->begin; i < call->end; ++i) a[i] = value_of(i);
}

/* A wrong sum is that of all iterations. Squares are multiples of 1/64: no sum is rounded. */
int64_t check(const streamgage_call *call, char *why, size_t size) {
  double of_sixteen = 0;
  for (int64_t i = 0; i < 16; ++i) of_sixteen += square(value_of(i));
  double expected = of_sixteen * static_cast<double>(call->iterations / 16);
  for (int64_t i = call->iterations / 16 * 16; i < call->iterations; ++i)
    expected += square(value_of(i));
  if (call->value == expected) return 0;
  std::snprintf(why, size, "The sum is %g, not %g.", call->value, expected);
  return call->end - call->begin;
}

const streamgage_array arrays[] = {
    {.name = "a", .type = "double", .access = STREAMGAGE_READ},
};

}  // namespace

STREAMGAGE_KERNEL(.name = "norm", .formula = "s += a*a", .arrays = arrays, .array_count = 1,
                  .flops = 2, .run = norm, .fill = fill, .check = check)
