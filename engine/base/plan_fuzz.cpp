// Whatever a plan says, it is refused in one sentence, or asks for what can be computed with; see
// scripts/fuzz.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/latency_plan.hpp"
#include "base/output.hpp"
#include "base/plan.hpp"

namespace streamgage::engine {
namespace {

void require(bool fact) {
  if (!fact) {
    std::abort();
  }
}

template <class Value>
void require_positive(const std::optional<Value>& value) {
  require(!value || (std::isfinite(static_cast<double>(*value)) && *value > Value{0}));
}

void check_error(const Error& error) {
  require(error.status == ExitStatus::kUsage && !error.message.empty());
  require(printable(shortened(error.message)).size() < 1 << 15);
}

void check_placement(const PlacementRequest& placement) {
  require_positive(placement.threads);
  require((placement.kind == PlacementKind::kCpus) ==
          (placement.expression.has_value() || !placement.cpus.empty()));
  require(
      std::all_of(placement.cpus.begin(), placement.cpus.end(), [](int cpu) { return cpu >= 0; }));
}

void check_shape(const std::optional<AccessShape>& shape) {
  if (shape) {
    require(shape->streams >= 1 && shape->block_bytes >= 0);
    require(shape->read_prefetch_bytes.value_or(0) >= 0);
    require(shape->write_prefetch_bytes.value_or(0) >= 0);
  }
}

void check_plan(const Plan& plan) {
  require(!plan.kernels.empty() || !plan.own_kernels.empty() || plan.copies);
  require(!plan.stores || !plan.stores->empty());
  require(!plan.isas || !plan.isas->empty());
  check_shape(plan.shape);
  if (plan.tuning) {
    require_positive(std::optional(plan.tuning->budget_seconds));
    for (const KnownShape& known : plan.tuning->known) {
      check_shape(known.shape);
      check_shape(known.forced_read);
    }
  }
  const std::uint64_t alignment = plan.alignment_bytes.value_or(kLargestAlignment);
  require(alignment >= size_of(plan.type) && (alignment & (alignment - 1)) == 0);
  check_placement(plan.placement);
  require_positive(plan.array_bytes);
  require_positive(plan.working_set_bytes);
  require_positive(plan.peak_bytes_per_second);
  require_positive(std::optional(plan.kernel_timeout_seconds));
  const Sampling& sampling = plan.sampling;
  require(sampling.min_samples >= 1 && sampling.max_samples >= sampling.min_samples);
  require(sampling.look_every >= 1);
  require_positive(sampling.epoch_blocks);
  require_positive(std::optional(sampling.budget_seconds));
}

void check_latency_plan(const LatencyPlan& plan) {
  check_placement(plan.placement);
  require(!plan.chain_bytes.empty() || plan.load.has_value());
  require(plan.rounds >= 1);
  require(std::all_of(plan.chain_bytes.begin(), plan.chain_bytes.end(),
                      [](std::uint64_t bytes) { return bytes >= 1; }));
  if (plan.load) {
    require(!plan.load->mixes.empty() && !plan.load->shares.empty());
    require_positive(std::optional(plan.load->seconds));
    require(std::all_of(plan.load->shares.begin(), plan.load->shares.end(),
                        [](double share) { return share >= 0.0 && share <= 1.0; }));
  }
}

// As the engine does.
void read_plan(std::string_view text) {
  if (is_latency_plan(text)) {
    const auto plan = parse_latency_plan(text);
    plan ? check_latency_plan(*plan) : check_error(plan.error());
    return;
  }
  const auto plan = parse_plan(text);
  plan ? check_plan(*plan) : check_error(plan.error());
}

}  // namespace
}  // namespace streamgage::engine

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  streamgage::engine::read_plan({reinterpret_cast<const char*>(data), size});
  return 0;
}
