#include "base/latency_plan.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "base/json_lines.hpp"
#include "base/json_reader.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

constexpr int kMostLatencyRounds = 100'000;
constexpr double kLeastShare = 1e-3;
constexpr double kMostSeconds = 60.0;
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 50U;

void read_sizes(JsonReader& reader, std::vector<std::uint64_t>& sizes) {
  const Json* list = reader.find("chain_bytes");
  if (list == nullptr) {
    return;
  }
  const auto is_size = [](const Json& item) {
    return item.is_number_unsigned() && item.get<std::uint64_t>() >= 1 &&
           item.get<std::uint64_t>() <= kMostBytes;
  };
  if (!list->is_array() || !std::all_of(list->begin(), list->end(), is_size)) {
    reader.complain("chain_bytes of the plan must be a list of whole numbers from 1 to {}",
                    kMostBytes);
    return;
  }
  sizes = list->get<std::vector<std::uint64_t>>();
}

void read_mixes(JsonReader& reader, std::vector<Mix>& mixes) {
  std::vector<std::string> names;
  if (!reader.words("mixes", names)) {
    reader.complain("load names no mixes");
  }
  for (const std::string& name : names) {
    bool known = false;
    for (const Mix mix : kMixes) {
      if (name == name_of(mix)) {
        mixes.push_back(mix);
        known = true;
      }
    }
    if (!known) {
      reader.complain(
          "mixes of load must be some of reads, 3:1, 2:1, 1:1, streaming, but one is {}", name);
    }
  }
}

void read_shares(JsonReader& reader, std::vector<double>& shares) {
  const Json* list = reader.find("shares");
  const auto is_share = [](const Json& item) {
    return item.is_number() && (item == 0 || item.get<double>() >= kLeastShare) &&
           item.get<double>() <= 1.0;
  };
  if (list == nullptr || !list->is_array() || list->empty() ||
      !std::all_of(list->begin(), list->end(), is_share)) {
    reader.complain("shares of load must be a list of at least one number, 0 or from 0.001 to 1");
    return;
  }
  shares = list->get<std::vector<double>>();
}

Result<void> read_load(const Json& object, LoadRequest& load) {
  JsonReader reader(object, "load");
  reader.allow_only({"mixes", "shares", "seconds"});
  read_mixes(reader, load.mixes);
  read_shares(reader, load.shares);
  reader.positive("seconds", load.seconds);
  if (load.seconds > kMostSeconds) {
    reader.complain("seconds of load must be at most {}, but are {}", kMostSeconds, load.seconds);
  }
  return reader.result();
}

}  // namespace

std::string_view name_of(Mix mix) {
  switch (mix) {
    case Mix::kReads:
      return "reads";
    case Mix::kThreeToOne:
      return "3:1";
    case Mix::kStreaming:
      return "streaming";
    case Mix::kTwoToOne:
      return "2:1";
    case Mix::kOneToOne:
      break;
  }
  return "1:1";
}

bool is_latency_plan(std::string_view text) {
  const auto json = parse_plan_json(text);
  return json && json->is_object() && json->contains("measure") && json->at("measure") == "latency";
}

Result<LatencyPlan> parse_latency_plan(std::string_view text) {
  STREAMGAGE_TRY(const Json json, parse_plan_json(text));
  LatencyPlan plan;
  int schema = 0;
  JsonReader reader(json, "the plan");
  reader.integer("schema", 1, std::numeric_limits<int>::max(), schema);
  if (schema != kSchemaVersion) {
    reader.complain("the plan has version {}, but this engine knows only version {}", schema,
                    kSchemaVersion);
  }
  reader.allow_only({"schema", "measure", "device", "placement", "chain_bytes", "load", "rounds",
                     "seed", "pages"});
  if (const Json* placement = reader.find("placement")) {
    reader.adopt(read_placement(*placement, plan.placement));
  }
  read_sizes(reader, plan.chain_bytes);
  if (const Json* load = reader.find("load")) {
    reader.adopt(read_load(*load, plan.load.emplace()));
  }
  reader.integer("rounds", 1, kMostLatencyRounds, plan.rounds);
  reader.integer<std::uint64_t>("seed", 0, std::numeric_limits<std::uint64_t>::max(), plan.seed);
  reader.word("pages", {PageSize::kSmall, PageSize::kHuge, PageSize::kGiant}, plan.pages);
  if (plan.chain_bytes.empty() && !plan.load) {
    reader.complain("the plan asks for neither chain_bytes nor load; add at least one of them");
  }
  if (reader.find("device") != nullptr) {
    reader.text("device", plan.device.emplace());
    if (plan.load || plan.placement.kind == PlacementKind::kCpus || plan.placement.threads) {
      reader.complain(
          "the plan names a device, and asks for what a processor alone has: leave placement and "
          "load out");
    }
  }
  STREAMGAGE_TRY(reader.result());
  return plan;
}

Json latency_plan_record(const LatencyPlan& plan, std::uint64_t seed, int threads) {
  Json load = nullptr;
  if (plan.load) {
    Json mixes = Json::array();
    for (const Mix mix : plan.load->mixes) {
      mixes.push_back(name_of(mix));
    }
    load = {{"mixes", std::move(mixes)},
            {"shares", plan.load->shares},
            {"seconds", plan.load->seconds}};
  }
  return {{"record", "latency-plan"},
          {"chain_bytes", plan.chain_bytes},
          {"load", std::move(load)},
          {"rounds", plan.rounds},
          {"seed", seed},
          {"threads", threads},
          {"pages", name_of(plan.pages)}};
}

}  // namespace streamgage::engine
