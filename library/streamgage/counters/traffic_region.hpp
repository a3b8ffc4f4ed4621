// What crosses the memory bus while a piece of code runs.
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
// Memory controllers count for the whole machine: what other programs move meanwhile is in it. A
// reading takes some microseconds, so that a region should last for a millisecond at least.
class TrafficRegion {
 public:
  // By the first source that this system has and lets this process read. Where there is none,
  // is_counting() is false, and why_not() and remedy() say why.
  static TrafficRegion open();

  // Plays back counters: `root` holds proc/ and sys/ of a machine, `recording` what its counters
  // showed, a line a reading (see source/replay_opener.hpp). The error names what cannot be read.
  static Result<TrafficRegion> replay(const std::string& root, const std::string& recording);

  // Counts with the source that a survey has found, if any.
  explicit TrafficRegion(Survey survey);

  // Counts with a source that is open; never null.
  explicit TrafficRegion(std::unique_ptr<TrafficSource> source) : source_(std::move(source)) {}

  // Whether there is a source.
  [[nodiscard]] bool is_counting() const { return source_ != nullptr; }

  // "perf uncore_imc", "resctrl"; one whose numbers are played back says so. Empty without a
  // source.
  [[nodiscard]] std::string source() const;

  // Every source that was looked for, in order of preference.
  [[nodiscard]] const std::vector<SourceReport>& reports() const { return reports_; }

  // By source, why nothing is counted, and what would change that; empty where it is.
  [[nodiscard]] std::string why_not() const;
  [[nodiscard]] std::string remedy() const;

  // Just before and just after the code. Without a source they do nothing.
  void start();
  void stop();

  // What the last such pair counted, by counter; empty without a source.
  [[nodiscard]] Reading spent() const;

  // The same by memory domain; without domains where there is no source.
  [[nodiscard]] Traffic traffic() const;

  // The same of all domains together: bytes read, written, and in total. An error without a source,
  // and where a counter could not be read.
  [[nodiscard]] Result<Volume> volume() const;

  // What is counted; empty without a source.
  [[nodiscard]] std::span<const Counter> counters() const;

 private:
  std::unique_ptr<TrafficSource> source_;
  std::vector<SourceReport> reports_;
  Reading before_;
  Reading after_;
};

}  // namespace streamgage
