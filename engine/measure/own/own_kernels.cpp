#include "measure/own/own_kernels.hpp"

#include <algorithm>
#include <utility>

#include "measure/own/own_check.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/memory/memory_budget.hpp"
#include "streamgage/memory/memory_nodes.hpp"

namespace streamgage::engine {
Result<void> add_own_kernels(const Plan& plan, const Decision& decision, Workload& workload) {
  for (const Variant& variant : decision.choice.variants) {
    if (variant.own && !plan.check_kernels) {
      STREAMGAGE_TRY(workload.add(variant, plan.kernel_timeout_seconds));
    }
  }
  return {};
}

Step check_own_kernels(const Machine& machine, const Plan& plan, const Team& team,
                       Decision& decision, Workload& workload, RecordSink& records,
                       std::vector<KernelFailure>& failures) {
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
    OwnCheckRequest request{plan.kernel_timeout_seconds, std::nullopt, plan.pages,
                            decision.memory_nodes,
                            free_memory(memory_budget(machine, decision.memory_nodes)).bytes};
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
