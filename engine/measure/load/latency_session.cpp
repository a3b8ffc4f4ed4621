#include "measure/load/latency_session.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "latency/chase.hpp"
#include "latency/latency.hpp"
#include "latency/pointer_chain.hpp"
#include "measure/block_order.hpp"
#include "measure/load/generator.hpp"
#include "measure/load/load_size.hpp"
#include "measure/outside_load.hpp"
#include "measure/setup.hpp"
#include "measure/stop_signal.hpp"
#include "records/machine_record.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/memory/memory_budget.hpp"
#include "streamgage/memory/memory_nodes.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {
namespace {

// For one working set in one round, the making of its chain included.
constexpr double kSecondsOfAWorkingSet = 0.4;
constexpr std::int64_t kLoadsOfAWalk = 1 << 17;
// Between two looks at the clock while memory is loaded: some 0.2 ms.
constexpr std::int64_t kLoadsOfABatch = 1 << 11;
// The load runs so long before it counts.
constexpr double kSettleSeconds = 0.02;
// Parts of a point that count by themselves: where the hypervisor takes a CPU for some of them, the
// others stand.
constexpr int kWindows = 5;
// Tries of the quickest rate, of which the best counts.
constexpr int kTries = 3;
constexpr double kMostSecondsOfATry = 0.25;
// Of the free memory: a working set may take so much, and all arrays of the load together.
constexpr std::uint64_t kPartOfWorkingSet = 4;
constexpr std::uint64_t kPartOfLoad = 2;

// One thing to measure in each round.
struct Item {
  std::optional<std::uint64_t> chain_bytes;  // else load
  std::size_t mix = 0;
  double share = 0.0;
};

// A mix, and how quickly all generators together stream with it where nothing holds them back.
struct Loading {
  Mix mix;
  Variant variant;
  double most_bytes_a_second = 0.0;
};

// A part of the time in which one pace is held.
struct Window {
  double seconds = 0.0;
  std::uint64_t bytes = 0;
  std::int64_t loads = 0;
};

struct Held {
  std::vector<Window> windows;
  int moved = 0;  // threads that changed CPU
};

std::vector<Item> items_of(const LatencyPlan& plan) {
  std::vector<Item> items;
  for (const std::uint64_t bytes : plan.chain_bytes) {
    items.push_back({bytes, 0, 0.0});
  }
  if (plan.load) {
    for (std::size_t mix = 0; mix < plan.load->mixes.size(); ++mix) {
      for (const double share : plan.load->shares) {
        items.push_back({std::nullopt, mix, share});
      }
    }
  }
  return items;
}

class LatencySession {
 public:
  LatencySession(const Machine& machine, const LatencyPlan& plan, Placement placement, Team team,
                 std::uint64_t seed, RecordSink& sink)
      : machine_(machine),
        plan_(plan),
        placement_(std::move(placement)),
        team_(std::move(team)),
        seed_(seed),
        records_(sink) {}

  LatencyOutcome run() {
    const Instant start = now();
    const Step last = measure();
    const Ending ending = ending_of(last, wrong_ > 0);
    Spent spent;
    spent.blocks = rounds_;
    spent.kernel_seconds = loaded_seconds_;
    const auto written =
        records_.write(end_record(ending, {}, spent, seconds_between(start, now())));
    LatencyOutcome outcome{ending.exit_status, ending.message};
    if (!written && !outcome.message) {
      outcome = {static_cast<int>(written.error().status), written.error().message};
    }
    return outcome;
  }

 private:
  Step measure() {
    STREAMGAGE_TRY(records_.write_all(
        {to_record(machine_), plan_record(), placement_record(machine_, placement_, team_)}));
    if (plan_.load) {
      STREAMGAGE_TRY(prepare_load());
    }
    OutsideLoad outside(cpus_in_use(machine_, placement_), FileRoots{});
    const Step rounds = measure_rounds(outside);
    if (!is_error(rounds)) {  // one that is interrupted has its disturbance and its check, too
      STREAMGAGE_TRY(tell_disturbance(outside, rounds ? rounds_ - 1 : rounds_, 0.0));
      check_load();
    }
    return rounds;
  }

  Result<void> tell_disturbance(OutsideLoad& outside, int round, double least_seconds) {
    const auto seen = outside.since_last(round, least_seconds);
    return seen ? records_.write(to_record(*seen)) : Result<void>();
  }

  Step measure_rounds(OutsideLoad& outside) {
    const std::vector<Item> items = items_of(plan_);
    BlockOrder order(seed_, items.size());
    for (; rounds_ < plan_.rounds; ++rounds_) {
      for (const std::size_t index : order.next()) {
        STREAMGAGE_TRY(check_signals());
        const Item& item = items[index];
        if (item.chain_bytes) {
          STREAMGAGE_TRY(measure_working_set(*item.chain_bytes));
        } else {
          STREAMGAGE_TRY(measure_loaded(item));
        }
      }
      STREAMGAGE_TRY(tell_disturbance(outside, rounds_, kLeastDisturbanceSeconds));
    }
    return {};
  }

