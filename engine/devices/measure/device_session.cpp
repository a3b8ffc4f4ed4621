#include "devices/measure/device_session.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "devices/device_record.hpp"
#include "devices/measure/device_clock.hpp"
#include "devices/measure/device_own_kernel.hpp"
#include "devices/measure/device_own_workload.hpp"
#include "devices/measure/device_shape.hpp"
#include "devices/measure/device_tuner.hpp"
#include "devices/measure/device_workload.hpp"
#include "kernels/catalogue.hpp"
#include "measure/memory_record.hpp"
#include "measure/own/own_sizes.hpp"
#include "measure/run.hpp"
#include "measure/setup.hpp"
#include "measure/stop_signal.hpp"
#include "measure/workers.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/memory/memory_nodes.hpp"

namespace streamgage::engine {
namespace {

constexpr std::uint64_t kWidestBytes = 64;  // arrays are whole numbers of the widest vectors
// What own kernels are checked on.
constexpr std::uint64_t kArrayOfCheck = 4 * kMiB;
// Of a sample whose launch failed.
constexpr double kLeastSecondsOfOwn = 1e-9;

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
    variant.shape.emplace().device = plan.working_set_bytes
                                         ? shape_of_passes_inside(facts)
                                         : standard_shape(facts, *variant.kernel, plan.type);
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

// Adds those of the plan's own kernels that can be read, as variants.
Result<std::vector<DeviceOwnKernel>> add_device_kernels(const Plan& plan, Device& device,
                                                        VariantChoice& choice) {
  std::vector<DeviceOwnKernel> kernels;
  if (plan.own_kernels.empty()) {
    return kernels;
  }
  STREAMGAGE_TRY(const std::string compiler, device.own_compiler());
  for (const OwnKernelFile& file : plan.own_kernels) {
    auto kernel = load_device_kernel(file, static_cast<int>(kernels.size()));
    if (!kernel) {
      choice.failures.push_back(kernel.error());
      continue;
    }
    Variant variant;
    variant.kernel = &kernel->facts->row;
    variant.own = kernel->facts;
    variant.isa = device.facts().interface;
    variant.code = compiler;
    choice.variants.push_back(std::move(variant));
    kernels.push_back(*std::move(kernel));
  }
  number(choice.variants);
  return kernels;
}

// Own kernels do as many iterations as the size of arrays, or of the working set, allows.
Result<void> size_device_kernels(const Plan& plan, std::uint64_t most_items, Decision& decision) {
  for (Variant& variant : decision.choice.variants) {
    if (!variant.own) {
      continue;
    }
    STREAMGAGE_TRY(const auto most, plan.working_set_bytes
                                        ? iterations_of_set(*variant.own, *plan.working_set_bytes)
                                        : iterations_of_array(*variant.own, decision.size.bytes));
    // An iteration is a work-item.
    variant.elements = DeviceOwnWorkload::fit_iterations(
        most_items > 0 ? std::min(most, static_cast<std::int64_t>(most_items)) : most);
    if (*variant.elements == 0) {
      const std::uint64_t least =
          plan.working_set_bytes ? all_arrays_bytes(*variant.own, DeviceOwnWorkload::kGrain)
                                 : largest_array_bytes(*variant.own, DeviceOwnWorkload::kGrain);
      return usage_error(fmt::format(
          "{} are too few for {} of the kernel {}, whose iterations run in whole groups of {} "
          "work-items; ask for at least {} bytes",
          format_bytes(plan.working_set_bytes.value_or(decision.size.bytes)),
          plan.working_set_bytes ? "all arrays" : "the largest array", variant.own->name,
          DeviceOwnWorkload::kGrain, least));
    }
  }
  return {};
}

Result<Decision> decide_on_device(const Machine& machine, const Plan& plan, Device& device,
                                  std::vector<DeviceOwnKernel>& own) {
  const DeviceFacts& facts = device.facts();
  Decision decision;
  STREAMGAGE_TRY(decision.choice.variants, standard_variants(plan, facts));
  STREAMGAGE_TRY(own, add_device_kernels(plan, device, decision.choice));
  decision.placement.kind = PlacementKind::kNone;
  decision.placement.threads = 1;
  // The first one is filled to see what a launch takes.
  decision.arrays = std::max(arrays_needed(decision.choice.variants), 1);
  STREAMGAGE_TRY(const auto asked, asked_array_bytes(plan, decision.choice));
  int arrays = decision.arrays;
  for (const DeviceOwnKernel& each : own) {
    arrays += arrays_worth(*each.facts);
  }
  decision.size_request = {plan.last_level_cache_bytes.value_or(rule_cache_bytes(facts)),
                           size_of(plan.type),
                           arrays,
                           1,
                           asked,
                           usual_array_bytes(facts)};
  STREAMGAGE_TRY(decision.size,
                 choose_array_size(budget_of(machine, facts, arrays), decision.size_request));
  decision.size.bytes =
      std::max(decision.size.bytes / kWidestBytes, std::uint64_t{1}) * kWidestBytes;
  decision.size.elements = static_cast<std::int64_t>(decision.size.bytes / size_of(plan.type));
  STREAMGAGE_TRY(size_device_kernels(plan, facts.most_items, decision));
  decision.seed = plan.seed.value_or(draw_seed());
  return decision;
}

class DeviceWorkers final : public Workers {
 public:
  DeviceWorkers(Run& run, Device& device, const std::vector<DeviceOwnKernel>& own)
      : run_(run),
        device_(device),
        own_kernels_(own),
        workload_(device, run.plan.type, run.decision.size.elements, run.decision.arrays,
                  run.plan.working_set_bytes ? Passes::kInside : Passes::kLaunches) {}

