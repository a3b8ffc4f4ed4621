#include "base/latency_plan.hpp"

#include <algorithm>
#include <utility>

#include "base/json_lines.hpp"
#include "base/json_reader.hpp"
#include "base/plan.hpp"
#include "contract/setting.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

constexpr double kLeastShare = 1e-3;

void check_load(JsonReader& reader, const LoadRequest& load) {
  if (std::any_of(load.shares.begin(), load.shares.end(),
                  [](double share) { return share != 0.0 && share < kLeastShare; })) {
    reader.complain("shares of load must be 0 or from {} to 1", kLeastShare);
  }
}

void check_device(JsonReader& reader, const LatencyPlan& plan) {
  if (plan.device &&
      (plan.load || plan.placement.kind == PlacementKind::kCpus || plan.placement.threads)) {
    reader.complain(
        "the plan names a device, and asks for what a processor alone has: leave placement and "
        "load out");
  }
}

}  // namespace

bool is_latency_plan(std::string_view text) {
  const auto json = parse_plan_json(text);
  return json && json->is_object() && json->contains("measure") && json->at("measure") == "latency";
}

Result<LatencyPlan> parse_latency_plan(std::string_view text) {
  STREAMGAGE_TRY(const Json json, parse_plan_json(text));
  LatencyPlan plan;
  JsonReader reader(json, kWholePlan);
  check_version(reader);
  reader.whole(plan);
  check_placement(reader, plan.placement);
  if (plan.load) {
    check_load(reader, *plan.load);
  }
  if (plan.chain_bytes.empty() && !plan.load) {
    reader.complain("the plan asks for neither chain_bytes nor load; add at least one of them");
  }
  check_device(reader, plan);
  STREAMGAGE_TRY(reader.result());
  return plan;
}

Json latency_plan_record(const LatencyPlan& plan, std::uint64_t seed, int threads) {
  record::LatencyPlanRecord written{.chain_bytes = plan.chain_bytes,
                                    .load = std::nullopt,
                                    .rounds = plan.rounds,
                                    .seed = seed,
                                    .threads = threads,
                                    .pages = plan.pages};
  if (plan.load) {
    written.load = record::LoadRequest{
        .mixes = {}, .shares = plan.load->shares, .seconds = plan.load->seconds};
    for (const Mix mix : plan.load->mixes) {
      written.load->mixes.emplace_back(name_of(mix));
    }
  }
  return to_json(written);
}

}  // namespace streamgage::engine
