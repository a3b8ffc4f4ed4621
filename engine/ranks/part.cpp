#include "ranks/part.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>
#include <variant>

#include "kernels/choose_variants.hpp"
#include "kernels/variant.hpp"
#include "measure/memory_record.hpp"
#include "measure/outside_load.hpp"
#include "ranks/placing.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
Json Part::reply(const Order& order) {
  return std::visit([this](const auto& one) { return pack(carry_out(one)); }, order);
}

const Variant& Part::variant(int number) const {
  return decision_.choice.variants.at(static_cast<std::size_t>(number));
}

Result<Prospect> Part::carry_out(const orders::Look& order) {
  STREAMGAGE_TRY(auto plan, parse_plan(order.plan));
  STREAMGAGE_TRY(plan_, reduced_to_ranks(std::move(plan)));
  STREAMGAGE_TRY(decision_.choice, choose_variants(plan_));
  Prospect prospect{machine_.allowed_cpus, {}};
  for (const Variant& variant : decision_.choice.variants) {
    prospect.variants.push_back(to_record(variant).dump());
  }
  return prospect;
}

Result<PlacedThreads> Part::carry_out(const orders::Place& order) {
  const PlacementRequest& request = plan_.placement;
  STREAMGAGE_TRY(decision_.placement,
                 place_rank(machine_, request, mine(order.turns), order.oversubscribe));
  STREAMGAGE_TRY(team_,
                 Team::assemble(decision_.placement, [this] { barrier_ = world_.barrier(); }));
  take_size_of_team(machine_, plan_, team_->size(), decision_);
  return PlacedThreads{thread_places(machine_, *team_), decision_.placement.threads, team_->bound(),
                       cpus_in_use(machine_, decision_.placement),
                       named_cpus(machine_, request, order.oversubscribe || request.oversubscribe)
                           .value_or(CpuList{})};
}

Result<LockState> Part::carry_out(const orders::Lock& order) {
  const auto path = lock_path(std::getenv("STREAMGAGE_LOCK"));
  const bool is_first =
      std::find(order.firsts.begin(), order.firsts.end(), world_.rank()) != order.firsts.end();
  if (path && is_first && !lock_.lock.held()) {
    STREAMGAGE_TRY(lock_, try_lock(*path));
  }
  return LockState{lock_.holder, lock_.other, lock_.defect};
}

Result<Acknowledgement> Part::carry_out(const orders::Unlock& order) {
  lock_ = {};
  std::this_thread::sleep_for(std::chrono::duration<double>(order.seconds));
  return Acknowledgement{};
}

Result<HostMemory> Part::carry_out(const orders::Survey& order) {
  STREAMGAGE_TRY(const auto fresh, order.again ? discover_machine() : Result<Machine>(machine_));
  return HostMemory{last_level_cache_bytes(machine_, mine(order.cpus)),
                    fresh.memory_available_bytes.value_or(0), fresh.memory_limit_free_bytes};
}

Result<Acknowledgement> Part::carry_out(const orders::Reserve& order) {
  decision_.size.elements = mine(order.elements);
  decision_.size.bytes = static_cast<std::uint64_t>(decision_.size.elements) * size_of(plan_.type);
  STREAMGAGE_TRY(workload_,
                 Workload::reserve(decision_.size, plan_.type, order.arrays, team_->size(),
                                   {plan_.pages,
                                    {},
                                    plan_.alignment_bytes,
                                    {plan_.init, order.seed},
                                    order.has_cpu_a_thread}));
  return Acknowledgement{};
}

Result<PageSurvey> Part::carry_out(const orders::FirstTouch& /*order*/) {
  return survey_pages(machine_, {}, *workload_, workload_->touch(*team_));
}

Result<PageSurvey> Part::carry_out(const orders::Renew& order) {
  STREAMGAGE_TRY(workload_->renew(order.arrays));
  return carry_out(orders::FirstTouch{});
}

Result<RunOutcome> Part::carry_out(const orders::Run& order) {
  return workload_->run(*team_, variant(order.variant), order.passes);
}

Result<Check> Part::carry_out(const orders::CheckArray& order) {
  return workload_->check_array(*team_, order.number);
}

Result<CheckedRun> Part::carry_out(const orders::RunAndCheck& order) {
  CheckedRun run;
  run.check = workload_->run_and_check(*team_, variant(order.variant), run.timing);
  return run;
}

Result<Acknowledgement> Part::carry_out(const orders::Watch& order) {
  load_.emplace(mine(order.cpus), FileRoots{});
  own_seconds_before_ = own_cpu_seconds();
  return Acknowledgement{};
}

Result<LoadSeen> Part::carry_out(const orders::TakeLoad& order) {
  return LoadSeen{own_cpu_seconds() - own_seconds_before_, load_->since_last(order.block, 0.0)};
}

Result<Acknowledgement> Part::carry_out(const orders::End& /*order*/) {
  lock_ = {};
  return Acknowledgement{};
}

Result<void> serve(World& world, Part& part) {
  for (;;) {
    STREAMGAGE_TRY(const auto packed, world.order({}));
    const auto order = unpack<Order>(packed);
    if (std::holds_alternative<orders::End>(order)) {
      return {};
    }
    const Json reply = part.reply(order);
    STREAMGAGE_TRY(part.barrier());
    STREAMGAGE_TRY(world.answers(reply));
  }
}

}  // namespace streamgage::engine
