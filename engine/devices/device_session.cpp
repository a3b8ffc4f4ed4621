#include "devices/device_session.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "devices/device_shape.hpp"
#include "devices/device_states.hpp"
#include "devices/device_tuner.hpp"
#include "devices/device_workload.hpp"
#include "kernels/catalogue.hpp"
#include "measure/memory_record.hpp"
#include "measure/run.hpp"
#include "measure/setup.hpp"
#include "measure/stop_signal.hpp"
#include "measure/workers.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/memory/memory_nodes.hpp"
#include "streamgage/statistics/summary.hpp"

namespace streamgage::engine {
namespace {

constexpr std::uint64_t kWidestBytes = 64;  // arrays are whole numbers of the widest vectors
constexpr int kLaunchesTried = 21;
// The device's stamps are believed where they and the host's clock agree to that share of the time,
// or to what two launches take.
constexpr double kAgreement = 0.05;
constexpr double kLaunchesOfDoubt = 2.0;

Json device_record(const DeviceFacts& facts) {
  const auto known = [](std::uint64_t value) { return value > 0 ? Json(value) : Json(nullptr); };
  const auto named = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"record", "device"},
          {"id", facts.id},
          {"name", facts.name},
          {"vendor", facts.vendor},
          {"driver", facts.driver},
          {"interface", facts.interface},
          {"kind", facts.kind},
          {"architecture", named(facts.architecture)},
          {"slice", named(facts.slice)},
          {"compute_units", known(facts.compute_units)},
          {"clock_hertz", known(facts.clock_hertz)},
          {"memory_bytes", known(facts.memory_bytes)},
          {"largest_array_bytes", known(facts.largest_array_bytes)},
          {"cache_bytes", known(facts.cache_bytes)},
          {"memory_clock_hertz", known(facts.memory_clock_hertz)},
          {"memory_bus_bits", known(facts.memory_bus_bits)},
          {"has_ecc", or_null(facts.has_ecc)},
          {"has_double", facts.has_double},
          {"shares_host_memory", facts.shares_host_memory}};
}

// The standard variants, in the order of the catalogue.
Result<std::vector<Variant>> standard_variants(const Plan& plan, const DeviceFacts& facts) {
  std::vector<Variant> variants;
  for (const std::string& name : plan.kernels) {
    Variant variant;
    STREAMGAGE_TRY(variant.kernel, find_kernel(name));
    const bool is_known = std::any_of(variants.begin(), variants.end(), [&](const Variant& other) {
      return other.kernel == variant.kernel;
    });
    if (is_known) {
      continue;
    }
    variant.type = plan.type;
    variant.isa = facts.interface;
    variant.shape.emplace().device = standard_shape(facts, plan.type);
    variant.code = facts.code;
    variants.push_back(std::move(variant));
  }
  number(variants);
  return variants;
}

// Of the device, and where its memory is the host's also what is free there.
MemoryBudget budget_of(const Machine& machine, const DeviceFacts& facts, int arrays) {
  MemoryBudget budget;
  if (facts.shares_host_memory) {
    budget = memory_budget(machine, {});
    budget.available_bytes = std::min(budget.available_bytes, facts.memory_bytes);
  } else {
    budget.available_bytes = facts.memory_bytes;
  }
  // Nine tenths of it are used.
  if (facts.largest_array_bytes > 0) {
    budget.available_bytes =
        std::min(budget.available_bytes,
                 facts.largest_array_bytes / 9 * 10 * static_cast<std::uint64_t>(arrays));
  }
  return budget;
}

