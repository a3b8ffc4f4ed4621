// The traffic of the machine without this program's kernels; it is subtracted from every count.
#pragma once

#include <map>

#include "streamgage/counters/calibration.hpp"
#include "streamgage/counters/source/traffic.hpp"

namespace streamgage::engine {

class IdleBaseline {
 public:
  IdleBaseline() = default;

  // Takes the counts while nothing ran; requires every domain.
  explicit IdleBaseline(const Traffic& idle);

  // Returns the traffic by domain without the traffic of the idle machine in that time; lost
  // domains stay lost. The rest may be slightly below 0.
  [[nodiscard]] Traffic subtracted_from(Traffic traffic) const;

 private:
  std::map<MemoryDomain, IdleTraffic> domains_;
};

}  // namespace streamgage::engine
