#include "measure/own/own_kernels.hpp"

#include <algorithm>
#include <utility>

#include "measure/own/own_check.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

OwnLimits limits_of(const Plan& plan, const RecordSink& sink) {
  return {plan.kernel_timeout_seconds, sink.descriptor()};
}

}  // namespace

Result<void> add_own_kernels(const Plan& plan, const Decision& decision, const RecordSink& sink,
                             Workload& workload) {
  for (const Variant& variant : decision.choice.variants) {
    if (variant.own && !plan.check_kernels) {
      STREAMGAGE_TRY(workload.add(variant, limits_of(plan, sink)));
    }
  }
  return {};
}

Step check_own_kernels(const Plan& plan, const Team& team, Decision& decision, Workload& workload,
                       RecordSink& records, std::vector<KernelFailure>& failures) {
  failures = decision.choice.failures;
  for (const KernelFailure& failure : failures) {
    STREAMGAGE_TRY(records.write(to_record(failure)));
  }
  std::vector<Variant> left;
  for (Variant& variant : decision.choice.variants) {
    if (!variant.own) {
      left.push_back(std::move(variant));
      continue;
    }
    OwnCheckRequest request{limits_of(plan, records), std::nullopt, plan.huge_pages,
                            decision.memory_nodes};
    if (plan.check_kernels) {
      request.iterations = variant.elements;
    }
    const auto check = check_own_kernel(*variant.own, team, request);
    STREAMGAGE_TRY(check_signals());  // what a check that was cut short found is not reported
    STREAMGAGE_TRY(const OwnCheck found, check);
    if (found.failure) {
      failures.push_back(*found.failure);
      workload.drop(*variant.own);
      STREAMGAGE_TRY(records.write(to_record(*found.failure)));
      continue;
    }
    STREAMGAGE_TRY(records.write(to_record(*variant.own, found)));
    left.push_back(std::move(variant));
  }
  decision.choice.variants = std::move(left);
  number(decision.choice.variants);
  if (decision.choice.variants.empty() && !plan.check_kernels) {
    return failure("nothing is left to measure: " + failures.front().message);
  }
  return {};
}

}  // namespace streamgage::engine