  Result<void> measure_working_set(std::uint64_t bytes) {
    LatencyRequest request;
    request.bytes = std::max<std::uint64_t>(bytes, longest_line(machine_));
    request.line_bytes = longest_line(machine_);
    request.loads = kLoadsOfAWalk;
    request.budget_seconds = kSecondsOfAWorkingSet;
    request.seed = seed_ + static_cast<std::uint64_t>(rounds_);
    request.huge_pages = plan_.huge_pages;
    STREAMGAGE_TRY(const auto latency, measure_latency(request));
    Json record = to_record(latency);
    record["block"] = rounds_;
    return records_.write(record);
  }

  // The chain and the generators' arrays, and how quick each mix is.
  Step prepare_load() {
    STREAMGAGE_TRY(const auto request, latency_request(machine_, team_.cpus().front(), {}));
    STREAMGAGE_TRY(auto memory, Array::reserve(request.bytes, plan_.huge_pages));
    ChainOrder order;
    order.line_bytes = request.line_bytes;
    order.seed = seed_;
    chain_.emplace(std::move(memory), order);
    at_ = chain_->first();
    STREAMGAGE_TRY(reserve_generators());
    for (const Mix mix : plan_.load->mixes) {
      STREAMGAGE_TRY(auto variant, variant_of(mix));
      loadings_.push_back({mix, std::move(variant), 0.0});
      STREAMGAGE_TRY(find_highest_rate(loadings_.back()));
    }
    return {};
  }

  Step find_highest_rate(Loading& loading) {
    const double seconds = std::min(plan_.load->seconds, kMostSecondsOfATry);
    for (int attempt = 0; attempt < kTries; ++attempt) {
      for (const Window& window : hold(loading.variant, 0.0, true, seconds).windows) {
        loading.most_bytes_a_second = std::max(loading.most_bytes_a_second,
                                               static_cast<double>(window.bytes) / window.seconds);
      }
      STREAMGAGE_TRY(check_signals());
    }
    if (loading.most_bytes_a_second > 0.0) {
      return {};
    }
    return failure(
        "the threads that are to load the memory moved nothing: something else has their CPUs; "
        "stop what else runs, or measure the idle latency alone");
  }

  Result<void> reserve_generators() {
    const auto count = static_cast<std::uint64_t>(team_.size() - 1);
    const CpuList& walker_and_others = team_.cpus();
    const std::uint64_t bytes = bytes_of_each_load(
        machine_, CpuList(walker_and_others.begin() + 1, walker_and_others.end()));
    const FreeMemory free = free_memory(memory_budget(machine_, {}));
    if (2 * bytes * count > free.bytes / kPartOfLoad) {
      return failure(fmt::format(
          "each thread that loads the memory needs {}, and of the {} that are free there is room "
          "for {} of {}; ask for fewer threads, or for the idle latency alone",
          format_bytes(2 * bytes), format_bytes(free.bytes), free.bytes / kPartOfLoad / (2 * bytes),
          count));
    }
    for (std::uint64_t number = 0; number < count; ++number) {
      STREAMGAGE_TRY(auto generator, Generator::reserve(bytes, plan_.huge_pages));
      generators_.push_back(std::move(generator));
    }
    team_.each([this](int thread) {
      if (thread > 0) {
        generators_[static_cast<std::size_t>(thread - 1)].touch();
      }
    });
    return {};
  }

  [[nodiscard]] std::uint64_t bytes_so_far() const {
    std::uint64_t bytes = 0;
    for (const Generator& generator : generators_) {
      bytes += generator.bytes();
    }
    return bytes;
  }

  // The first thread walks while the others stream, if there is to be a load.
  Held hold(const Variant& variant, double interval, bool is_loaded, double seconds) {
    Held held;
    LoadSignals signals;
    std::atomic<int> moved = 0;
    const int generators = is_loaded ? static_cast<int>(generators_.size()) : 0;
    team_.each([&](int thread) {
      const int cpu = sched_getcpu();
      if (thread > 0 && is_loaded) {
        generators_[static_cast<std::size_t>(thread - 1)].run(variant, interval, signals);
      } else if (thread == 0) {
        while (signals.running.load() < generators) {
          std::this_thread::yield();
        }
        held.windows = walk(seconds);
        signals.stop = true;
      }
      moved.fetch_add(sched_getcpu() == cpu ? 0 : 1);
    });
    held.moved = moved;
    for (const Window& window : held.windows) {
      loaded_seconds_ += window.seconds;
    }
    return held;
  }

