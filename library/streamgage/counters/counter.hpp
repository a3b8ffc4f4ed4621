// A counter of memory traffic: what it counts, and how it is opened.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "streamgage/counters/memory_domain.hpp"

namespace streamgage {

// kBoth: reads and writes in one count, which cannot be distinguished. kLocal: the part of kBoth
// that memory next to the asking CPUs gave and took; it is not a part of a total.
enum class Direction { kRead, kWrite, kBoth, kLocal };

// perf_event_attr::config, config1, config2 and config3.
using ConfigWords = std::array<std::uint64_t, 4>;

// The meaning of a counter.
struct Counter {
  std::string name;  // "uncore_imc_0/cas_count_read/" on which CPU
  MemoryDomain domain;
  Direction direction = Direction::kBoth;
  double bytes_per_count = 0.0;
  int bits = 64;
};

// How the counter is opened.
struct CounterRequest {
  std::string pmu;
  std::string event;  // its alias, or its terms
  std::string terms;
  std::uint32_t type = 0;
  ConfigWords words{};
  int cpu = 0;
};

// A counter, and how it is opened.
struct PlannedCounter {
  Counter counter;
  CounterRequest request;
};

}  // namespace streamgage
