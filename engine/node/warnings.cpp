#include "node/warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

using Maybe = std::optional<Warning>;

// Shares of the CPUs' time above which others, or a quota, count.
constexpr double kMuchLoad = 0.02;
constexpr double kMuchThrottling = 0.001;

double percent(double share) { return 100.0 * share; }

// The share of the CPUs' time while the run measured.
double share_of(const NodeResult& result, const std::optional<double>& cpu_seconds) {
  const double all = result.circumstances.disturbance.seconds *
                     static_cast<double>(result.circumstances.cpus.size());
  return all > 0 ? cpu_seconds.value_or(0.0) / all : 0.0;
}

std::string name_of_figure(const Variant& variant) {
  return fmt::format("{} {}", variant.kernel->name, name_of(variant.store));
}

std::string counted_in_words(const NodeResult& result) {
  const MeasuredTime& measured = result.circumstances.measured;
  const double share = measured.seconds > 0 ? measured.quiet_seconds / measured.seconds : 1.0;
  return fmt::format(
      "The figures count only the {:.0f} % of the measured time in which all threads had their "
      "CPUs",
      percent(std::min(share, 1.0)));
}

Maybe disturbed(const NodeResult& result) {
  std::vector<std::string> names;
  for (const Figure& each : result.figures) {
    if (each.is_disturbed) {
      names.push_back(name_of_figure(each.variant));
    }
  }
  if (names.empty()) {
    return {};
  }
  return Warning{
      "disturbed",
      fmt::format("Every sample of {} was disturbed: the threads never had their CPUs at "
                  "the same time for a millisecond. Such figures are too low and have "
                  "no interval. Stop other programs, or measure longer.",
                  fmt::join(names, ", ")),
      "the threads never had their CPUs at the same time"};
}

Maybe invalid(const NodeResult& result) {
  std::vector<std::string> names;
  for (const Figure& each : result.figures) {
    if (each.valid == false) {
      names.push_back(name_of_figure(each.variant));
    }
  }
  if (names.empty()) {
    return {};
  }
  return Warning{"invalid",
                 fmt::format("The results of {} are wrong, so their figures mean "
                             "nothing. Test the memory and the {}.",
                             fmt::join(names, ", "), result.device ? "device" : "processor"),
                 {}};
}

Maybe unfinished(const NodeResult& result) {
  const bool unchecked = std::any_of(result.figures.begin(), result.figures.end(),
                                     [](const Figure& each) { return !each.valid; });
  if (!unchecked) {
    return {};
  }
  return Warning{"unfinished",
                 "The run ended before the results were checked. Measure again for figures to "
                 "quote.",
                 "the run ended early"};
}

Maybe not_bound(const NodeResult& result) {
  if (result.circumstances.bound) {
    return {};
  }
  return Warning{"not-bound",
                 "The threads were not bound to CPUs and may have moved. Leave --cpus none out.",
                 {}};
}

Maybe fewer_cpus(const NodeResult& result) {
  const int wanted = result.circumstances.asked_threads;
  if (result.threads >= wanted) {
    return {};
  }
  return Warning{"fewer-cpus",
                 fmt::format("The OpenMP runtime gave {} of {}. Unset OMP_THREAD_LIMIT.",
                             result.threads, count_of(wanted, "thread")),
                 fmt::format("{} of {} ran", result.threads, count_of(wanted, "thread"))};
}

Maybe confined(const NodeResult& result) {
  const std::size_t allowed = result.machine.allowed_cpus.size();
  const std::size_t online = result.machine.online_cpus.size();
  if (allowed >= online) {
    return {};
  }
  return Warning{"confined",
                 fmt::format("This process may use {} of {} CPUs, so the figures are not those of "
                             "the whole node. Ask the launcher or the container for all CPUs.",
                             allowed, online),
                 fmt::format("it may use {} of {} CPUs", allowed, online)};
}

Maybe cpu_quota(const NodeResult& result) {
  const auto quota = result.machine.cpu_quota;
  const auto& stopped = result.circumstances.disturbance.throttled_seconds;
  if (share_of(result, stopped) > kMuchThrottling) {
    return Warning{"cpu-quota",
                   fmt::format("A CPU quota stopped the threads for {:.2f} CPU-seconds, so the "
                               "figures are too low. Raise the quota, or use fewer --threads.",
                               *stopped),
                   fmt::format("a CPU quota stopped the threads for {:.2f} CPU-seconds", *stopped)};
  }
  if (quota && *quota < result.threads) {
    return Warning{
        "cpu-quota",
        fmt::format(
            "A CPU quota grants the time of {:g} CPUs to {}. Raise it, or use fewer --threads.",
            *quota, count_of(result.threads, "thread")),
        fmt::format("a CPU quota grants {:g} CPUs to {}", *quota,
                    count_of(result.threads, "thread"))};
  }
  return {};
}

