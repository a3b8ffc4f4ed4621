// What crossed the memory bus between two readings of a source's counters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "streamgage/base/error.hpp"
#include "streamgage/counters/counter.hpp"

namespace streamgage {

// A counter's state since it was opened; nanoseconds. It ran for less than the time that it was
// enabled where it took turns with others.
struct Tally {
  std::uint64_t count = 0;
  std::uint64_t enabled = 0;
  std::uint64_t running = 0;
};

// For each counter, its state, or why it can no longer be read.
using Reading = std::vector<Result<Tally>>;

// Bytes. Where reads and writes cannot be distinguished there is a total alone.
struct Volume {
  std::optional<double> read;
  std::optional<double> written;
  double total = 0.0;
  std::optional<double> local{};  // part of the total, where the source says it
};

// Traffic of the memory of one domain.
struct DomainTraffic {
  MemoryDomain domain;
  Result<Volume> volume;       // an error where one of its counters reports nothing: never a part
  double running_share = 1.0;  // the least of its counters'
};

// Traffic of all domains.
struct Traffic {
  double seconds = 0.0;  // that the counters were enabled
  std::vector<DomainTraffic> domains;
  double running_share = 1.0;
};

// For each counter, what it counted between two readings, and for how long. A count that fell has
// wrapped around where the counter has fewer than 64 bits, once at most: 32 bits of 64-byte lines
// hold 256 GiB.
Reading spent_between(std::span<const Counter> counters, const Reading& before,
                      const Reading& after);

// Both together, such as of two intervals; an error where one of them is.
Reading together(const Reading& one, const Reading& other);

// By domain, each counter scaled by the share of the time that it ran. One that did not run at all
// is lost, and its domain with it.
Traffic traffic_of(std::span<const Counter> counters, const Reading& spent);

// The traffic of what was spent between two readings.
Traffic traffic_between(std::span<const Counter> counters, const Reading& before,
                        const Reading& after);

// All domains together; an error where one of them is lost.
Result<Volume> whole_volume(const Traffic& traffic);

}  // namespace streamgage
