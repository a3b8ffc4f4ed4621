#include "measure/load/loaded_walk.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "latency/chase.hpp"
#include "latency/latency.hpp"
#include "measure/load/load_size.hpp"
#include "measure/stop_signal.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/memory/memory_budget.hpp"
#include "streamgage/memory/memory_nodes.hpp"
#include "streamgage/statistics/summary.hpp"
#include "streamgage/team/thread_walk.hpp"

namespace streamgage::engine {
namespace {

// Between two looks at the clock: some 0.2 ms.
constexpr std::int64_t kLoadsOfABatch = 1 << 11;
// The load runs so long before it counts.
constexpr double kSettleSeconds = 0.01;
// A change of the effort is left alone so long, and then looked at for so long, so many times at
// most.
constexpr double kChangeSeconds = 0.0005;
constexpr double kProbeSeconds = 0.004;
constexpr int kMostProbes = 12;
constexpr int kWindows = 5;
// A load that misses its target by more than this part of it is tried again: something disturbed
// it.
constexpr double kMissed = 0.03;
constexpr int kTriesOfALoad = 3;
// Tries of the highest rate; the best counts.
constexpr int kTries = 3;
constexpr double kMostSecondsOfATry = 0.1;
// Efforts that may give more than all threads do, where there are several.
constexpr std::array<double, 2> kFewer = {0.75, 0.5};
constexpr std::size_t kSeveral = 4;
// All arrays of the load together may take this part of the free memory.
constexpr std::uint64_t kPartOfLoad = 2;

double rate_of(const LoadWindow& window) {
  return window.seconds > 0.0 ? static_cast<double>(window.bytes) / window.seconds : 0.0;
}

double usual_rate(const std::vector<LoadWindow>& windows) {
  std::vector<double> rates;
  rates.reserve(windows.size());
  for (const LoadWindow& window : windows) {
    rates.push_back(rate_of(window));
  }
  std::sort(rates.begin(), rates.end());
  return rates.empty() ? 0.0 : median_of_sorted(rates);
}

// The part of the target by which the usual rate misses it.
double miss_of(const LoadedPoint& point) {
  const double target = point.target.value_or(0.0);
  return target > 0.0 ? std::abs(usual_rate(point.windows) / target - 1.0) : 0.0;
}

std::vector<int> nodes_of_generators(const Machine& machine, const Team& team) {
  std::vector<int> nodes;
  for (std::size_t thread = 1; thread < static_cast<std::size_t>(team.size()); ++thread) {
    int node = 0;
    for (const HardwareThread& each : machine.threads) {
      if (thread < team.cpus().size() && each.cpu == team.cpus()[thread]) {
        node = each.node.value_or(0);
      }
    }
    nodes.push_back(node);
  }
  return nodes;
}

}  // namespace

LoadedWalk::LoadedWalk(const LoadRequest& request, const Team& team, PointerChain chain)
    : request_(&request), team_(&team), chain_(std::move(chain)), at_(chain_.first()) {}

Result<LoadedWalk> LoadedWalk::prepare(const Machine& machine, const LatencyPlan& plan,
                                       const Team& team, std::uint64_t seed) {
  STREAMGAGE_TRY(const auto request, latency_request(machine, team.cpus().front(), {}));
  STREAMGAGE_TRY(auto memory, Array::reserve(request.bytes, plan.pages));
  ChainOrder order;
  order.line_bytes = request.line_bytes;
  order.seed = seed;
  LoadedWalk walk(*plan.load, team, PointerChain(std::move(memory), order));
  STREAMGAGE_TRY(walk.reserve_generators(machine, plan.pages));
  for (const Mix mix : plan.load->mixes) {
    auto variant = variant_of(mix);
    if (variant) {
      walk.loadings_.push_back({mix, std::move(*variant)});
    } else if (mix != Mix::kStreaming) {
      return tl::unexpected(variant.error());
    }
  }
  if (walk.loadings_.empty()) {
    return usage_error("this processor has no streaming stores; name another mix");
  }
  return walk;
}

Result<void> LoadedWalk::reserve_generators(const Machine& machine, PageSize pages) {
  const auto count = static_cast<std::uint64_t>(team_->size() - 1);
  const CpuList& walker_and_others = team_->cpus();
  const std::uint64_t bytes =
      bytes_of_each_load(machine, CpuList(walker_and_others.begin() + 1, walker_and_others.end()));
  const FreeMemory free = free_memory(memory_budget(machine, {}));
  if (2 * bytes * count > free.bytes / kPartOfLoad) {
    return failure(
        fmt::format("each load thread needs {}, but the {} of free memory have room for only {} of "
                    "{} threads; ask for fewer threads, or only for the idle latency",
                    format_bytes(2 * bytes), format_bytes(free.bytes),
                    free.bytes / kPartOfLoad / (2 * bytes), count));
  }
  places_ = places_over_nodes(nodes_of_generators(machine, *team_));
  for (std::uint64_t number = 0; number < count; ++number) {
    STREAMGAGE_TRY(auto generator, Generator::reserve(bytes, pages));
    generators_.push_back(std::move(generator));
  }
  beats_.resize(generators_.size());
  team_->each([this](int thread) {
    if (thread > 0) {
      generators_[static_cast<std::size_t>(thread - 1)].touch();
    }
  });
  return {};
}

Step LoadedWalk::find_highest_rates() {
  for (Loading& loading : loadings_) {
    STREAMGAGE_TRY(find_highest_rate(loading));
  }
  return {};
}

Step LoadedWalk::find_highest_rate(Loading& loading) {
  const double seconds = std::min(request_->seconds, kMostSecondsOfATry);
  std::vector<double> efforts(kTries, most_effort());
  if (generators_.size() >= kSeveral) {
    for (const double part : kFewer) {
      efforts.push_back(part * most_effort());
    }
  }
  for (const double effort : efforts) {
    const LoadedPoint point = hold(loading.variant, effort, nullptr, seconds);
    loading.most_bytes_a_second = std::max(loading.most_bytes_a_second, usual_rate(point.windows));
    STREAMGAGE_TRY(check_signals());
  }
  return {};
}

LoadedPoint LoadedWalk::measure(std::size_t mix, double share) {
  Loading& loading = loadings_[mix];
  if (share <= 0.0 || share >= 1.0) {
    const double effort = share <= 0.0 ? 0.0 : most_effort();
    return hold(loading.variant, effort, nullptr, request_->seconds);
  }
  const double target = share * loading.most_bytes_a_second;
  double& effort = loading.efforts.try_emplace(share, share * most_effort()).first->second;
  std::optional<LoadedPoint> best;
  for (int attempt = 0; attempt < kTriesOfALoad && stop_signal() == 0; ++attempt) {
    Steering steering(target, most_effort(), loading.most_bytes_a_second, effort);
    LoadedPoint point = hold(loading.variant, effort, &steering, request_->seconds);
    point.target = target;
    if (!best || miss_of(point) < miss_of(*best)) {
      best = std::move(point);
      effort = best->effort;
    }
    if (miss_of(*best) <= kMissed) {
      break;
    }
  }
  return best.value_or(LoadedPoint{});
}

LoadedPoint LoadedWalk::hold(const Variant& variant, double effort, Steering* steering,
                             double seconds) {
  LoadedPoint point;
  point.generators = effort > 0.0 ? static_cast<int>(generators_.size()) : 0;
  LoadSignals signals;
  signals.effort = effort;
  std::atomic<int> moved = 0;
  team_->each([&](int thread) {
    const int cpu = sched_getcpu();
    if (thread > 0 && point.generators > 0) {
      const auto number = static_cast<std::size_t>(thread - 1);
      generators_[number].run(variant, places_[number], signals);
    } else if (thread == 0) {
      while (signals.running.load() < point.generators) {
        std::this_thread::yield();
      }
      settle(kSettleSeconds);
      if (steering != nullptr) {
        steer(*steering, signals);
      }
      const bool must_move = point.generators > 0 && steering == nullptr;
      while (point.windows.size() < kWindows && stop_signal() == 0) {
        point.windows.push_back(walk_window(seconds / kWindows, signals, must_move));
      }
      signals.stop = true;
    }
    moved.fetch_add(sched_getcpu() == cpu ? 0 : 1);
  });
  point.moved = moved;
  point.effort = signals.effort;
  for (const LoadWindow& window : point.windows) {
    seconds_ += window.seconds;
  }
  return point;
}

void LoadedWalk::settle(double seconds) {
  const Instant begin = now();
  while (seconds_between(begin, now()) < seconds && stop_signal() == 0) {
    at_ = walk_from(at_, kLoadsOfABatch).end;
  }
}

// The walk goes on meanwhile: it is a part of the load.
void LoadedWalk::steer(Steering& steering, LoadSignals& signals) {
  for (int probe = 0; probe < kMostProbes && stop_signal() == 0; ++probe) {
    steering.saw(rate_of(walk_window(kProbeSeconds, signals, false)));
    if (steering.settled()) {
      return;
    }
    signals.effort = steering.effort();
    settle(kChangeSeconds);
  }
}

LoadWindow LoadedWalk::walk_window(double seconds, const LoadSignals& signals, bool must_move) {
  QuietWindow window(seconds);
  generators_went_on(signals);
  WalkMark start = mark_now(0);
  std::uint64_t bytes = bytes_so_far();
  do {
    at_ = walk_from(at_, kLoadsOfABatch).end;
    // Both times just before the bytes are summed up.
    const WalkMark end = mark_now(kLoadsOfABatch);
    const std::uint64_t moved = bytes_so_far();
    const bool went_on = generators_went_on(signals);
    window.add({seconds_between(start.at, end.at), moved - bytes, kLoadsOfABatch},
               went_on && kept_its_cpu(start, end));
    start = end;
    bytes = moved;
  } while ((!window.is_full() || (must_move && !window.has_moved())) && stop_signal() == 0);
  return window.window();
}

bool LoadedWalk::generators_went_on(const LoadSignals& signals) {
  const double effort = signals.effort.load(std::memory_order_relaxed);
  bool all = true;
  for (std::size_t number = 0; number < generators_.size(); ++number) {
    const std::uint64_t beats = generators_[number].beats();
    const bool went_on = std::exchange(beats_[number], beats) != beats;
    all = all && (went_on || duty_of(effort, places_[number]) <= 0.0);
  }
  return all;
}

std::uint64_t LoadedWalk::bytes_so_far() const {
  std::uint64_t bytes = 0;
  for (const Generator& generator : generators_) {
    bytes += generator.bytes();
  }
  return bytes;
}

std::int64_t LoadedWalk::check() {
  std::atomic<std::int64_t> wrong = 0;
  team_->each([&](int thread) {
    if (thread > 0) {
      wrong.fetch_add(generators_[static_cast<std::size_t>(thread - 1)].check());
    }
  });
  return wrong;
}

}  // namespace streamgage::engine