  std::vector<Window> walk(double seconds) {
    const Instant begin = now();
    while (seconds_between(begin, now()) < kSettleSeconds) {
      at_ = walk_from(at_, kLoadsOfABatch).end;
    }
    std::vector<Window> windows;
    while (windows.size() < kWindows && stop_signal() == 0) {
      windows.push_back(walk_window(seconds / kWindows));
    }
    return windows;
  }

  Window walk_window(double seconds) {
    Window window;
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

  Step measure_loaded(const Item& item) {
    const Loading& loading = loadings_[item.mix];
    const double pieces_a_second =
        loading.most_bytes_a_second / static_cast<double>(generators_.size()) /
        static_cast<double>(Generator::bytes_of_a_piece(loading.variant));
    const double interval =
        item.share > 0.0 && item.share < 1.0
            ? std::min(1.0 / (item.share * pieces_a_second), plan_.load->seconds)
            : 0.0;
    const Held held = hold(loading.variant, interval, item.share > 0.0, plan_.load->seconds);
    STREAMGAGE_TRY(check_signals());  // the last window was cut short
    Json windows = Json::array();
    for (const Window& window : held.windows) {
      windows.push_back(
          {{"seconds", window.seconds}, {"bytes", window.bytes}, {"loads", window.loads}});
    }
    STREAMGAGE_TRY(records_.write({{"record", "loaded"},
                                   {"block", rounds_},
                                   {"mix", name_of(loading.mix)},
                                   {"kernel", loading.variant.kernel->name},
                                   {"share", item.share},
                                   {"interval_seconds", interval},
                                   {"generators", item.share > 0.0 ? generators_.size() : 0},
                                   {"windows", std::move(windows)},
                                   {"moved", held.moved}}));
    return {};
  }

  void check_load() {
    std::atomic<std::int64_t> wrong = 0;
    team_.each([&](int thread) {
      if (thread > 0 && !generators_.empty()) {
        wrong.fetch_add(generators_[static_cast<std::size_t>(thread - 1)].check());
      }
    });
    wrong_ = wrong;
  }

  [[nodiscard]] Json plan_record() const {
    Json load = nullptr;
    if (plan_.load) {
      Json mixes = Json::array();
      for (const Mix mix : plan_.load->mixes) {
        mixes.push_back(name_of(mix));
      }
      load = {{"mixes", std::move(mixes)},
              {"shares", plan_.load->shares},
              {"seconds", plan_.load->seconds}};
    }
    return {{"record", "latency-plan"},
            {"chain_bytes", plan_.chain_bytes},
            {"load", std::move(load)},
            {"rounds", plan_.rounds},
            {"seed", seed_},
            {"threads", team_.size()},
            {"huge_pages", plan_.huge_pages}};
  }

  const Machine& machine_;
  const LatencyPlan& plan_;
  Placement placement_;
  Team team_;
  std::uint64_t seed_;
  RecordSink& records_;
  std::vector<Generator> generators_;
  std::vector<Loading> loadings_;
  std::optional<PointerChain> chain_;
  const Link* at_ = nullptr;
  int rounds_ = 0;  // that have ended
  double loaded_seconds_ = 0.0;
  std::int64_t wrong_ = 0;
};

Result<void> check_sizes(const LatencyPlan& plan, const FreeMemory& free) {
  for (const std::uint64_t bytes : plan.chain_bytes) {
    if (bytes > free.bytes / kPartOfWorkingSet) {
      return usage_error(
          fmt::format("a working set of {} is more than a quarter of the {} that are free{}; "
                      "ask for {} at most",
                      format_bytes(bytes), format_bytes(free.bytes), free.where,
                      format_bytes(free.bytes / kPartOfWorkingSet)));
    }
  }
  return {};
}

}  // namespace

Result<LatencyOutcome> run_latency_session(const Machine& machine, const LatencyPlan& plan,
                                           RecordSink& sink) {
  if (!machine.is_this_system) {
    return tl::unexpected<Error>(not_this_machine());
  }
  STREAMGAGE_TRY(auto placement, choose_placement(machine, plan.placement, runtime_thread_count()));
  if (plan.load && placement.threads < 2) {
    return usage_error(
        "a load needs a thread beside the one that walks, and there is one CPU; measure the idle "
        "latency alone");
  }
  STREAMGAGE_TRY(check_sizes(plan, free_memory(memory_budget(machine, {}))));
  STREAMGAGE_TRY(auto team, Team::assemble(placement));
  placement.cpus.resize(std::min(placement.cpus.size(), static_cast<std::size_t>(team.size())));
  if (plan.load && team.size() < 2) {
    return failure(
        "the OpenMP runtime gave one thread, and a load needs another; look at "
        "OMP_THREAD_LIMIT");
  }
  return LatencySession(machine, plan, std::move(placement), std::move(team),
                        plan.seed.value_or(draw_seed()), sink)
      .run();
}

}  // namespace streamgage::engine