  // The host's, which launches.
  [[nodiscard]] int threads() const override { return 1; }
  // No thread is placed: the record says on which device the kernels run.
  [[nodiscard]] Json placement_record() const override { return to_record(device_.facts()); }
  [[nodiscard]] int arrays() const override { return workload_.arrays(); }
  [[nodiscard]] const DeviceStates& states() const { return states_; }

  Step before_touch() override { return check_own_kernels(); }

  Result<PageSurvey> touch() override {
    PageSurvey survey;
    STREAMGAGE_TRY(survey.touch_seconds, workload_.renew());
    for (const auto& [kernel, workload] : own_) {
      STREAMGAGE_TRY(const auto failed, workload->renew());
      if (failed) {
        return failure(failed->message);
      }
    }
    survey.reason = "the driver does not say where the pages of a device are";
    for (int number = 0; number < workload_.arrays(); ++number) {
      survey.arrays.push_back({std::string(1, static_cast<char>('a' + number)), std::nullopt});
    }
    return survey;
  }

  Result<PageSurvey> renew(int /*arrays*/) override { return touch(); }

  Result<SampleOutcome> run(const Variant& variant, std::int64_t passes) override {
    if (variant.own) {
      return run_own(variant, passes);
    }
    STREAMGAGE_TRY(const DeviceRun done, workload_.run(variant, *variant.shape->device, passes));
    SampleOutcome outcome;
    outcome.sample.timing.seconds = clock_.seconds_of(done.times);
    outcome.spot_check_passed = done.spot_check_passed;
    return outcome;
  }

  Result<Check> check_array(int number) override { return workload_.check_array(number); }

  Result<CheckedSample> run_and_check(const Variant& variant) override {
    if (variant.own) {
      return run_and_check_own(variant);
    }
    CheckedSample checked;
    LaunchTimes times;
    STREAMGAGE_TRY(checked.check, workload_.run_and_check(variant, *variant.shape->device, times));
    checked.sample.timing.seconds = clock_.seconds_of(times);
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
    if (const auto state = states_.record()) {
      STREAMGAGE_TRY(run_.records.write(to_json(*state)));
    }
    return {};
  }

