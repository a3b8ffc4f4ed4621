#include "measure/own/own_kernels.hpp"

#include <algorithm>
#include <utility>

#include "measure/own/own_check.hpp"
#include "measure/stop_signal.hpp"

namespace streamgage {
namespace {

OwnLimits limits_of(const Plan& plan, const RecordSink& sink) {
  return {plan.kernel_timeout_seconds, sink.descriptor()};
}

}  // namespace

Result<void> add_own_kernels(const Plan& plan, const Decision& decision, const RecordSink& sink,
                             Workload& workload) {
  for (const Variant& variant : decision.choice.variants) {
    if (variant.own && !plan.check_kernels) {
      if (auto added = workload.add(variant, limits_of(plan, sink)); !added) {
        return added;
      }
    }
  }
  return {};
}

std::optional<Stop> check_own_kernels(const Plan& plan, const Team& team, Decision& decision,
                                      Workload& workload, const RecordWriter& records,
                                      std::vector<KernelFailure>& failures) {
  failures = decision.choice.failures;
  for (const KernelFailure& failure : failures) {
    if (auto stop = records.write(to_record(failure))) {
      return stop;
    }
  }
  std::vector<Variant> left;
  for (Variant& variant : decision.choice.variants) {
    if (!variant.own) {
      left.push_back(std::move(variant));
      continue;
    }
    OwnCheckRequest request{limits_of(plan, records.sink()), std::nullopt, plan.huge_pages,
                            decision.memory_nodes};
    if (plan.check_kernels) {
      request.iterations = variant.elements;
    }
    const auto check = check_own_kernel(*variant.own, team, request);
    if (const int signal = stop_signal(); signal != 0) {
      return Stop{signal, {}};  // what a check that was cut short found is not told
    }
    if (!check) {
      return Stop{0, check.error()};
    }
    if (check->failure) {
      failures.push_back(*check->failure);
      workload.drop(*variant.own);
    }
    auto stop = records.write(check->failure ? to_record(*check->failure)
                                             : to_record(*variant.own, *check));
    if (stop) {
      return stop;
    }
    if (!check->failure) {
      left.push_back(std::move(variant));
    }
  }
  decision.choice.variants = std::move(left);
  number(decision.choice.variants);
  if (decision.choice.variants.empty() && !plan.check_kernels) {
    return Stop{0, Error{"nothing is left to measure: " + failures.front().message}};
  }
  return std::nullopt;
}

}  // namespace streamgage
