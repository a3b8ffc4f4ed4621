#include "base/json_reader.hpp"

namespace streamgage::engine {
namespace {

// A plan needs five.
constexpr int kMostDepth = 32;

}  // namespace

Result<Json> parse_plan_json(std::string_view text) {
  bool is_deep = false;
  const auto look = [&](int depth, Json::parse_event_t /*event*/, const Json& /*value*/) {
    is_deep = is_deep || depth > kMostDepth;
    return !is_deep;
  };
  Json json = Json::parse(text, look, false);
  if (is_deep) {
    return usage_error(fmt::format("the plan is nested more than {} levels deep", kMostDepth));
  }
  if (json.is_discarded()) {
    return usage_error(
        "the plan is not JSON; schema/plan.schema.json describes what a plan looks like");
  }
  return json;
}

}  // namespace streamgage::engine