Result<Decision> decide_on(const Machine& machine, const Plan& plan, const DeviceFacts& facts) {
  Decision decision;
  STREAMGAGE_TRY(decision.choice.variants, standard_variants(plan, facts));
  decision.placement.kind = PlacementKind::kNone;
  decision.placement.threads = 1;
  // The first one is filled to see what a launch takes.
  decision.arrays = std::max(arrays_needed(decision.choice.variants), 1);
  decision.size_request = {plan.last_level_cache_bytes.value_or(facts.cache_bytes),
                           size_of(plan.type), decision.arrays, 1, plan.array_bytes};
  STREAMGAGE_TRY(decision.size, choose_array_size(budget_of(machine, facts, decision.arrays),
                                                  decision.size_request));
  decision.size.bytes =
      std::max(decision.size.bytes / kWidestBytes, std::uint64_t{1}) * kWidestBytes;
  decision.size.elements = static_cast<std::int64_t>(decision.size.bytes / size_of(plan.type));
  decision.seed = plan.seed.value_or(draw_seed());
  return decision;
}

class DeviceWorkers final : public Workers {
 public:
  DeviceWorkers(Run& run, Device& device)
      : run_(run),
        device_(device),
        workload_(device, run.plan.type, run.decision.size.elements, run.decision.arrays) {}

  // The host's, which launches.
  [[nodiscard]] int threads() const override { return 1; }
  // No thread is placed: the record says on which device the kernels run.
  [[nodiscard]] Json placement_record() const override { return device_record(device_.facts()); }
  [[nodiscard]] int arrays() const override { return workload_.arrays(); }

  Result<PageSurvey> touch() override {
    PageSurvey survey;
    STREAMGAGE_TRY(survey.touch_seconds, workload_.renew());
    survey.reason = "the driver does not say where the pages of a device are";
    for (int number = 0; number < workload_.arrays(); ++number) {
      survey.arrays.push_back({std::string(1, static_cast<char>('a' + number)), std::nullopt});
    }
    return survey;
  }

  Result<PageSurvey> renew(int /*arrays*/) override { return touch(); }

  Result<SampleOutcome> run(const Variant& variant, std::int64_t passes) override {
    STREAMGAGE_TRY(const DeviceRun done, workload_.run(variant, *variant.shape->device, passes));
    SampleOutcome outcome;
    outcome.sample.timing.seconds = seconds_of(done.times);
    outcome.spot_check_passed = done.spot_check_passed;
    return outcome;
  }

  Result<Check> check_array(int number) override { return workload_.check_array(number); }

  Result<CheckedSample> run_and_check(const Variant& variant) override {
    CheckedSample checked;
    LaunchTimes times;
    STREAMGAGE_TRY(checked.check, workload_.run_and_check(variant, *variant.shape->device, times));
    checked.sample.timing.seconds = seconds_of(times);
    return checked;
  }

  // What else the processor does is not in the way of a device.
  Result<void> watch() override { return {}; }
  Result<std::optional<Disturbance>> since_last(int /*block*/, double /*least*/) override {
    return std::optional<Disturbance>{};
  }

  Step before_variants() override {
    STREAMGAGE_TRY(try_clocks());
    return choose_shapes();
  }

  Step after_sample(const Variant& /*variant*/, std::int64_t /*passes*/) override {
    states_.read(device_);
    return {};
  }

  Step after_blocks() override {
    STREAMGAGE_TRY(run_.records.write_unless_null(states_.record()));
    return {};
  }

 private:
  // What a launch takes, and whether the device's stamps agree with the host's clock.
  Step try_clocks() {
    std::vector<double> launches;
    for (int turn = 0; turn < kLaunchesTried; ++turn) {
      STREAMGAGE_TRY(run_.go_on());
      STREAMGAGE_TRY(const LaunchTimes times, workload_.launch_nothing());
      launches.push_back(times.host_seconds);
    }
    const double launch = median(std::move(launches));
    const Variant& first = run_.decision.choice.variants.front();
    LaunchTimes tried;
    for (const std::int64_t passes : {1, 3}) {  // the first also compiles and warms up
      STREAMGAGE_TRY(const DeviceRun done, workload_.run(first, *first.shape->device, passes));
      tried = done.times;
    }
    const double doubt = std::max(kAgreement * tried.host_seconds, kLaunchesOfDoubt * launch * 3);
    by_events_ = tried.event_seconds && *tried.event_seconds > 0.0 &&
                 std::abs(*tried.event_seconds - tried.host_seconds) <= doubt;
    STREAMGAGE_TRY(run_.records.write({{"record", "device-clock"},
                                       {"timed_by", by_events_ ? "events" : "host"},
                                       {"tick_seconds", device_.facts().tick_seconds},
                                       {"launch_seconds", launch},
                                       {"event_seconds", or_null(tried.event_seconds)},
                                       {"host_seconds", tried.host_seconds}}));
    return {};
  }

