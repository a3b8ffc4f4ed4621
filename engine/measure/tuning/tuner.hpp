// The tuner: looks for the access shape that makes a kernel fastest on this machine, and accepts it
// only if a paired run against the default shape confirms it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "contract/variants.hpp"
#include "kernels/variant.hpp"
#include "measure/tuning/pairs.hpp"
#include "measure/workload.hpp"
#include "streamgage/team/team.hpp"

namespace streamgage::engine {

using record::ShapeSource;

// The result of tuning one vector kernel with one kind of store.
struct Tuning {
  Variant variant;  // in the shape that was chosen; not tuned() where that is the default one
  ShapeSource source = ShapeSource::kRaced;
  // The winner of the race, even if the paired runs did not confirm it.
  AccessShape fastest;
  // The fastest shape that forces reads (see forces_reads()), if there is one.
  std::optional<AccessShape> forced_read;
  std::size_t candidates = 0;
  std::size_t samples = 0;
  Pairs pairs;           // none where the default shape won the race
  double seconds = 0.0;  // that it took
};

Json to_record(const Tuning& tuning);

class Tuner {
 public:
  // `stopped` is called before every run, and true ends the race.
  Tuner(const Team& team, Workload& workload, std::uint64_t seed, std::function<bool()> stopped)
      : team_(team), workload_(workload), random_(seed), stopped_(std::move(stopped)) {}

  // Races all shapes for that standard variant within about `seconds`. Returns nothing if it was
  // stopped. Array a holds no pattern afterwards: call restore().
  std::optional<Tuning> tune(const Variant& standard, double budget_seconds);

 private:
  std::optional<double> time(const Variant& variant);

  const Team& team_;
  Workload& workload_;
  std::mt19937_64 random_;
  std::function<bool()> stopped_;
  std::int64_t window_ = 0;
  std::int64_t windows_ = 1;
};

// Returns the shape that the plan has for that variant, if the shape still exists.
std::optional<KnownShape> known_shape(const TuningRequest& request, const Variant& standard);

}  // namespace streamgage::engine
