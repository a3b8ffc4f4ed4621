#include "ranks/settle.hpp"

#include <utility>

#include <fmt/format.h>

#include "kernels/choose_variants.hpp"
#include "measure/run.hpp"
#include "ranks/placing.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/memory/partition.hpp"

namespace streamgage::engine {
namespace {

// Slower than any memory fills, page faults included.
constexpr double kLeastTouchBytesPerSecond = 1e8;

// Every rank reports what it would measure; kernels for different processors are not one
// measurement.
Result<std::vector<CpuList>> look(Crew& crew, const std::string& plan) {
  STREAMGAGE_TRY(const auto prospects, crew.order(orders::Look{plan}));
  std::vector<CpuList> allowed;
  for (const Prospect& one : prospects) {
    if (one.variants != prospects.front().variants) {
      return usage_error(
          fmt::format("the processors of {} and {} run different kernels; name an instruction set "
                      "that both have with --isa, or measure identical hosts",
                      crew.name(static_cast<int>(allowed.size())), crew.name(0)));
    }
    allowed.push_back(one.allowed);
  }
  return allowed;
}

Shares share_out(const ArraySize& size, std::size_t element_bytes, int ranks) {
  Shares shares;
  for (const Range& range : partition(size.elements, element_bytes, ranks)) {
    shares.push_back(range.size());
  }
  return shares;
}

Result<void> settle_size(Crew& crew, Agreement& settled) {
  STREAMGAGE_TRY(const auto memories,
                 crew.order(orders::Survey{settled.cpus_of_hosts, settled.locked.waited}));
  const JoinedMemory memory = join_memories(crew.members(), memories);
  Decision& decision = settled.decision;
  STREAMGAGE_TRY(const auto asked, asked_array_bytes(settled.plan, decision.choice));
  decision.arrays = arrays_needed(decision.choice.variants);
  decision.size_request = {settled.plan.last_level_cache_bytes.value_or(memory.cache_bytes),
                           size_of(settled.plan.type), decision.arrays, settled.threads, asked};
  STREAMGAGE_TRY(const auto size, choose_array_size(memory.budget, decision.size_request));
  decision.size = size;
  settled.shares = share_out(decision.size, decision.size_request.element_bytes, crew.size());
  const int threads = std::max(settled.threads / crew.size(), 1);  // of each rank
  const std::int64_t share = *std::max_element(settled.shares.begin(), settled.shares.end());
  STREAMGAGE_TRY(
      require_exact_sums(settled.plan, decision.choice, (share + threads - 1) / threads));
  const std::uint64_t bytes = decision.size.bytes * static_cast<std::uint64_t>(decision.arrays);
  settled.patience_for_all = static_cast<double>(bytes) / crew.size() / kLeastTouchBytesPerSecond;
  return {};
}

}  // namespace

Result<Agreement> settle(Crew& crew, const RanksRequest& request) {
  STREAMGAGE_TRY(const auto allowed, look(crew, request.plan));
  Agreement settled;
  settled.plan = reduced_to_ranks(parse_plan(request.plan).value()).value();
  settled.decision.choice = choose_variants(settled.plan).value();
  settled.decision.placement.kind = settled.plan.placement.kind;
  settled.decision.seed = settled.plan.seed.value_or(draw_seed());

  STREAMGAGE_TRY(const auto placed, crew.order(orders::Place{turns_of(crew.members(), allowed),
                                                             request.oversubscribe}));
  settled.placement = join_placements(crew.members(), settled.plan.placement.kind, placed);
  settled.placement->mpi = request.mpi;
  settled.threads = static_cast<int>(settled.placement->threads.size());
  settled.decision.placement.cpus = placed.front().named;
  settled.cpus_of_hosts = cpus_of_hosts(crew.members(), placed);
  STREAMGAGE_TRY(const auto locked, lock_hosts(crew, request.lock));
  settled.locked = locked;
  if (settled.locked.signal != 0) {
    return settled;
  }
  STREAMGAGE_TRY(settle_size(crew, settled));
  settled.arrays = arrays_of_tier(settled.plan, settled.decision, 0);
  STREAMGAGE_TRY(crew.order(orders::Reserve{settled.shares, settled.arrays, settled.decision.seed,
                                            has_cpu_a_thread(crew.members(), placed)}));
  return settled;
}

}  // namespace streamgage::engine
