#include "measure/traffic/idle_baseline.hpp"

namespace streamgage::engine {

IdleBaseline::IdleBaseline(const Traffic& idle) {
  for (const DomainTraffic& domain : idle.domains) {
    domains_.emplace(domain.domain, idle_traffic(domain.volume.value(), idle.seconds));
  }
}

Traffic IdleBaseline::subtracted_from(Traffic traffic) const {
  for (DomainTraffic& domain : traffic.domains) {
    const auto idle = domains_.find(domain.domain);
    if (domain.volume && idle != domains_.end()) {
      domain.volume = without_idle(*domain.volume, traffic.seconds, idle->second);
    }
  }
  return traffic;
}

}  // namespace streamgage::engine
