// Collects samples of one measurement until the stopping rule has enough of them.
#pragma once

#include <optional>
#include <vector>

#include "streamgage/clock/clock.hpp"
#include "streamgage/statistics/samples.hpp"
#include "streamgage/statistics/sampling.hpp"
#include "streamgage/statistics/stopping_rule.hpp"

namespace streamgage {

// Give it the time of each run, one after the other, until it says why to stop:
//
//     Sampler sampler;
//     while (!sampler.add(time_once())) {
//     }
//     const Summary seconds = summarize(sampler.samples());
class Sampler {
 public:
  // The budget begins here.
  explicit Sampler(Sampling sampling = {}) : sampling_(sampling) {}

  // Takes the seconds of a run: as a warm-up until runs take the same time, then as a sample.
  // Returns why that is enough, or nothing if it is not.
  std::optional<StoppedBy> add(double seconds);

  // Seconds of the warm-ups, and of the samples.
  [[nodiscard]] const std::vector<double>& warmups() const { return samples_.warmups(); }
  [[nodiscard]] const std::vector<double>& samples() const { return samples_.timed(); }

 private:
  Sampling sampling_;
  Samples samples_;
  Instant begun_ = now();
  Instant last_ = begun_;
};

}  // namespace streamgage
