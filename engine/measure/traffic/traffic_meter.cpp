#include "measure/traffic/traffic_meter.hpp"

#include <algorithm>
#include <utility>

#include "base/json_lines.hpp"
#include "records/domain_record.hpp"

namespace streamgage::engine {
namespace {

bool has_died(const Reading& spent) {
  return std::any_of(spent.begin(), spent.end(),
                     [](const Result<Tally>& tally) { return !tally.has_value(); });
}

}  // namespace

nlohmann::ordered_json to_record(const CountedSamples& counted) {
  return to_json(record::Traffic{.variant = counted.variant,
                                 .block = counted.block,
                                 .samples = counted.samples,
                                 .passes = counted.passes,
                                 .seconds = counted.traffic.seconds,
                                 .source = counted.source,
                                 .replayed = counted.is_replayed,
                                 .domains = domain_records(counted.traffic.domains),
                                 .running_share = counted.traffic.running_share});
}

TrafficMeter::TrafficMeter(std::unique_ptr<TrafficSource> source, bool is_replayed,
                           IdleBaseline baseline)
    : region_(std::move(source)), is_replayed_(is_replayed), baseline_(std::move(baseline)) {}

std::optional<CountedSamples> TrafficMeter::take(int variant, int block, std::int64_t passes) {
  const Reading spent = region_.spent();
  Group& group = groups_.try_emplace(variant, Group{block, 0, 0, {}}).first->second;
  group.spent = group.samples == 0 ? spent : together(group.spent, spent);
  ++group.samples;
  group.passes += passes;
  is_counting_ = !has_died(spent);
  Traffic traffic = traffic_of(region_.counters(), group.spent);
  if (is_counting_ && traffic.seconds < kLeastSeconds) {
    return std::nullopt;
  }
  CountedSamples counted{variant,      group.block, group.samples, group.passes, region_.source(),
                         is_replayed_, {}};
  counted.traffic = baseline_.subtracted_from(std::move(traffic));
  groups_.erase(variant);
  return counted;
}

}  // namespace streamgage::engine
