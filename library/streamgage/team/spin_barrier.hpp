// A barrier that threads leave together, within a fraction of a microsecond: they spin. A thread
// that has waited long gives up its turn, so that more threads than CPUs still get on.
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace streamgage {

class SpinBarrier {
 public:
  explicit SpinBarrier(int parties) : parties_(parties) {}

  void wait() {
    const std::uint32_t round = round_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == parties_) {
      arrived_.store(0, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      return;
    }
    for (int spins = 0; round_.load(std::memory_order_acquire) == round; ++spins) {
      if (spins < kSpinsBeforeYield) {
        pause();
      } else {
        sched_yield();
      }
    }
  }

 private:
  static constexpr int kSpinsBeforeYield = 20'000;

  static void pause() {
#if defined(__x86_64__)
    _mm_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  int parties_;
  alignas(128) std::atomic<int> arrived_{0};
  alignas(128) std::atomic<std::uint32_t> round_{0};
};

}  // namespace streamgage
