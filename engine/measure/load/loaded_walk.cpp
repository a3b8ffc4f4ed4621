#include "measure/load/loaded_walk.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
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

namespace streamgage::engine {
namespace {

// Between two looks at the clock: some 0.2 ms.
constexpr std::int64_t kLoadsOfABatch = 1 << 11;
// The load runs so long before it counts.
constexpr double kSettleSeconds = 0.02;
constexpr int kWindows = 5;
// Tries of the highest rate; the best counts.
constexpr int kTries = 3;
constexpr double kMostSecondsOfATry = 0.25;
// All arrays of the load together may take this part of the free memory.
constexpr std::uint64_t kPartOfLoad = 2;

}  // namespace

LoadedWalk::LoadedWalk(const LoadRequest& request, const Team& team, PointerChain chain)
    : request_(&request), team_(&team), chain_(std::move(chain)), at_(chain_.first()) {}

Result<LoadedWalk> LoadedWalk::prepare(const Machine& machine, const LatencyPlan& plan,
                                       const Team& team, std::uint64_t seed) {
  STREAMGAGE_TRY(const auto request, latency_request(machine, team.cpus().front(), {}));
  STREAMGAGE_TRY(auto memory, Array::reserve(request.bytes, plan.huge_pages));
  ChainOrder order;
  order.line_bytes = request.line_bytes;
  order.seed = seed;
  LoadedWalk walk(*plan.load, team, PointerChain(std::move(memory), order));
  STREAMGAGE_TRY(walk.reserve_generators(machine, plan.huge_pages));
  for (const Mix mix : plan.load->mixes) {
    STREAMGAGE_TRY(auto variant, variant_of(mix));
    walk.loadings_.push_back({std::move(variant), 0.0});
  }
  return walk;
}

Result<void> LoadedWalk::reserve_generators(const Machine& machine, bool huge_pages) {
  const auto count = static_cast<std::uint64_t>(team_->size() - 1);
  const CpuList& walker_and_others = team_->cpus();
  const std::uint64_t bytes =
      bytes_of_each_load(machine, CpuList(walker_and_others.begin() + 1, walker_and_others.end()));
  const FreeMemory free = free_memory(memory_budget(machine, {}));
  if (2 * bytes * count > free.bytes / kPartOfLoad) {
    return failure(
        fmt::format("each thread that loads the memory needs {}, and of the {} that are free there "
                    "is room for {} of {}; ask for fewer threads, or for the idle latency alone",
                    format_bytes(2 * bytes), format_bytes(free.bytes),
                    free.bytes / kPartOfLoad / (2 * bytes), count));
  }
  for (std::uint64_t number = 0; number < count; ++number) {
    STREAMGAGE_TRY(auto generator, Generator::reserve(bytes, huge_pages));
    generators_.push_back(std::move(generator));
  }
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
  for (int attempt = 0; attempt < kTries; ++attempt) {
    for (const LoadWindow& window : hold(loading.variant, 0.0, true, seconds).windows) {
      loading.most_bytes_a_second =
          std::max(loading.most_bytes_a_second, static_cast<double>(window.bytes) / window.seconds);
    }
    STREAMGAGE_TRY(check_signals());
  }
  if (loading.most_bytes_a_second > 0.0) {
    return {};
  }
  return failure(
      "the threads that are to load the memory moved nothing: something else has their CPUs; stop "
      "what else runs, or measure the idle latency alone");
}

double LoadedWalk::interval_of(const Loading& loading, double share) const {
  if (share <= 0.0 || share >= 1.0) {
    return 0.0;
  }
  const double pieces_a_second = loading.most_bytes_a_second /
                                 static_cast<double>(generators_.size()) /
                                 static_cast<double>(Generator::bytes_of_a_piece(loading.variant));
  return std::min(1.0 / (share * pieces_a_second), request_->seconds);
}

LoadedPoint LoadedWalk::measure(std::size_t mix, double share) {
  const Loading& loading = loadings_[mix];
  return hold(loading.variant, interval_of(loading, share), share > 0.0, request_->seconds);
}

LoadedPoint LoadedWalk::hold(const Variant& variant, double interval, bool is_loaded,
                             double seconds) {
  LoadedPoint point;
  point.interval = interval;
  point.generators = is_loaded ? static_cast<int>(generators_.size()) : 0;
  LoadSignals signals;
  std::atomic<int> moved = 0;
  team_->each([&](int thread) {
    const int cpu = sched_getcpu();
    if (thread > 0 && is_loaded) {
      generators_[static_cast<std::size_t>(thread - 1)].run(variant, interval, signals);
    } else if (thread == 0) {
      while (signals.running.load() < point.generators) {
        std::this_thread::yield();
      }
      point.windows = walk(seconds);
      signals.stop = true;
    }
    moved.fetch_add(sched_getcpu() == cpu ? 0 : 1);
  });
  point.moved = moved;
  for (const LoadWindow& window : point.windows) {
    seconds_ += window.seconds;
  }
  return point;
}

std::vector<LoadWindow> LoadedWalk::walk(double seconds) {
  const Instant begin = now();
  while (seconds_between(begin, now()) < kSettleSeconds) {
    at_ = walk_from(at_, kLoadsOfABatch).end;
  }
  std::vector<LoadWindow> windows;
  while (windows.size() < kWindows && stop_signal() == 0) {
    windows.push_back(walk_window(seconds / kWindows));
  }
  return windows;
}

LoadWindow LoadedWalk::walk_window(double seconds) {
  LoadWindow window;
  const Instant start = now();  // both times just before the bytes are summed up
  const std::uint64_t before = bytes_so_far();
  do {
    at_ = walk_from(at_, kLoadsOfABatch).end;
    window.loads += kLoadsOfABatch;
    window.seconds = seconds_between(start, now());
  } while (window.seconds < seconds && stop_signal() == 0);
  window.bytes = bytes_so_far() - before;
  return window;
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
