// Counts what the timed samples of a run move.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "measure/traffic/idle_baseline.hpp"
#include "streamgage/counters/traffic_region.hpp"

namespace streamgage::engine {

// The counts of one or several timed samples of a variant.
struct CountedSamples {
  int variant = 0;
  int block = 0;  // of the first
  int samples = 0;
  std::int64_t passes = 0;
  std::string source;
  bool is_replayed = false;
  Traffic traffic;  // the idle machine's subtracted
};

nlohmann::ordered_json to_record(const CountedSamples& counted);

class TrafficMeter {
 public:
  // Counters are read one after the other, which blurs both ends of a sample. If they take turns,
  // the kernel switches them only every 4 ms (perf_event_mux_interval_ms). So samples of a variant
  // are taken together until the counters ran for five turns.
  static constexpr double kLeastSeconds = 0.02;

  // The source must have been accepted, with that baseline.
  TrafficMeter(std::unique_ptr<TrafficSource> source, bool is_replayed, IdleBaseline baseline);

  // Just before and just after a sample, outside of what is timed.
  void start() { region_.start(); }
  void stop() { region_.stop(); }

  // Notes that a timed sample ran between start() and stop(). Returns the traffic of the samples
  // since the last value that was returned, if they are enough for one, or if a counter has died:
  // then nothing more is counted.
  std::optional<CountedSamples> take(int variant, int block, std::int64_t passes);

  // False after a counter has died.
  [[nodiscard]] bool is_counting() const { return is_counting_; }

 private:
  struct Group {
    int block = 0;
    int samples = 0;
    std::int64_t passes = 0;
    Reading spent;
  };

  TrafficRegion region_;
  bool is_replayed_;
  IdleBaseline baseline_;
  bool is_counting_ = true;
  std::map<int, Group> groups_;  // by variant
};

}  // namespace streamgage::engine
