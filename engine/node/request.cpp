#include "node/request.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "devices/measure/device_session.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/choose_variants.hpp"
#include "node/expected_rate.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

constexpr double kUsualSeconds = 10.0;

void add_once(std::vector<std::string>& names, std::string_view name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    names.emplace_back(name);
  }
}

double seconds_of(const NodeRequest& request) {
  return request.seconds.value_or(request.check ? length_of(request).measured : kUsualSeconds);
}

// What both have in common: the time, the kernels, and the size of the arrays.
Result<Plan> common_plan(const NodeRequest& request) {
  STREAMGAGE_TRY(check_request(request));
  STREAMGAGE_TRY(const auto expected, parse_expected_rates(request.expected));
  Plan plan;
  plan.kernels = request.kernels;
  if (!expected.empty()) {
    plan.kernels.clear();
    for (const ExpectedRate& each : expected) {
      add_once(plan.kernels, each.kernel->name);
    }
  }
  plan.sampling.budget_seconds = seconds_of(request);
  plan.array_bytes = request.array_bytes;
  return plan;
}

}  // namespace

Result<void> check_request(const NodeRequest& request) {
  const double seconds = seconds_of(request);
  if (!std::isfinite(seconds) || seconds <= 0) {
    return usage_error("--seconds must be a number above 0");
  }
  if (!std::isfinite(request.spent) || request.spent < 0) {
    return usage_error("--spent must be 0 or more seconds");
  }
  if (request.threads && *request.threads < 1) {
    return usage_error("--threads must be 1 or more");
  }
  if (request.array_bytes == 0) {
    return usage_error("--size must be above 0, for example 1GiB");
  }
  if (request.check && !request.as_json && request.expected.empty()) {
    return usage_error(
        "--check needs an expected figure: give one such as --expect triad=420GB/s,-5%");
  }
  STREAMGAGE_TRY(const auto expected, parse_expected_rates(request.expected));
  for (const ExpectedRate& each : expected) {
    if (!request.device.empty() && each.store != StoreMode::kPlain) {
      return usage_error(fmt::format(
          "--expect {}: a device has only one kind of stores; leave the kind out", name_of(each)));
    }
  }
  return {};
}

Result<Plan> plan_of(const NodeRequest& request) {
  STREAMGAGE_TRY(Plan plan, common_plan(request));
  STREAMGAGE_TRY(const auto expected, parse_expected_rates(request.expected));
  plan.stores = request.stores;
  if (!expected.empty()) {
    plan.stores->clear();
    for (const ExpectedRate& each : expected) {
      add_once(*plan.stores, name_of(each.store));
    }
  }
  plan.placement.threads = request.threads;
  if (request.cpus == "none") {
    plan.placement.kind = PlacementKind::kNone;
  } else if (!request.cpus.empty()) {
    plan.placement.kind = PlacementKind::kCpus;
    plan.placement.expression = request.cpus;
  }
  STREAMGAGE_TRY(const auto choice, choose_variants(plan));
  for (const ExpectedRate& each : expected) {
    const auto same = [&](const Variant& variant) {
      return variant.kernel == each.kernel && variant.store == each.store;
    };
    if (std::none_of(choice.variants.begin(), choice.variants.end(), same)) {
      return usage_error(
          fmt::format("--expect {0} {1}: {0} has no stores of the kind {1} on this processor; name "
                      "another kind or none",
                      each.kernel->name, name_of(each.store)));
    }
  }
  if (request.as_json && choice.variants.size() > kMostFiguresOfLine) {
    return usage_error(
        fmt::format("a line of JSON holds at most {} figures, but these kernels and stores give "
                    "{}; name fewer with --kernels and --stores, or leave --json out",
                    kMostFiguresOfLine, choice.variants.size()));
  }
  return plan;
}

static_assert(kCatalogue.size() <= kMostFiguresOfLine, "a device has one figure for each kernel");

Result<Plan> plan_of_device(const NodeRequest& request, Device& device) {
  STREAMGAGE_TRY(Plan plan, common_plan(request));
  plan.device = device.facts().id;
  STREAMGAGE_TRY(check_device_plan(plan, device));
  return plan;
}

const CheckLength& length_of(const NodeRequest& request) {
  return request.glance ? kGlance : kFullCheck;
}

}  // namespace streamgage::engine
