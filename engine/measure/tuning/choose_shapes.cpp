#include "measure/tuning/choose_shapes.hpp"

#include <algorithm>
#include <utility>

#include "clock/clock.hpp"

namespace streamgage {
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

// What is settled without a run; what has to be raced goes into `open`.
std::vector<Tuning> settle(const Plan& plan, const Decision& decision, std::vector<Variant>& open) {
  std::vector<Tuning> settlements;
  for (const Variant& variant : decision.choice.variants) {
    if (!variant.shape) {
      continue;
    }
    if (plan.shape) {
      if (variant.tuned) {
        settlements.push_back(settled(variant, ShapeSource::kGiven));
      }
    } else if (plan.tuning && fit_in_caches(decision)) {
      settlements.push_back(settled(variant, ShapeSource::kSkipped));
    } else if (plan.tuning) {
      if (const auto shape = known_shape(*plan.tuning, variant)) {
        settlements.push_back(settled(reshaped(variant, *shape), ShapeSource::kKnown));
      } else {
        open.push_back(variant);
      }
    }
  }
  return settlements;
}

}  // namespace

bool choose_shapes(const Plan& plan, const Team& team, Workload& workload, Decision& decision,
                   const std::function<bool()>& stopped, const TuningObserver& observe) {
  std::vector<Variant> open;
  std::vector<Variant> tuned;
  for (const Tuning& tuning : settle(plan, decision, open)) {
    if (!observe(tuning)) {
      return false;
    }
    if (tuning.variant.tuned && tuning.source == ShapeSource::kKnown) {
      tuned.push_back(tuning.variant);
    }
  }
  if (!open.empty()) {
    Tuner tuner(team, workload, decision.seed, stopped);
    const Instant start = now();
    for (std::size_t number = 0; number < open.size(); ++number) {
      const double left = plan.tuning->budget_seconds - seconds_between(start, now());
      const auto share = std::max(left, 0.0) / static_cast<double>(open.size() - number);
      const auto tuning = tuner.tune(open[number], share);
      if (!tuning || !observe(*tuning)) {
        return false;
      }
      if (tuning->variant.tuned) {
        tuned.push_back(tuning->variant);
      }
    }
    workload.restore(team);
  }
  auto& variants = decision.choice.variants;
  std::move(tuned.begin(), tuned.end(), std::back_inserter(variants));
  number(variants);
  return true;
}

}  // namespace streamgage
