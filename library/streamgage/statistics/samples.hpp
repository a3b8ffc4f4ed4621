// The times of repeated runs, and which of them count.
#pragma once

#include <vector>

namespace streamgage {

// The times of the runs of one variant: its warm-ups, and the samples that count.
class Samples {
 public:
  // Adds the time of the next run, and returns whether it counts. Runs are warm-ups until one
  // differs from the run before it by at most 2 %. After five warm-ups, or 50 ms of them, the
  // machine is taken as it is.
  bool add(double seconds);

  // Forgets the warm-ups, for runs that are no longer comparable with them.
  void restart_warmup() { warmups_.clear(); }

  // Seconds of the warm-ups, and of the samples.
  [[nodiscard]] const std::vector<double>& warmups() const { return warmups_; }
  [[nodiscard]] const std::vector<double>& timed() const { return timed_; }

 private:
  [[nodiscard]] bool is_warm(double seconds) const;

  std::vector<double> warmups_;
  std::vector<double> timed_;
};

}  // namespace streamgage
