// Computes the memory traffic between two readings of a source's counters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "streamgage/base/error.hpp"
#include "streamgage/counters/counter.hpp"

namespace streamgage {

// A counter's state since it was opened, in nanoseconds. A counter that takes turns with others
// runs for less time than it is enabled.
struct Tally {
  std::uint64_t count = 0;
  std::uint64_t enabled = 0;
  std::uint64_t running = 0;
};

// The state of each counter, or why it can no longer be read.
using Reading = std::vector<Result<Tally>>;

// Bytes. If reads and writes cannot be distinguished, there is only a total.
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

// Returns what each counter counted between two readings, and for how long. If a counter has fewer
// than 64 bits, a count that fell has wrapped around, once at most: 32 bits of 64-byte lines hold
// 256 GiB.
Reading spent_between(std::span<const Counter> counters, const Reading& before,
                      const Reading& after);

// Adds two readings, such as those of two intervals. Where one holds an error, so does the sum.
Reading together(const Reading& one, const Reading& other);

// Returns the traffic of each domain, with each counter scaled by the share of the time that it
// ran. A counter that did not run at all is lost, and with it its domain.
Traffic traffic_of(std::span<const Counter> counters, const Reading& spent);

// Returns the traffic between two readings.
Traffic traffic_between(std::span<const Counter> counters, const Reading& before,
                        const Reading& after);

// Returns the traffic of all domains together. It is an error if one of them is lost.
Result<Volume> whole_volume(const Traffic& traffic);

}  // namespace streamgage
