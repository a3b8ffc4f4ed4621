#include "latency/latency.hpp"

#include <sched.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/json_lines.hpp"
#include "latency/chain_size.hpp"
#include "latency/chase.hpp"
#include "latency/pointer_chain.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/memory/memory_nodes.hpp"
#include "streamgage/memory/pages.hpp"
#include "streamgage/statistics/summary.hpp"

namespace streamgage::engine {
namespace {

std::optional<CpuList> nodes_of(const Array& array) {
  constexpr int kPages = 256;
  const Range bytes{0, static_cast<std::int64_t>(array.bytes())};
  const PageNodes pages = nodes_of_pages(array, bytes, 1, kPages);
  if (pages.reason) {
    return std::nullopt;
  }
  const std::set<int> nodes(pages.nodes.begin(), pages.nodes.end());
  return CpuList(nodes.begin(), nodes.end());
}

}  // namespace

std::size_t longest_line(const Machine& machine) {
  int bytes = 64;
  for (const Cache& cache : machine.caches) {
    bytes = std::max(bytes, cache.line_bytes);
  }
  return static_cast<std::size_t>(bytes);
}

Result<LatencyRequest> latency_request(const Machine& machine, int cpu, const CpuList& nodes) {
  STREAMGAGE_TRY(const auto bytes, choose_chain_bytes(last_level_cache_bytes(machine, {cpu}, nodes),
                                                      memory_budget(machine, nodes)));
  LatencyRequest request;
  request.bytes = bytes;
  request.line_bytes = longest_line(machine);
  request.nodes = nodes;
  return request;
}

Result<Latency> measure_latency(const LatencyRequest& request) {
  const Instant start = now();
  STREAMGAGE_TRY(auto array, Array::reserve(request.bytes, request.pages, request.nodes));
  ChainOrder order;
  order.line_bytes = request.line_bytes;
  order.seed = request.seed;
  const PointerChain chain(std::move(array), order);

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
  if (!request.nodes.empty()) {
    latency.nodes = nodes_of(chain.array());
  }
  return latency;
}

nlohmann::ordered_json to_record(const Latency& latency) {
  return {{"record", "latency"},         {"seconds", latency.seconds},
          {"minimum", latency.minimum},  {"maximum", latency.maximum},
          {"repeats", latency.repeats},  {"bytes", latency.bytes},
          {"loads", latency.loads},      {"huge_share", or_null(latency.huge_share)},
          {"cpu", or_null(latency.cpu)}, {"nodes", or_null(latency.nodes)}};
}

}  // namespace streamgage::engine
