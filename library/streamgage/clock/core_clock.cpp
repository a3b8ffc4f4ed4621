#include "streamgage/clock/core_clock.hpp"

#include <algorithm>
#include <cstdint>

#include "streamgage/clock/clock.hpp"

namespace streamgage {
namespace {

constexpr int kTrials = 40;
// Of the clock's steps: a shorter trial would be known to less than 1 %.
constexpr double kLeastSteps = 100.0;
constexpr int kRounds = 10'000;
constexpr int kAdditionsARound = 100;

#if defined(__x86_64__)
#define STREAMGAGE_ADD "add %1, %0\n\t"
#elif defined(__aarch64__)
#define STREAMGAGE_ADD "add %0, %0, %1\n\t"
#endif

#ifdef STREAMGAGE_ADD

#define STREAMGAGE_ADD_10                                                                   \
  STREAMGAGE_ADD STREAMGAGE_ADD STREAMGAGE_ADD STREAMGAGE_ADD STREAMGAGE_ADD STREAMGAGE_ADD \
      STREAMGAGE_ADD STREAMGAGE_ADD STREAMGAGE_ADD STREAMGAGE_ADD
#define STREAMGAGE_ADD_100                                                                  \
  STREAMGAGE_ADD_10 STREAMGAGE_ADD_10 STREAMGAGE_ADD_10 STREAMGAGE_ADD_10 STREAMGAGE_ADD_10 \
      STREAMGAGE_ADD_10 STREAMGAGE_ADD_10 STREAMGAGE_ADD_10 STREAMGAGE_ADD_10 STREAMGAGE_ADD_10

// Each addition needs the one before; of two registers, because some cores do away with those of a
// constant before they are executed.
std::uint64_t add(std::uint64_t sum, std::uint64_t step) {
  for (int round = 0; round < kRounds; ++round) {
    asm volatile(STREAMGAGE_ADD_100 : "+r"(sum) : "r"(step) : "cc");
  }
  return sum;
}

#endif

}  // namespace

std::optional<double> measure_core_clock() {
#ifdef STREAMGAGE_ADD
  const double step = examine_clock().granularity_seconds;
  double highest = 0.0;
  std::uint64_t sum = 1;
  for (int trial = 0; trial < kTrials; ++trial) {
    const Instant start = now();
    sum = add(sum, 3);
    const double seconds = seconds_between(start, now());
    if (seconds >= kLeastSteps * step) {
      highest = std::max(highest, kRounds * kAdditionsARound / seconds);
    }
  }
  return highest > 0.0 ? std::optional(highest) : std::nullopt;
#else
  return std::nullopt;
#endif
}

}  // namespace streamgage
