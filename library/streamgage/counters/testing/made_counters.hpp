// For tests: counters of two memory domains.
#pragma once

#include <cstdint>

#include "streamgage/counters/counter.hpp"
#include "streamgage/counters/memory_domain.hpp"

namespace streamgage {

inline constexpr MemoryDomain kFirst{0, 0};
inline constexpr MemoryDomain kSecond{1, 1};
inline constexpr std::uint64_t kSecondInNanoseconds = 1'000'000'000;

inline Counter counter(Direction direction, const MemoryDomain& domain = kFirst, int bits = 64) {
  return {"imc/x/ on CPU 0", domain, direction, 64.0, bits};
}

}  // namespace streamgage
