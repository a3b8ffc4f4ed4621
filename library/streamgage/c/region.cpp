#include <limits>
#include <memory>

#include <fmt/format.h>

#include "streamgage/c/guard.hpp"
#include "streamgage/c/handles.hpp"

using streamgage::Result;

namespace {

streamgage_traffic as_traffic(const streamgage::Volume& volume, double seconds,
                              const streamgage::MemoryDomain& domain) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return {seconds,      volume.read.value_or(kNone), volume.written.value_or(kNone),
          volume.total, domain.package.value_or(-1), domain.node.value_or(-1)};
}

}  // namespace

streamgage_region* streamgage_region_open(streamgage_error* error) {
  return streamgage::guarded<streamgage_region*>(
      error, nullptr, []() -> Result<streamgage_region*> {
        return new streamgage_region(streamgage::TrafficRegion::open());
      });
}

streamgage_region* streamgage_region_open_replay(const char* root, const char* recording,
                                                 streamgage_error* error) {
  return streamgage::guarded<streamgage_region*>(
      error, nullptr, [&]() -> Result<streamgage_region*> {
        STREAMGAGE_TRY(streamgage::require(root, recording));
        return streamgage::TrafficRegion::replay(root, recording)
            .map([](streamgage::TrafficRegion region) {
              return new streamgage_region(std::move(region));
            });
      });
}

void streamgage_region_free(streamgage_region* region) { delete region; }

const char* streamgage_region_source(const streamgage_region* region) {
  return region == nullptr || region->source.empty() ? nullptr : region->source.c_str();
}

const char* streamgage_region_reason(const streamgage_region* region) {
  return region == nullptr ? "" : region->reason.c_str();
}

const char* streamgage_region_remedy(const streamgage_region* region) {
  return region == nullptr ? "" : region->remedy.c_str();
}

void streamgage_region_start(streamgage_region* region) {
  (void)streamgage::guarded_status(nullptr, [&]() -> Result<void> {
    STREAMGAGE_TRY(streamgage::require(region));
    region->region.start();
    return {};
  });
}

void streamgage_region_stop(streamgage_region* region) {
  (void)streamgage::guarded_status(nullptr, [&]() -> Result<void> {
    STREAMGAGE_TRY(streamgage::require(region));
    region->region.stop();
    return {};
  });
}

streamgage_status streamgage_region_traffic(const streamgage_region* region,
                                            streamgage_traffic* traffic, streamgage_error* error) {
  return streamgage::guarded_status(error, [&]() -> Result<void> {
    STREAMGAGE_TRY(streamgage::require(region, traffic));
    const double seconds = region->region.traffic().seconds;
    return region->region.volume().map(
        [&](const streamgage::Volume& volume) { *traffic = as_traffic(volume, seconds, {}); });
  });
}

size_t streamgage_region_domains(const streamgage_region* region) {
  return streamgage::guarded<size_t>(nullptr, 0, [&]() -> Result<size_t> {
    STREAMGAGE_TRY(streamgage::require(region));
    return region->region.traffic().domains.size();
  });
}

streamgage_status streamgage_region_domain_traffic(const streamgage_region* region, size_t domain,
                                                   streamgage_traffic* traffic,
                                                   streamgage_error* error) {
  return streamgage::guarded_status(error, [&]() -> Result<void> {
    STREAMGAGE_TRY(streamgage::require(region, traffic));
    const streamgage::Traffic counted = region->region.traffic();
    if (domain >= counted.domains.size()) {
      return streamgage::usage_error(fmt::format("there is no memory domain {}: {} were counted",
                                                 domain, counted.domains.size()));
    }
    const streamgage::DomainTraffic& of = counted.domains[domain];
    return of.volume.map([&](const streamgage::Volume& volume) {
      *traffic = as_traffic(volume, counted.seconds, of.domain);
    });
  });
}