  [[nodiscard]] double seconds_of(const LaunchTimes& times) const {
    return by_events_ && times.event_seconds ? *times.event_seconds : times.host_seconds;
  }

  // Adds a tuned variant for each kernel that has a quicker shape beyond doubt.
  Step choose_shapes() {
    if (!run_.plan.tuning) {
      return {};
    }
    const Instant start = now();
    std::vector<Variant>& variants = run_.decision.choice.variants;
    DeviceTuner tuner(
        device_.facts(), workload_, run_.decision.size.elements, run_.decision.seed,
        [this](const LaunchTimes& times) { return seconds_of(times); },
        [this] { return !run_.go_on(); });
    std::vector<Variant> quicker;
    std::size_t left = variants.size();
    for (const Variant& variant : variants) {
      const double budget = (run_.plan.tuning->budget_seconds - seconds_between(start, now())) /
                            static_cast<double>(left--);
      STREAMGAGE_TRY(const auto tuning,
                     tuner.tune(variant, *variant.shape->device, std::max(budget, 0.0)));
      if (!tuning) {
        return tl::unexpected(Stop(stop_signal()));
      }
      STREAMGAGE_TRY(run_.records.write(to_record(*tuning, variant)));
      if (tuning->tuned) {
        quicker.push_back(variant);
        quicker.back().tuned = true;
        quicker.back().shape->device = tuning->shape;
      }
    }
    variants.insert(variants.end(), quicker.begin(), quicker.end());
    number(variants);
    run_.spent.tuning_seconds += seconds_between(start, now());
    STREAMGAGE_TRY(workload_.restore());
    return {};
  }

  Run& run_;
  Device& device_;
  DeviceWorkload workload_;
  DeviceStates states_;
  bool by_events_ = false;
};

}  // namespace

Result<void> check_device_plan(const Plan& plan, const DeviceFacts& facts) {
  if (plan.type == ElementType::kDouble && !facts.has_double) {
    return usage_error(
        fmt::format("{} ({}) has no double: measure float (--type float)", facts.id, facts.name));
  }
  if (facts.cache_bytes == 0 && !plan.last_level_cache_bytes && !plan.array_bytes) {
    return usage_error(
        fmt::format("{} ({}) does not say how large its cache is, by which arrays are sized: give "
                    "its size (--llc) or that of the arrays (--size)",
                    facts.id, facts.name));
  }
  if (plan.array_bytes && facts.largest_array_bytes > 0 &&
      *plan.array_bytes > facts.largest_array_bytes) {
    return usage_error(fmt::format("{} ({}) gives no array of {}: ask for at most {}", facts.id,
                                   facts.name, format_bytes(*plan.array_bytes),
                                   format_bytes(facts.largest_array_bytes / kMiB * kMiB)));
  }
  for (const std::string& name : plan.kernels) {
    STREAMGAGE_TRY(find_kernel(name));
  }
  return {};
}

Result<Outcome> run_device_session(const Machine& machine, const Plan& plan, Device& device,
                                   RecordSink& sink) {
  const Instant start = now();
  if (!machine.is_this_system) {
    return tl::unexpected<Error>(not_this_machine());
  }
  STREAMGAGE_TRY(check_device_plan(plan, device.facts()));
  STREAMGAGE_TRY(auto decision, decide_on(machine, plan, device.facts()));
  Run run{machine, plan, decision, sink, start};
  DeviceWorkers workers(run, device);
  return measure_run(run, workers);
}

}  // namespace streamgage::engine