 private:
  // Compiles and checks each own kernel, with few iterations; one that fails is left out.
  Step check_own_kernels() {
    run_.failures = run_.decision.choice.failures;
    for (const KernelFailure& failed : run_.failures) {
      STREAMGAGE_TRY(run_.records.write(to_record(failed)));
    }
    std::vector<Variant> left;
    for (Variant& variant : run_.decision.choice.variants) {
      if (variant.own) {
        STREAMGAGE_TRY(run_.go_on());
        STREAMGAGE_TRY(const bool fit, check_own_kernel(variant));
        if (!fit) {
          continue;
        }
      }
      left.push_back(std::move(variant));
    }
    run_.decision.choice.variants = std::move(left);
    number(run_.decision.choice.variants);
    if (run_.decision.choice.variants.empty() && !run_.plan.check_kernels) {
      return tl::unexpected(
          Stop(Error{"nothing is left to measure: " + run_.failures.front().message}));
    }
    return {};
  }

  // Whether it passed; the record of that is written.
  Result<bool> check_own_kernel(const Variant& variant) {
    const DeviceOwnKernel& kernel =
        *std::find_if(own_kernels_.begin(), own_kernels_.end(),
                      [&](const DeviceOwnKernel& each) { return each.facts == variant.own; });
    const std::int64_t few =
        std::clamp(DeviceOwnWorkload::fit_iterations(
                       iterations_of_array(*kernel.facts, kArrayOfCheck).value_or(0)),
                   DeviceOwnWorkload::kGrain, *variant.elements);
    const double timeout = run_.plan.kernel_timeout_seconds;
    DeviceOwnWorkload small(device_, kernel, few, timeout);
    auto workload =
        std::make_unique<DeviceOwnWorkload>(device_, kernel, *variant.elements, timeout);
    STREAMGAGE_TRY(auto failed, small.build());
    std::vector<std::string> checked;
    if (!failed) {
      STREAMGAGE_TRY(failed, small.check(checked));
    }
    if (!failed) {
      STREAMGAGE_TRY(failed, workload->build());
    }
    if (failed) {
      run_.failures.push_back(*failed);
      STREAMGAGE_TRY(run_.records.write(to_record(*failed)));
      return false;
    }
    STREAMGAGE_TRY(run_.records.write(to_json(record::KernelCheck{.kernel = kernel.facts->name,
                                                                  .source = kernel.facts->source,
                                                                  .iterations = few,
                                                                  .checked = checked})));
    own_.emplace(variant.own.get(), std::move(workload));
    return true;
  }

  double scalar_of_own(const Variant& variant) {
    return scalar_of_run(variant, runs_of_own_[variant.own.get()]++);
  }

  Result<SampleOutcome> run_own(const Variant& variant, std::int64_t passes) {
    STREAMGAGE_TRY(const DeviceOwnRun done,
                   own_.at(variant.own.get())->run(scalar_of_own(variant), passes));
    SampleOutcome outcome;
    outcome.sample.timing.seconds = std::max(clock_.seconds_of(done.times), kLeastSecondsOfOwn);
    outcome.failure = done.failure;
    return outcome;
  }

  Result<CheckedSample> run_and_check_own(const Variant& variant) {
    DeviceOwnWorkload& own = *own_.at(variant.own.get());
    STREAMGAGE_TRY(const DeviceOwnRun done, own.run_and_check(scalar_of_own(variant)));
    CheckedSample checked;
    checked.sample.timing.seconds = std::max(clock_.seconds_of(done.times), kLeastSecondsOfOwn);
    checked.check.checked = own.iterations();
    checked.check.wrong = done.wrong.value_or(0);
    checked.check.is_known = done.wrong.has_value();
    checked.check.failure = done.failure;
    return checked;
  }

