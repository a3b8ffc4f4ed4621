#include "devices/measure/device_latency_session.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "devices/device_record.hpp"
#include "devices/device_source.hpp"
#include "devices/measure/device_chain.hpp"
#include "devices/measure/device_clock.hpp"
#include "latency/latency.hpp"
#include "measure/block_order.hpp"
#include "measure/ending.hpp"
#include "measure/overdue_end.hpp"
#include "measure/setup.hpp"
#include "records/machine_record.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/memory/memory_budget.hpp"
#include "streamgage/memory/memory_nodes.hpp"
#include "streamgage/statistics/summary.hpp"

namespace streamgage::engine {
namespace {

// For one working set in one round, without the making of its chain.
constexpr double kSecondsOfADeviceSet = 0.1;
constexpr int kFewestWalks = 7;
constexpr int kMostWalks = 15;
// A walk is long against the ticks of the stamps, and where the host times it, against a launch.
constexpr double kLeastSecondsOfAWalk = 0.002;
constexpr double kLaunchesOfAWalk = 50.0;
// Of one launch: less than a second where a load takes a microsecond. Displays stop longer kernels.
constexpr std::int64_t kMostLoadsOfALaunch = std::int64_t{1} << 19U;
constexpr std::int64_t kLoadsAtFirst = std::int64_t{1} << 12U;
constexpr std::int64_t kLoadsOfTrial = std::int64_t{1} << 17U;
constexpr std::uint64_t kChainOfTrial = kMiB;
// Chains of up to so many times the cache are walked once before anything is timed: the cache shall
// have what it can hold. In larger ones a line comes again after it has left the cache.
constexpr std::uint64_t kTimesTheCache = 2;
constexpr std::uint64_t kUsualDeviceLine = 128;  // where the driver does not say it
// A working set may take this part of the memory, as on a processor.
constexpr std::uint64_t kPartOfDeviceMemory = 4;

class DeviceLatencySession {
 public:
  DeviceLatencySession(const Machine& machine, const LatencyPlan& plan, Device& device,
                       std::uint64_t seed, RecordSink& sink)
      : machine_(machine),
        plan_(plan),
        device_(device),
        line_bytes_(device.facts().line_bytes > 0 ? device.facts().line_bytes : kUsualDeviceLine),
        seed_(seed),
        records_(sink),
        overdue_(sink) {}

  RunEnd run() {
    const Step last = measure();
    spent_.blocks = rounds_;
    return overdue_.end_in_time(last, false, spent_);
  }

 private:
  Step measure() {
    STREAMGAGE_TRY(records_.write_all(
        {to_record(machine_), latency_plan_record(plan_, seed_, 1), to_record(device_.facts())}));
    const DeviceProgram chase = chase_program();
    STREAMGAGE_TRY(chase_, device_.compile(chase.text, chase.name.c_str()));
    STREAMGAGE_TRY(try_the_clock());
    BlockOrder sizes(seed_);
    const auto all_sizes = numbers_below(plan_.chain_bytes.size());
    for (; rounds_ < plan_.rounds; ++rounds_) {
      for (const std::size_t index : sizes.next(all_sizes)) {
        STREAMGAGE_TRY(measure_working_set(plan_.chain_bytes[index]));
      }
    }
    return {};
  }

  [[nodiscard]] Result<DeviceChain> chain_of(std::uint64_t bytes) {
    ChainOrder order;
    order.line_bytes = line_bytes_;
    order.seed = seed_ + static_cast<std::uint64_t>(rounds_);
    return DeviceChain::make(device_, *chase_, bytes, order);
  }

  Step try_the_clock() {
    const std::uint64_t largest =
        *std::max_element(plan_.chain_bytes.begin(), plan_.chain_bytes.end());
    STREAMGAGE_TRY(DeviceChain chain, chain_of(std::min(largest, kChainOfTrial)));
    const ClockTrial trial{[&chain] { return chain.walk(0); },
                           [&chain](std::int64_t launches) -> Result<LaunchTimes> {
                             LaunchTimes sum;
                             sum.event_seconds = 0.0;
                             for (; launches > 0; --launches) {
                               STREAMGAGE_TRY(const auto times, chain.walk(kLoadsOfTrial));
                               add(times, sum);
                             }
                             return sum;
                           }};
    STREAMGAGE_TRY(clock_, try_clock(device_.facts(), trial, check_signals));
    STREAMGAGE_TRY(records_.write(to_record(clock_)));
    return {};
  }

