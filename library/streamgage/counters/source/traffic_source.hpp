// Something that reports what crosses the memory bus.
#pragma once

#include <memory>
#include <span>
#include <string>

#include <tl/expected.hpp>

#include "streamgage/counters/source/traffic.hpp"

namespace streamgage {

// Counters that together see all of the memory, or of some domains of it.
class TrafficSource {
 public:
  TrafficSource() = default;
  TrafficSource(const TrafficSource&) = delete;
  TrafficSource& operator=(const TrafficSource&) = delete;
  TrafficSource(TrafficSource&&) = delete;
  TrafficSource& operator=(TrafficSource&&) = delete;
  virtual ~TrafficSource() = default;

  // Returns a name such as "perf uncore_imc" or "resctrl". The name of a replayed source says so.
  [[nodiscard]] virtual const std::string& name() const = 0;

  // Returns the counters, in the order of the readings.
  [[nodiscard]] virtual std::span<const Counter> counters() const = 0;

  // Returns the counts since the source was opened, by counter.
  virtual Reading read() = 0;
};

// The reason why a source is not available.
struct Unavailable {
  bool is_absent = false;  // there is none; else there is one that cannot be used
  std::string reason;
  std::string remedy;  // what would change it; empty where nothing is known
};

// A source, or why it is not available.
using OpenedSource = tl::expected<std::unique_ptr<TrafficSource>, Unavailable>;

}  // namespace streamgage
