// For tests: a run of two threads that takes a moment; its figures mean nothing.
#pragma once

#include "base/plan.hpp"
#include "measure/testing/small_machine.hpp"

namespace streamgage::engine {

inline Plan small_plan() {
  Plan plan;
  plan.kernels = {"copy", "sum"};
  plan.placement.kind = PlacementKind::kNone;
  plan.placement.threads = 2;
  plan.array_bytes = 80'000;
  plan.seed = 7;
  plan.sampling = {5, 5, 10, 1000.0};  // the budget ends none, however slow the machine
  return plan;
}

}  // namespace streamgage::engine
