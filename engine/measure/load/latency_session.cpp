#include "measure/load/latency_session.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "contract/course.hpp"
#include "latency/latency.hpp"
#include "measure/block_order.hpp"
#include "measure/ending.hpp"
#include "measure/load/loaded_walk.hpp"
#include "measure/outside_load.hpp"
#include "measure/overdue_end.hpp"
#include "measure/setup.hpp"
#include "records/machine_record.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/memory/memory_budget.hpp"
#include "streamgage/memory/memory_nodes.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {
namespace {

// For one working set in one round, the making of its chain included.
constexpr double kSecondsOfAWorkingSet = 0.1;
constexpr std::int64_t kLoadsOfAWalk = 1 << 16;
// A working set may take this part of the free memory.
constexpr std::uint64_t kPartOfWorkingSet = 4;

class LatencySession {
 public:
  LatencySession(const Machine& machine, const LatencyPlan& plan, Placement placement, Team team,
                 std::uint64_t seed, RecordSink& sink)
      : machine_(machine),
        plan_(plan),
        placement_(std::move(placement)),
        team_(std::move(team)),
        seed_(seed),
        records_(sink),
        overdue_(sink) {}

  RunEnd run() {
    const Step last = measure();
    Spent spent;
    spent.blocks = rounds_;
    spent.kernel_seconds = load_ ? load_->seconds() : 0.0;
    return overdue_.end_in_time(last, wrong_ > 0, spent);
  }

 private:
  Step measure() {
    STREAMGAGE_TRY(
        records_.write_all({to_record(machine_), latency_plan_record(plan_, seed_, team_.size()),
                            placement_record(machine_, placement_, team_)}));
    if (plan_.load) {
      STREAMGAGE_TRY(load_, LoadedWalk::prepare(machine_, plan_, team_, seed_));
      STREAMGAGE_TRY(load_->find_highest_rates());
    }
    OutsideLoad outside(cpus_in_use(machine_, placement_), FileRoots{});
    Step rounds = measure_rounds(outside);
    if (!is_error(rounds)) {  // one that is interrupted has its disturbance and its check, too
      STREAMGAGE_TRY(record_disturbance(outside, rounds ? rounds_ - 1 : rounds_, 0.0));
      wrong_ = load_ ? load_->check() : 0;
    }
    return rounds;
  }

  Result<void> record_disturbance(OutsideLoad& outside, int round, double least_seconds) {
    const auto seen = outside.since_last(round, least_seconds);
    return seen ? records_.write(to_record(*seen)) : Result<void>();
  }

  // In random order: the working sets, and each mix with its shares. The shares of a mix follow
  // each other, because each change of the kernel costs a pass over the arrays.
  Step measure_rounds(OutsideLoad& outside) {
    const std::size_t mixes = load_ ? load_->mixes() : 0;
    BlockOrder parts(seed_);
    BlockOrder sizes(seed_);
    BlockOrder shares(seed_);
    const auto all_parts = numbers_below(mixes + 1);
    const auto all_sizes = numbers_below(plan_.chain_bytes.size());
    const auto all_shares = numbers_below(plan_.load ? plan_.load->shares.size() : 0);
    for (; rounds_ < plan_.rounds; ++rounds_) {
      for (const std::size_t part : parts.next(all_parts)) {
        for (const std::size_t index :
             part < mixes ? shares.next(all_shares) : sizes.next(all_sizes)) {
          STREAMGAGE_TRY(check_signals());
          if (part < mixes) {
            STREAMGAGE_TRY(measure_loaded(part, plan_.load->shares[index]));
          } else {
            STREAMGAGE_TRY(measure_working_set(plan_.chain_bytes[index]));
          }
        }
      }
      STREAMGAGE_TRY(record_disturbance(outside, rounds_, kLeastDisturbanceSeconds));
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
    request.pages = plan_.pages;
    STREAMGAGE_TRY(const auto latency, measure_latency(request));
    record::IdleLatency record = record_of(latency);
    record.block = rounds_;
    return records_.write(to_json(record));
  }

  Step measure_loaded(std::size_t mix, double share) {
    const LoadedPoint point = load_->measure(mix, share);
    STREAMGAGE_TRY(check_signals());  // the last window was cut short
    record::LoadedLatency loaded{.block = rounds_,
                                 .mix = std::string(name_of(load_->mix(mix))),
                                 .kernel = std::string(load_->variant(mix).kernel->name),
                                 .share = share,
                                 .target_bytes_per_second = point.target,
                                 .effort = point.effort,
                                 .generators = point.generators,
                                 .windows = {},
                                 .moved = point.moved};
    for (const LoadWindow& window : point.windows) {
      loaded.windows.push_back(
          {.seconds = window.seconds, .bytes = window.bytes, .loads = window.loads});
    }
    STREAMGAGE_TRY(records_.write(to_json(loaded)));
    return {};
  }

  const Machine& machine_;
  const LatencyPlan& plan_;
  Placement placement_;
  Team team_;
  std::uint64_t seed_;
  RecordSink& records_;
  OverdueEnd overdue_;
  std::optional<LoadedWalk> load_;
  int rounds_ = 0;  // that have ended
  std::int64_t wrong_ = 0;
};

Result<void> check_sizes(const LatencyPlan& plan, const FreeMemory& free) {
  for (const std::uint64_t bytes : plan.chain_bytes) {
    if (bytes > free.bytes / kPartOfWorkingSet) {
      return usage_error(
          fmt::format("a working set of {} is more than a quarter of the {} that are free{}; ask "
                      "for at most {}",
                      format_bytes(bytes), format_bytes(free.bytes), free.where,
                      format_bytes(free.bytes / kPartOfWorkingSet)));
    }
  }
  return {};
}

}  // namespace

Result<RunEnd> run_latency_session(const Machine& machine, const LatencyPlan& plan,
                                   RecordSink& sink) {
  if (!machine.is_this_system) {
    return tl::unexpected<Error>(not_this_machine());
  }
  STREAMGAGE_TRY(auto placement, choose_placement(machine, plan.placement, runtime_thread_count()));
  if (plan.load && placement.threads < 2) {
    return usage_error(
        "a load needs a second thread, but there is only one CPU; measure only the idle latency");
  }
  STREAMGAGE_TRY(check_sizes(plan, free_memory(memory_budget(machine, {}))));
  STREAMGAGE_TRY(auto team, Team::assemble(placement));
  placement.cpus.resize(std::min(placement.cpus.size(), static_cast<std::size_t>(team.size())));
  if (plan.load && team.size() < 2) {
    return failure(
        "the OpenMP runtime gave one thread, but a load needs a second one; check "
        "OMP_THREAD_LIMIT");
  }
  return LatencySession(machine, plan, std::move(placement), std::move(team),
                        plan.seed.value_or(draw_seed()), sink)
      .run();
}

}  // namespace streamgage::engine
