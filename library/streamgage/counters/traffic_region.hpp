// Counts what crosses the memory bus while a piece of code runs.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "streamgage/base/error.hpp"
#include "streamgage/counters/source/traffic.hpp"
#include "streamgage/counters/source/traffic_source.hpp"
#include "streamgage/counters/survey.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Counts between start() and stop():
//
//     TrafficRegion region = TrafficRegion::open();
//     region.start();
//     work();
//     region.stop();
//     if (const auto volume = region.volume()) {
//       use(volume->total);
//     } else {
//       report(volume.error().message);
//     }
//
// Memory controllers count for the whole machine: the counts include what other programs move
// meanwhile. A reading takes some microseconds, so a region should last at least a millisecond.
class TrafficRegion {
 public:
  // Uses the first source that this system has and lets this process read. Without one,
  // is_counting() is false, and why_not() and remedy() say why.
  static TrafficRegion open();

  // Plays back counters. `root` has proc/ and sys/ of a machine, `recording` what its counters
  // showed, one line per reading (see source/replay_opener.hpp). The error names what cannot be
  // read.
  static Result<TrafficRegion> replay(const std::string& root, const std::string& recording);

  // Counts with the source that a survey found, if any.
  explicit TrafficRegion(Survey survey);

  // Counts with an open source; never null.
  explicit TrafficRegion(std::unique_ptr<TrafficSource> source) : source_(std::move(source)) {}

  // Returns whether there is a source.
  [[nodiscard]] bool is_counting() const { return source_ != nullptr; }

  // Returns the source's name, such as "perf uncore_imc" or "resctrl"; the name of a replayed one
  // says so. Empty without a source.
  [[nodiscard]] std::string source() const;

  // Returns every source that was tried, in order of preference.
  [[nodiscard]] const std::vector<SourceReport>& reports() const { return reports_; }

  // Returns, by source, why nothing is counted and what would change that; empty while counting.
  [[nodiscard]] std::string why_not() const;
  [[nodiscard]] std::string remedy() const;

  // Call these just before and just after the code. Without a source they do nothing.
  void start();
  void stop();

  // Returns what the last such pair counted, by counter; empty without a source.
  [[nodiscard]] Reading spent() const;

  // Returns the same by memory domain; no domains without a source.
  [[nodiscard]] Traffic traffic() const;

  // Returns the same for all domains together: bytes read, written, and in total. An error without
  // a source, or if a counter could not be read.
  [[nodiscard]] Result<Volume> volume() const;

  // Returns the counters; empty without a source.
  [[nodiscard]] std::span<const Counter> counters() const;

 private:
  std::unique_ptr<TrafficSource> source_;
  std::vector<SourceReport> reports_;
  Reading before_;
  Reading after_;
};

}  // namespace streamgage