  static void add(const LaunchTimes& times, LaunchTimes& sum) {
    sum.host_seconds += times.host_seconds;
    if (sum.event_seconds && times.event_seconds) {
      *sum.event_seconds += *times.event_seconds;
    } else {
      sum.event_seconds.reset();
    }
  }

  tl::expected<double, Stop> walk(DeviceChain& chain, std::int64_t loads) {
    STREAMGAGE_TRY(check_signals());
    STREAMGAGE_TRY(const LaunchTimes times, chain.walk(loads));
    const double seconds = clock_.seconds_of(times);
    spent_.kernel_seconds += seconds;
    return seconds;
  }

  // Once through all of it.
  Step walk_a_lap(DeviceChain& chain) {
    for (auto left = static_cast<std::int64_t>(chain.lines()); left > 0;
         left -= kMostLoadsOfALaunch) {
      STREAMGAGE_TRY(walk(chain, std::min(left, kMostLoadsOfALaunch)));
    }
    return {};
  }

  // So many loads that a walk is long enough.
  tl::expected<std::int64_t, Stop> loads_of_a_walk(DeviceChain& chain) {
    const double least = std::max(
        kLeastSecondsOfAWalk, clock_.by_events ? 0.0 : kLaunchesOfAWalk * clock_.launch_seconds);
    std::int64_t loads = kLoadsAtFirst;
    while (loads < kMostLoadsOfALaunch) {
      STREAMGAGE_TRY(const double seconds, walk(chain, loads));
      if (seconds >= least) {
        break;
      }
      loads *= 2;
    }
    return loads;
  }

  Step measure_working_set(std::uint64_t bytes) {
    STREAMGAGE_TRY(DeviceChain chain, chain_of(bytes));
    if (bytes <= kTimesTheCache * device_.facts().cache_bytes) {
      STREAMGAGE_TRY(walk_a_lap(chain));
    }
    STREAMGAGE_TRY(const std::int64_t loads, loads_of_a_walk(chain));
    const Instant start = now();
    std::vector<double> seconds;
    do {
      STREAMGAGE_TRY(const double taken, walk(chain, loads));
      seconds.push_back(taken / static_cast<double>(loads));
    } while (static_cast<int>(seconds.size()) < kFewestWalks ||
             (static_cast<int>(seconds.size()) < kMostWalks &&
              seconds_between(start, now()) < kSecondsOfADeviceSet));
    std::sort(seconds.begin(), seconds.end());
    Latency latency;
    latency.seconds = median_of_sorted(seconds);
    latency.minimum = seconds.front();
    latency.maximum = seconds.back();
    latency.repeats = static_cast<int>(seconds.size());
    latency.bytes = chain.lines() * line_bytes_;
    latency.loads = loads;
    record::IdleLatency record = record_of(latency);
    record.block = rounds_;
    STREAMGAGE_TRY(records_.write(to_json(record)));
    return {};
  }

  const Machine& machine_;
  const LatencyPlan& plan_;
  Device& device_;
  std::uint64_t line_bytes_;
  std::uint64_t seed_;
  RecordSink& records_;
  OverdueEnd overdue_;
  std::unique_ptr<DeviceKernel> chase_;
  DeviceClock clock_;
  Spent spent_;
  int rounds_ = 0;  // that have ended
};

// Where the memory of the device is the host's, also what is free there.
std::uint64_t most_of_working_set(const Machine& machine, const DeviceFacts& facts) {
  std::uint64_t bytes = facts.memory_bytes;
  if (facts.shares_host_memory) {
    bytes = std::min(bytes, free_memory(memory_budget(machine, {})).bytes);
  }
  bytes /= kPartOfDeviceMemory;
  return facts.largest_array_bytes > 0 ? std::min(bytes, facts.largest_array_bytes) : bytes;
}

}  // namespace

Result<RunEnd> run_device_latency_session(const Machine& machine, const LatencyPlan& plan,
                                          Device& device, RecordSink& sink) {
  if (!machine.is_this_system) {
    return tl::unexpected<Error>(not_this_machine());
  }
  const DeviceFacts& facts = device.facts();
  const std::uint64_t most = most_of_working_set(machine, facts);
  for (const std::uint64_t bytes : plan.chain_bytes) {
    if (bytes > most) {
      return usage_error(fmt::format(
          "a working set of {} is more than {} ({}) gives, of whose memory a quarter may be used; "
          "ask for at most {}",
          format_bytes(bytes), facts.id, facts.name, format_bytes(most / kMiB * kMiB)));
    }
  }
  return DeviceLatencySession(machine, plan, device, plan.seed.value_or(draw_seed()), sink).run();
}

}  // namespace streamgage::engine
