#include "ranks/settle.hpp"

#include <utility>

#include <fmt/format.h>

#include "kernels/choose_variants.hpp"
#include "ranks/placing.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/memory/partition.hpp"

namespace streamgage::engine {
namespace {

// Slower than any memory fills, page faults included.
constexpr double kLeastTouchBytesPerSecond = 1e8;

// Every rank tells what it would measure; kernels for unlike processors are not one measurement.
Result<std::vector<CpuList>> look(Crew& crew, const std::string& plan) {
  STREAMGAGE_TRY(const auto told, crew.order({{"do", "look"}, {"plan", plan}}));
  std::vector<CpuList> allowed;
  for (const Json& one : told) {
    if (one.at("variants") != told.front().at("variants")) {
      return usage_error(fmt::format(
          "the processor of {} gives other kernels than that of {}; name an instruction set that "
          "both have with --isa, or measure hosts that are alike",
          crew.name(static_cast<int>(allowed.size())), crew.name(0)));
    }
    allowed.push_back(one.at("allowed").get<CpuList>());
  }
  return allowed;
}

Json to_order(const std::vector<Turn>& turns, bool oversubscribe) {
  Json list = Json::array();
  for (const Turn& turn : turns) {
    list.push_back({{"turn", turn.turn}, {"of", turn.of}});
  }
  return {{"do", "place"}, {"turns", std::move(list)}, {"oversubscribe", oversubscribe}};
}

Shares share_out(const ArraySize& size, std::size_t element_bytes, int ranks) {
  Shares shares;
  for (const Range& range : partition(size.elements, element_bytes, ranks)) {
    shares.push_back(range.size());
  }
  return shares;
}

Result<void> settle_size(Crew& crew, Settled& settled) {
  STREAMGAGE_TRY(const auto surveys, crew.order({{"do", "survey"},
                                                 {"cpus", settled.cpus_of_hosts},
                                                 {"anew", settled.locked.waited}}));
  const Surveyed surveyed = join_surveys(crew.members(), surveys);
  Decision& decision = settled.decision;
  STREAMGAGE_TRY(const auto asked, asked_array_bytes(settled.plan, decision.choice));
  decision.size_request = {surveyed.cache_bytes, size_of(settled.plan.type),
                           arrays_needed(decision.choice.variants), settled.threads, asked};
  STREAMGAGE_TRY(const auto size, choose_array_size(surveyed.budget, decision.size_request));
  decision.size = size;
  settled.shares = share_out(decision.size, decision.size_request.element_bytes, crew.size());
  const std::uint64_t bytes =
      decision.size.bytes * static_cast<std::uint64_t>(decision.size_request.arrays);
  settled.patience_for_all = static_cast<double>(bytes) / crew.size() / kLeastTouchBytesPerSecond;
  return {};
}

}  // namespace

Result<Settled> settle(Crew& crew, const RanksRequest& request) {
  STREAMGAGE_TRY(const auto allowed, look(crew, request.plan));
  Settled settled;
  settled.plan = reduced_to_ranks(parse_plan(request.plan).value()).value();
  settled.decision.choice = choose_variants(settled.plan).value();
  settled.decision.placement.kind = settled.plan.placement.kind;
  settled.decision.seed = settled.plan.seed.value_or(draw_seed());

  STREAMGAGE_TRY(const auto placed,
                 crew.order(to_order(turns_of(crew.members(), allowed), request.oversubscribe)));
  settled.placement = join_placements(crew.members(), placed);
  settled.threads = static_cast<int>(settled.placement.at("threads").size());
  settled.decision.placement.cpus = placed.front().at("named").get<CpuList>();
  settled.cpus_of_hosts = cpus_of_hosts(crew.members(), placed);
  STREAMGAGE_TRY(const auto locked, lock_hosts(crew, request.lock));
  settled.locked = locked;
  if (settled.locked.signal != 0) {
    return settled;
  }
  STREAMGAGE_TRY(settle_size(crew, settled));
  STREAMGAGE_TRY(crew.order({{"do", "reserve"}, {"elements", settled.shares}}));
  return settled;
}

}  // namespace streamgage::engine
