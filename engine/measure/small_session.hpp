// For tests: a run of two threads that takes a moment; its figures mean nothing.
#pragma once

#include <cstdint>

#include "base/plan.hpp"
#include "topology/machine.hpp"

namespace streamgage {

inline Machine small_machine() {
  Machine machine;
  machine.allowed_cpus = {0};
  machine.allowed = {{0, 0, 0, 0, 0}};
  machine.memory_available_bytes = std::uint64_t{1} << 30U;
  return machine;
}

inline Plan small_plan() {
  Plan plan;
  plan.kernels = {"copy", "sum"};
  plan.placement.kind = PlacementKind::kNone;
  plan.placement.threads = 2;
  plan.array_bytes = 80'000;
  plan.seed = 7;
  plan.sampling = {5, 5, 10, 10.0};
  return plan;
}

}  // namespace streamgage
