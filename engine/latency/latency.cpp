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

// The length of a window: a scheduler takes a CPU away for milliseconds, so most are quiet.
constexpr double kWindowSeconds = 200e-6;
// If a smaller share of a walk is quiet, the whole walk counts.
constexpr double kLeastQuiet = 0.25;

// Walks along a chain. What counts is the time in which the thread had its CPU.
class Walker {
 public:
  Walker(const Link* start, std::int64_t loads) : at_(start), loads_(loads) {
    // The first walk is not counted: it wakes the core up, and says how long a load takes.
    const Walk first = walk_from(at_, loads);
    at_ = first.end;
    const double windows = std::max(first.seconds / kWindowSeconds, 1.0);
    window_ = std::max(static_cast<std::int64_t>(static_cast<double>(loads) / windows),
                       std::min(kLeastLoads, loads));
    walk_.reserve(static_cast<std::size_t>(loads / window_ + 1));
  }

  // Goes on where the last walk ended: a line comes again only after all others have.
  WalkTime walk() {
    walk_.start();
    for (std::int64_t left = loads_; left > 0; left -= window_) {
      const std::int64_t loads = std::min(left, window_);
      at_ = walk_from(at_, loads).end;
      walk_.end_window(loads);
    }
    walk_.finish();
    return time_of_walk(walk_);
  }

 private:
  static constexpr std::int64_t kLeastLoads = 1 << 11;

  const Link* at_;
  std::int64_t loads_;
  std::int64_t window_ = 0;  // loads
  ThreadWalk walk_;
};

}  // namespace

WalkTime time_of_walk(const ThreadWalk& walk) {
  WalkTime time;
  std::int64_t loads = 0;
  for (const WalkMark& mark : walk.marks) {
    loads += mark.elements;
  }
  const auto all = static_cast<double>(loads);
  time.wall_seconds = seconds_between(walk.marks.front().at, walk.marks.back().at) / all;
  const QuietTime quiet = quiet_time({walk});
  time.quiet_share = quiet.elements / all;
  time.seconds =
      time.quiet_share >= kLeastQuiet ? quiet.seconds / quiet.elements : time.wall_seconds;
  return time;
}

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

  Walker walker(chain.first(), request.loads);
  std::vector<double> seconds;
  std::vector<double> quiet_shares;
  double longest = 0.0;
  do {
    const WalkTime walk = walker.walk();
    seconds.push_back(walk.seconds);
    quiet_shares.push_back(walk.quiet_share);
    longest = std::max(longest, walk.wall_seconds * static_cast<double>(request.loads));
  } while (static_cast<int>(seconds.size()) < LatencyRequest::kLeastRepeats ||
           (static_cast<int>(seconds.size()) < request.repeats &&
            seconds_between(start, now()) + longest < request.budget_seconds));

  std::sort(seconds.begin(), seconds.end());
  Latency latency;
  latency.cpu = sched_getcpu();
  latency.seconds = median_of_sorted(seconds);
  latency.minimum = seconds.front();
  latency.maximum = seconds.back();
  latency.quiet_share = median(std::move(quiet_shares));
  latency.repeats = static_cast<int>(seconds.size());
  latency.bytes = chain.lines() * request.line_bytes;
  latency.loads = request.loads;
  latency.huge_share = huge_page_share(chain.array());
  if (!request.nodes.empty()) {
    latency.nodes = nodes_of(chain.array());
  }
  return latency;
}

record::IdleLatency record_of(const Latency& latency) {
  return {.seconds = latency.seconds,
          .minimum = latency.minimum,
          .maximum = latency.maximum,
          .repeats = latency.repeats,
          .bytes = latency.bytes,
          .loads = latency.loads,
          .huge_share = latency.huge_share,
          .cpu = latency.cpu,
          .nodes = latency.nodes,
          .quiet_share = latency.quiet_share};
}

}  // namespace streamgage::engine
