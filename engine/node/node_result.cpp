#include "node/node_result.hpp"

#include <utility>

#include "node/warnings.hpp"

namespace streamgage::engine {
namespace {

Figure figure_of(const VariantOutcome& outcome, std::int64_t elements) {
  const Variant& variant = outcome.variant;
  Figure figure{
      variant, variant.kernel->nominal_bytes(size_of(variant.type)), {}, outcome.valid, {}};
  const double bytes = static_cast<double>(figure.nominal_bytes) * static_cast<double>(elements);
  std::vector<double> rates = outcome.seconds;
  for (double& each : rates) {
    each = bytes / each;
  }
  figure.samples = rates;
  figure.rate = summarize(std::move(rates));
  figure.is_disturbed = outcome.is_disturbed;
  if (figure.is_disturbed) {
    figure.rate.interval.reset();
  }
  return figure;
}

}  // namespace

std::optional<double> rate_of_part(const NodeResult& result) {
  if (result.figures.empty() || result.figures.front().valid != true || disturbance_of(result)) {
    return std::nullopt;
  }
  return result.figures.front().rate.median;
}

NodeResult node_result(const Machine& machine, const Plan& plan, const Outcome& outcome,
                       std::optional<MeasuredDevice> device) {
  NodeResult result{
      machine, plan.type, outcome.threads, outcome.seconds, outcome.circumstances, {}, {}, {},
      {},      {}};
  result.device = std::move(device);
  for (const VariantOutcome& each : outcome.variants) {
    if (!each.seconds.empty()) {
      result.figures.push_back(figure_of(each, outcome.circumstances.size.elements));
    }
  }
  result.warnings = warnings_of(result);
  return result;
}

}  // namespace streamgage::engine
