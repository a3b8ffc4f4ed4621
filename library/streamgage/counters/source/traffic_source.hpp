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

  // "perf uncore_imc", "resctrl"; one whose numbers are played back says so.
  [[nodiscard]] virtual const std::string& name() const = 0;

  // What is counted, in the order of the readings.
  [[nodiscard]] virtual std::span<const Counter> counters() const = 0;

  // The counts since it was opened, by counter.
  virtual Reading read() = 0;
};

// Why a source is not available.
struct Unavailable {
  bool is_absent = false;  // there is none; else there is one that cannot be used
  std::string reason;
  std::string remedy;  // what would change it; empty where nothing is known
};

// A source, or why it is not available.
using OpenedSource = tl::expected<std::unique_ptr<TrafficSource>, Unavailable>;

}  // namespace streamgage
