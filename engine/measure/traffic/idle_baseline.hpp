// What the machine moves without this program's kernels, to be subtracted from what is counted.
#pragma once

#include <map>

#include "streamgage/counters/calibration.hpp"
#include "streamgage/counters/source/traffic.hpp"

namespace streamgage::engine {

class IdleBaseline {
 public:
  IdleBaseline() = default;

  // Takes what was counted while nothing ran; no domain may be missing.
  explicit IdleBaseline(const Traffic& idle);

  // By domain, less what the idle machine moves in that time; lost domains stay lost. What is left
  // may fall slightly below 0.
  [[nodiscard]] Traffic subtracted_from(Traffic traffic) const;

 private:
  std::map<MemoryDomain, IdleTraffic> domains_;
};

}  // namespace streamgage::engine