Maybe below_rule(const NodeResult& result) {
  const ArraySize& size = result.circumstances.size;
  if (size.bytes >= size.rule_bytes) {
    return {};
  }
  return Warning{"below-4x-rule",
                 fmt::format("Each array is {}; STREAM's rule asks for {}, 4 times the last-level "
                             "{}. Part of the data may come from the caches. {}",
                             format_bytes(size.bytes), format_bytes(size.rule_bytes),
                             result.device ? "cache of the device" : "caches in use",
                             size.cap_bytes ? "The free memory holds no larger arrays."
                                            : "Leave --size out, or give a larger one."),
                 {}};
}

Maybe steal(const NodeResult& result) {
  const double share = share_of(result, result.circumstances.disturbance.steal_seconds);
  if (share <= kMuchLoad) {
    return {};
  }
  return Warning{"steal",
                 fmt::format("The hypervisor took {:.0f} % of the CPUs' time. {}. Other guests may "
                             "use the memory, too: measure again at a quieter time.",
                             percent(share), counted_in_words(result)),
                 fmt::format("the hypervisor took {:.0f} % of the CPUs' time", percent(share))};
}

Maybe other_load(const NodeResult& result) {
  const double share = share_of(result, result.circumstances.disturbance.other_seconds);
  if (share <= kMuchLoad) {
    return {};
  }
  return Warning{"other-load",
                 fmt::format("Other programs used {:.0f} % of the CPUs' time. {}. For certain "
                             "figures, stop them and measure again.",
                             percent(share), counted_in_words(result)),
                 fmt::format("other programs used {:.0f} % of the CPUs' time", percent(share))};
}

Maybe device_slowed(const NodeResult& result) {
  const DeviceStates& states = result.device->states;
  if (states.slowed_by().empty()) {
    return {};
  }
  std::vector<std::string> reasons;
  for (const auto& [reason, readings] : states.slowed_by()) {
    reasons.push_back(
        fmt::format("{} (in {} of {})", reason, readings, count_of(states.readings(), "reading")));
  }
  return Warning{"device-slowed",
                 fmt::format("The clocks of the device were kept low: {}. Look at its temperature "
                             "and its power.",
                             fmt::join(reasons, ", ")),
                 {}};
}

Maybe device_shared(const NodeResult& result) {
  const int others = result.device->states.other_processes().value_or(0);
  if (others == 0) {
    return {};
  }
  const std::string who =
      others == 1 ? "1 other process" : fmt::format("{} other processes", others);
  return Warning{"device-shared",
                 fmt::format("{} had the device open, so the figures may be too low. End them, and "
                             "measure again.",
                             who),
                 fmt::format("{} had the device open", who)};
}

using WarningCheck = Maybe (*)(const NodeResult& result);

constexpr std::array<WarningCheck, 10> kOfProcessor{
    &invalid,  &unfinished, &not_bound,  &fewer_cpus, &cpu_quota,
    &confined, &disturbed,  &below_rule, &steal,      &other_load};
constexpr std::array<WarningCheck, 5> kOfDevice{&invalid, &unfinished, &below_rule, &device_slowed,
                                                &device_shared};

std::vector<Warning> found_by(std::span<const WarningCheck> checks, const NodeResult& result) {
  std::vector<Warning> found;
  for (const WarningCheck check : checks) {
    if (auto warning = check(result)) {
      found.push_back(*std::move(warning));
    }
  }
  return found;
}

}  // namespace

std::vector<Warning> warnings_of(const NodeResult& result) {
  return result.device ? found_by(kOfDevice, result) : found_by(kOfProcessor, result);
}

std::optional<std::string> disturbance_of(const NodeResult& result) {
  for (const Warning& each : result.warnings) {
    if (each.disturbance) {
      return each.disturbance;
    }
  }
  return {};
}

std::optional<double> share_taken(const NodeResult& result) {
  const Disturbance& seen = result.circumstances.disturbance;
  if (!seen.other_seconds && !seen.steal_seconds) {
    return {};
  }
  const double share = share_of(result, seen.other_seconds) + share_of(result, seen.steal_seconds);
  return std::round(std::clamp(share, 0.0, 1.0) * 1e4) / 1e4;
}

}  // namespace streamgage::engine
