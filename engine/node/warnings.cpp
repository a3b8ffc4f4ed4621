#include "node/warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "contract/warnings.hpp"
#include "node/rate_words.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

using Maybe = std::optional<Warning>;

// The share of the CPUs' time while the run measured.
double share_of(const NodeResult& result, const std::optional<double>& cpu_seconds) {
  const double all = result.circumstances.disturbance.seconds *
                     static_cast<double>(result.circumstances.cpus.size());
  return all > 0 ? cpu_seconds.value_or(0.0) / all : 0.0;
}

std::string name_of_figure(const Variant& variant) {
  return fmt::format("{} {}", variant.kernel->name, name_of(variant.store));
}

// The names of the figures that are so, and nothing where there are none.
template <class Condition>
std::string named(const NodeResult& result, const Condition& is_so) {
  std::vector<std::string> names;
  for (const Figure& each : result.figures) {
    if (is_so(each)) {
      names.push_back(name_of_figure(each.variant));
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string quiet_time(const NodeResult& result) {
  const MeasuredTime& measured = result.circumstances.measured;
  const double share = measured.seconds > 0 ? measured.quiet_seconds / measured.seconds : 1.0;
  return fmt::format(warnings::kQuietTime, format_share(std::min(share, 1.0)));
}

Maybe disturbed(const NodeResult& result) {
  const std::string names = named(result, [](const Figure& each) { return each.is_disturbed; });
  if (names.empty()) {
    return {};
  }
  return Warning{"disturbed", fmt::format(warnings::kDisturbed, names, "--seconds"),
                 "the threads never had their CPUs at the same time"};
}

Maybe invalid(const NodeResult& result) {
  const std::string names = named(result, [](const Figure& each) { return each.valid == false; });
  if (names.empty()) {
    return {};
  }
  const std::string test =
      fmt::format(warnings::kTestTheParts, result.device ? "device" : "processor");
  return Warning{"invalid", fmt::format(warnings::kWrong, names, test), {}};
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
  return Warning{
      "not-bound", fmt::format(warnings::kNotBound, count_of(result.threads, "thread")), {}};
}

Maybe fewer_cpus(const NodeResult& result) {
  const std::string asked = count_of(result.circumstances.asked_threads, "thread");
  if (result.threads >= result.circumstances.asked_threads) {
    return {};
  }
  return Warning{"fewer-cpus",
                 fmt::format(warnings::kFewerThreads, asked, result.threads,
                             count_of(result.threads, "thread")),
                 fmt::format(warnings::kFewerThreadsShort, result.threads, asked)};
}

Maybe confined(const NodeResult& result) {
  const CpuList& cpus = result.machine.allowed_cpus;
  const std::size_t online = result.machine.online_cpus.size();
  if (cpus.size() >= online) {
    return {};
  }
  return Warning{"confined",
                 fmt::format(warnings::kConfined, cpus.size(), online, format_cpu_list(cpus)),
                 fmt::format(warnings::kConfinedShort, cpus.size(), online)};
}

Maybe cpu_quota(const NodeResult& result) {
  const auto quota = result.machine.cpu_quota;
  const auto& stopped = result.circumstances.disturbance.throttled_seconds;
  const bool is_felt = share_of(result, stopped) > warnings::kLittleThrottling;
  if (!is_felt && !(quota && *quota < result.threads)) {
    return {};
  }
  const std::string granted =
      quota ? fmt::format("{:g} CPU{}", *quota, *quota == 1.0 ? "" : "s") : "";
  const std::string threads = count_of(result.threads, "thread");
  const int most = quota ? std::max(1, static_cast<int>(*quota)) : result.threads;
  const std::string remedy = most < result.threads ? fmt::format(warnings::kFewerForTheQuota, most)
                                                   : std::string(warnings::kRaiseTheQuota);
  const std::string seen =
      is_felt ? fmt::format(warnings::kQuotaFelt, quota ? " of " + granted : "", *stopped)
              : fmt::format(warnings::kQuotaTooSmall, granted, threads);
  return Warning{"cpu-quota", fmt::format(warnings::kQuota, seen, remedy),
                 is_felt ? fmt::format(warnings::kQuotaFeltShort, *stopped)
                         : fmt::format(warnings::kQuotaTooSmallShort, granted, threads)};
}

Maybe below_rule(const NodeResult& result) {
  const ArraySize& size = result.circumstances.size;
  if (size.bytes >= size.rule_bytes) {
    return {};
  }
  const auto caches = result.circumstances.last_level_cache_bytes;
  const std::string ratio =
      format_ratio(static_cast<double>(size.bytes) / static_cast<double>(caches));
  const std::string seen = caches == 0 ? std::string(warnings::kFewElements)
                                       : fmt::format(warnings::kTimesTheCache, ratio);
  const std::string remedy =
      size.cap_bytes ? fmt::format(warnings::kNoLargerArrays, "")
                     : fmt::format(warnings::kLargerArrays, round_up(size.rule_bytes, kMiB) / kMiB);
  return Warning{"below-4x-rule",
                 fmt::format(warnings::kBelowRule, format_bytes(size.bytes), seen,
                             format_bytes(size.rule_bytes), "cache", remedy),
                 {}};
}

Maybe steal(const NodeResult& result) {
  const auto& seconds = result.circumstances.disturbance.steal_seconds;
  const double share = share_of(result, seconds);
  if (share <= warnings::kMuchLoad) {
    return {};
  }
  return Warning{"steal",
                 fmt::format(warnings::kSteal, format_share(share), *seconds,
                             fmt::format(". {}.", quiet_time(result))),
                 fmt::format(warnings::kStealShort, format_share(share))};
}

Maybe other_load(const NodeResult& result) {
  const auto& seconds = result.circumstances.disturbance.other_seconds;
  const double share = share_of(result, seconds);
  if (share <= warnings::kMuchLoad) {
    return {};
  }
  return Warning{
      "other-load",
      fmt::format(warnings::kOtherLoad, format_share(share), *seconds, quiet_time(result)),
      fmt::format(warnings::kOtherLoadShort, format_share(share))};
}

std::string slowed_in_words(const std::string& reason) {
  for (const warnings::SlowReason each : warnings::kEachSlowReason) {
    if (name_of(each) == reason) {
      return std::string(slowed_by(each));
    }
  }
  return reason;
}

Maybe device_slowed(const NodeResult& result) {
  const DeviceStates& states = result.device->states;
  if (states.slowed_by().empty()) {
    return {};
  }
  std::vector<std::string> reasons;
  for (const auto& [reason, readings] : states.slowed_by()) {
    reasons.push_back(fmt::format(warnings::kInReadings, slowed_in_words(reason), readings,
                                  count_of(states.readings(), "reading")));
  }
  return Warning{"device-slowed",
                 fmt::format(warnings::kDeviceSlowed, fmt::join(reasons, ", "),
                             "Look at its temperature and its power."),
                 {}};
}

Maybe device_shared(const NodeResult& result) {
  const int others = result.device->states.other_processes().value_or(0);
  if (others == 0) {
    return {};
  }
  const std::string who =
      others == 1 ? "1 other process" : fmt::format("{} other processes", others);
  return Warning{"device-shared", fmt::format(warnings::kDeviceShared, who),
                 fmt::format(warnings::kDeviceSharedShort, who)};
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