  Step try_clocks() {
    const Variant& first = run_.decision.choice.variants.front();
    const ClockTrial trial{[this] { return workload_.launch_nothing(); },
                           [this, &first](std::int64_t launches) -> Result<LaunchTimes> {
                             if (first.own) {
                               STREAMGAGE_TRY(
                                   const DeviceOwnRun done,
                                   own_.at(first.own.get())->run(scalar_of_own(first), launches));
                               return done.times;
                             }
                             STREAMGAGE_TRY(const DeviceRun done,
                                            workload_.run(first, *first.shape->device, launches));
                             return done.times;
                           }};
    STREAMGAGE_TRY(clock_, try_clock(device_.facts(), trial, [this] { return run_.go_on(); }));
    STREAMGAGE_TRY(run_.records.write(to_record(clock_)));
    return {};
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
        [this](const LaunchTimes& times) { return clock_.seconds_of(times); },
        [this] { return !run_.go_on(); });
    std::vector<Variant> quicker;
    std::size_t left = variants.size();
    for (const Variant& variant : variants) {
      if (variant.own) {
        continue;
      }
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
  const std::vector<DeviceOwnKernel>& own_kernels_;
  DeviceWorkload workload_;
  DeviceStates states_;
  DeviceClock clock_;
  std::map<const OwnKernel*, std::unique_ptr<DeviceOwnWorkload>> own_;
  std::map<const OwnKernel*, std::int64_t> runs_of_own_;
};

// Whether the device can have the plan's own kernels.
Result<void> check_own_languages(const Plan& plan, Device& device) {
  const DeviceFacts& facts = device.facts();
  for (const OwnKernelFile& file : plan.own_kernels) {
    if (file.language != facts.language) {
      return usage_error(fmt::format("{} is in {}, and {} ({}) compiles {}: name another device",
                                     file.source.value_or(file.path),
                                     file.language ? name_of(*file.language) : "machine code",
                                     facts.id, facts.name, name_of(facts.language)));
    }
  }
  if (!plan.own_kernels.empty()) {
    STREAMGAGE_TRY(device.own_compiler());
  }
  return {};
}

}  // namespace

Result<void> check_device_plan(const Plan& plan, Device& device) {
  const DeviceFacts& facts = device.facts();
  STREAMGAGE_TRY(check_own_languages(plan, device));
  if (plan.type == ElementType::kDouble && !facts.has_double) {
    return usage_error(
        fmt::format("{} ({}) has no double: measure float (--type float)", facts.id, facts.name));
  }
  STREAMGAGE_TRY(const auto variants, standard_variants(plan, facts));
  if (variants.empty()) {  // own kernels have sizes of their own
    return {};
  }
  STREAMGAGE_TRY(const auto asked, asked_array_bytes(plan, VariantChoice{variants, {}, {}}));
  if (asked && facts.largest_array_bytes > 0 && *asked > facts.largest_array_bytes) {
    return usage_error(fmt::format("{} ({}) gives no array of {}: ask for at most {}", facts.id,
                                   facts.name, format_bytes(*asked),
                                   format_bytes(facts.largest_array_bytes / kMiB * kMiB)));
  }
  return {};
}

Result<DeviceOutcome> run_device_session(const Machine& machine, const Plan& plan, Device& device,
                                         RecordSink& sink) {
  const Instant start = now();
  if (!machine.is_this_system) {
    return tl::unexpected<Error>(not_this_machine());
  }
  STREAMGAGE_TRY(check_device_plan(plan, device));
  std::vector<DeviceOwnKernel> own;
  STREAMGAGE_TRY(auto decision, decide_on_device(machine, plan, device, own));
  Run run{machine, plan, decision, sink, start};
  DeviceWorkers workers(run, device, own);
  Outcome outcome = measure_run(run, workers);
  outcome.circumstances.arrays = decision.arrays;
  outcome.circumstances.size = decision.size;
  outcome.circumstances.last_level_cache_bytes = decision.size_request.last_level_cache_bytes;
  return DeviceOutcome{std::move(outcome), workers.states()};
}

}  // namespace streamgage::engine
