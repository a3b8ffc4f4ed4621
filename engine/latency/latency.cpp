#include "latency/latency.hpp"

#include <sched.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/json_lines.hpp"
#include "clock/clock.hpp"
#include "latency/chain_size.hpp"
#include "latency/chase.hpp"
#include "latency/pointer_chain.hpp"
#include "memory/pages.hpp"

namespace streamgage {
namespace {

// The longest line of a cache is what a load brings.
std::size_t longest_line(const Machine& machine) {
  int bytes = 64;
  for (const Cache& cache : machine.caches) {
    bytes = std::max(bytes, cache.line_bytes);
  }
  return static_cast<std::size_t>(bytes);
}

double median_of_sorted(const std::vector<double>& values) {
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

Result<LatencyRequest> latency_request(const Machine& machine, int cpu) {
  const auto bytes =
      choose_chain_bytes(last_level_cache_bytes(machine, {cpu}),
                         {machine.memory_available_bytes, machine.memory_limit_free_bytes});
  if (!bytes) {
    return tl::unexpected<Error>(bytes.error());
  }
  LatencyRequest request;
  request.bytes = *bytes;
  request.line_bytes = longest_line(machine);
  return request;
}

Result<Latency> measure_latency(const LatencyRequest& request) {
  const Instant start = now();
  auto array = Array::reserve(request.bytes, true);
  if (!array) {
    return tl::unexpected<Error>(array.error());
  }
  ChainOrder order;
  order.line_bytes = request.line_bytes;
  order.seed = request.seed;
  const PointerChain chain(std::move(*array), order);

  // Each walk goes on where the last one ended: a line comes again only after all others have. The
  // first is not counted, it wakes the core up.
  Walk walk = walk_from(chain.first(), request.loads);
  std::vector<double> seconds;
  do {
    walk = walk_from(walk.end, request.loads);
    seconds.push_back(walk.seconds / static_cast<double>(request.loads));
  } while (static_cast<int>(seconds.size()) < LatencyRequest::kLeastRepeats ||
           (static_cast<int>(seconds.size()) < request.repeats &&
            seconds_between(start, now()) + walk.seconds < request.budget_seconds));

  std::sort(seconds.begin(), seconds.end());
  Latency latency;
  latency.cpu = sched_getcpu();
  latency.seconds = median_of_sorted(seconds);
  latency.minimum = seconds.front();
  latency.maximum = seconds.back();
  latency.repeats = static_cast<int>(seconds.size());
  latency.bytes = chain.lines() * request.line_bytes;
  latency.loads = request.loads;
  latency.huge_share = huge_page_share(chain.array());
  return latency;
}

nlohmann::ordered_json to_record(const Latency& latency) {
  return {{"record", "latency"},        {"seconds", latency.seconds},
          {"minimum", latency.minimum}, {"maximum", latency.maximum},
          {"repeats", latency.repeats}, {"bytes", latency.bytes},
          {"loads", latency.loads},     {"huge_share", or_null(latency.huge_share)},
          {"cpu", latency.cpu}};
}

}  // namespace streamgage
