#include "measure/tuning/choose_shapes.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "kernels/make_variant.hpp"
#include "kernels/vector/prefetch.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

Tuning settled(Variant variant, ShapeSource source) {
  Tuning tuning;
  tuning.fastest = *variant.shape;
  tuning.variant = std::move(variant);
  tuning.source = source;
  return tuning;
}

bool fit_in_caches(const Decision& decision) {
  return decision.size.bytes < decision.size_request.last_level_cache_bytes;
}

// Where no race has found a better one: the default shape with a distance from among those raced.
constexpr AccessShape kForcedRead{1, 0, std::nullopt, 1024};

// For every kernel that write-allocates, a twin whose stores certainly read their lines: the best
// of the race, unless what is measured anyway is such a one.
std::vector<Variant> forced_reads(const std::vector<Variant>& variants,
                                  const std::vector<Tuning>& tunings) {
  std::vector<Variant> twins;
  for (const Variant& variant : variants) {
    if (variant.store != StoreMode::kRegular || variant.tuned ||
        !variant.kernel->write_allocates()) {
      continue;
    }
    AccessShape shape = kForcedRead;
    for (const Tuning& tuning : tunings) {
      const bool same = tuning.variant.kernel == variant.kernel &&
                        tuning.variant.store == variant.store && tuning.variant.isa == variant.isa;
      if (same && tuning.forced_read) {
        shape = *tuning.forced_read;
      }
    }
    Variant twin = reshaped(variant, shape);
    twin.purpose = Purpose::kForcedRead;
    const bool measured =
        std::any_of(variants.begin(), variants.end(), [&twin](const Variant& other) {
          return other.kernel == twin.kernel && other.store == twin.store &&
                 other.isa == twin.isa && other.purpose == Purpose::kRate && other.tuned &&
                 forces_reads(other);
        });
    if (!measured && forces_reads(twin)) {
      twins.push_back(std::move(twin));
    }
  }
  return twins;
}

// Evidence is measured in one way: with forced reads where stores might read, else in the quickest
// shape.
void leave_one_of_each(std::vector<Variant>& variants) {
  std::set<const Kernel*> tuned;
  for (const Variant& variant : variants) {
    if (variant.purpose == Purpose::kEvidence && variant.tuned) {
      tuned.insert(variant.kernel);
    }
  }
  const auto is_too_many = [&tuned](const Variant& one) {
    return one.purpose == Purpose::kEvidence &&
           (one.kernel->write_allocates() || (!one.tuned && tuned.contains(one.kernel)));
  };
  variants.erase(std::remove_if(variants.begin(), variants.end(), is_too_many), variants.end());
}

}  // namespace

ShapeChoice settle_shapes(const Plan& plan, const Decision& decision) {
  ShapeChoice choice;
  for (const Variant& variant : decision.choice.variants) {
    if (!variant.shape) {
      continue;
    }
    if (plan.shape) {
      if (variant.tuned) {
        choice.tunings.push_back(settled(variant, ShapeSource::kGiven));
      }
    } else if (plan.tuning && fit_in_caches(decision)) {
      choice.tunings.push_back(settled(variant, ShapeSource::kSkipped));
    } else if (plan.tuning) {
      if (const auto known = known_shape(*plan.tuning, variant)) {
        choice.tunings.push_back(settled(reshaped(variant, known->shape), ShapeSource::kKnown));
        choice.tunings.back().forced_read = known->forced_read;
      } else {
        choice.open.push_back(variant);
      }
    }
  }
  // Evidence shares the time for races, but is not worth any by itself.
  const bool any_asked =
      std::any_of(choice.open.begin(), choice.open.end(),
                  [](const Variant& one) { return one.purpose != Purpose::kEvidence; });
  if (!any_asked) {
    choice.open.clear();
  }
  return choice;
}

std::optional<std::vector<Tuning>> race_shapes(const std::vector<Variant>& open,
                                               double budget_seconds, const Team& team,
                                               Workload& workload, std::uint64_t seed,
                                               const std::function<bool()>& stopped,
                                               const TuningObserver& observe) {
  std::vector<Tuning> tunings;
  if (open.empty()) {
    return tunings;
  }
  Tuner tuner(team, workload, seed, stopped);
  const Instant start = now();
  for (std::size_t number = 0; number < open.size(); ++number) {
    const double left = budget_seconds - seconds_between(start, now());
    const auto share = std::max(left, 0.0) / static_cast<double>(open.size() - number);
    auto tuning = tuner.tune(open[number], share);
    if (!tuning || !observe(*tuning)) {
      return std::nullopt;
    }
    tunings.push_back(std::move(*tuning));
  }
  workload.restore(team);
  return tunings;
}

void take_shapes(const Plan& plan, const std::vector<Tuning>& tunings, Decision& decision) {
  auto& variants = decision.choice.variants;
  for (const Tuning& tuning : tunings) {
    // One given by hand is among the variants from the start.
    if (tuning.variant.tuned && tuning.source != ShapeSource::kGiven) {
      variants.push_back(tuning.variant);
    }
  }
  if (plan.checks && kHasPrefetch) {
    auto twins = forced_reads(variants, tunings);
    std::move(twins.begin(), twins.end(), std::back_inserter(variants));
  }
  leave_one_of_each(variants);
  number(variants);
}

bool choose_shapes(const Plan& plan, const Team& team, Workload& workload, Decision& decision,
                   const std::function<bool()>& stopped, const TuningObserver& observe) {
  ShapeChoice choice = settle_shapes(plan, decision);
  if (!std::all_of(choice.tunings.begin(), choice.tunings.end(), observe)) {
    return false;
  }
  auto raced = race_shapes(choice.open, plan.tuning ? plan.tuning->budget_seconds : 0.0, team,
                           workload, decision.seed, stopped, observe);
  if (!raced) {
    return false;
  }
  std::move(raced->begin(), raced->end(), std::back_inserter(choice.tunings));
  take_shapes(plan, choice.tunings, decision);
  return true;
}

}  // namespace streamgage::engine
