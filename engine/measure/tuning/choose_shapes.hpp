// Chooses the shapes in which the vector kernels of a plan are measured, next to the default one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/plan.hpp"
#include "measure/setup.hpp"
#include "measure/tuning/tuner.hpp"
#include "measure/workload.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {

// Called with every decision as it is made; false ends the choosing.
using TuningObserver = std::function<bool(const Tuning&)>;

// The shapes that are settled without a race, and the variants that must be raced.
struct ShapeChoice {
  std::vector<Tuning> tunings;
  std::vector<Variant> open;
};

// Decides for every vector kernel and kind of store of the plan: the user's shape, or the one known
// from an earlier run. If the arrays fit in the caches, the default shape is taken, because a race
// there says nothing about memory. Everything else stays open, except for evidence.
ShapeChoice settle_shapes(const Plan& plan, const Decision& decision);

// Races what is open, in order, within that time altogether, and restores the arrays. Returns
// nothing if it was stopped.
std::optional<std::vector<Tuning>> race_shapes(const std::vector<Variant>& open,
                                               double budget_seconds, const Team& team,
                                               Workload& workload, std::uint64_t seed,
                                               const std::function<bool()>& stopped,
                                               const TuningObserver& observe);

// Adds the tuned variants and those with forced reads to the decision, and leaves one variant of
// each kernel that is evidence.
void take_shapes(const Plan& plan, const std::vector<Tuning>& tunings, Decision& decision);

// Calls the three functions above in turn, so shapes are raced before anything is measured.
// Returns false if it was stopped.
bool choose_shapes(const Plan& plan, const Team& team, Workload& workload, Decision& decision,
                   const std::function<bool()>& stopped, const TuningObserver& observe);

}  // namespace streamgage::engine
