#include "node/parts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>

#include <fmt/format.h>

namespace streamgage::engine {
namespace {

constexpr double kSecondsOfDomain = 2.0;
constexpr double kSecondsOfCore = 0.5;
constexpr double kMostSeconds = 60.0;
constexpr std::size_t kStep = 8;

// All of them: every 8th, then those between.
template <class T>
std::vector<T> spread(const std::vector<T>& parts) {
  constexpr std::array<std::size_t, kStep> kFirst{0, 4, 2, 6, 1, 5, 3, 7};
  std::vector<T> order;
  order.reserve(parts.size());
  for (const std::size_t first : kFirst) {
    for (std::size_t place = first; place < parts.size(); place += kStep) {
      order.push_back(parts[place]);
    }
  }
  return order;
}

// The first CPU of each core that this process may use, by the number of the core.
std::map<int, HardwareThread> first_of_cores(const Machine& machine) {
  std::map<int, HardwareThread> first;
  for (const HardwareThread& each : machine.allowed) {
    const auto [place, is_new] = first.try_emplace(each.core, each);
    if (!is_new && each.cpu < place->second.cpu) {
      place->second = each;
    }
  }
  return first;
}

struct Kind {
  std::string_view one;
  std::string_view many;
  double seconds;
};

std::vector<PartRate> measure_each(const std::vector<NodePart>& parts, const Kind& kind,
                                   const MeasurePart& measure, const Seconds& clock,
                                   std::vector<std::string>& left_out) {
  const double begun = clock();
  std::vector<PartRate> found;
  std::size_t tried = 0;
  std::size_t disturbed = 0;
  for (const NodePart& part : spread(parts)) {
    if (clock() - begun > kMostSeconds) {
      left_out.push_back(fmt::format("{} of {} {} were measured by themselves within {:g} s", tried,
                                     parts.size(), kind.many, kMostSeconds));
      break;
    }
    ++tried;
    const auto run = measure(part.cpus, kind.seconds);
    if (!run) {
      left_out.push_back(fmt::format("{} {} was not measured by itself: {}", kind.one, part.number,
                                     run.error().message));
    } else if (run->stopped) {
      left_out.push_back(
          fmt::format("stopped after {} of {} {}", tried - 1, parts.size(), kind.many));
      break;
    } else if (run->rate) {
      found.push_back({part.number, *run->rate});
    } else {
      ++disturbed;
    }
  }
  if (disturbed > 0) {
    left_out.push_back(fmt::format("something disturbed {} of {} {}, so they have no figures",
                                   disturbed, parts.size(), kind.many));
  }
  std::sort(found.begin(), found.end(),
            [](const PartRate& one, const PartRate& other) { return one.number < other.number; });
  return found;
}

}  // namespace

std::vector<NodePart> domains_of(const Machine& machine) {
  std::map<int, CpuList> cpus;
  for (const auto& [core, thread] : first_of_cores(machine)) {
    if (thread.node) {
      cpus[*thread.node].push_back(thread.cpu);
    }
  }
  std::vector<NodePart> domains;
  domains.reserve(cpus.size());
  for (auto& [node, list] : cpus) {
    std::sort(list.begin(), list.end());
    domains.push_back({node, std::move(list)});
  }
  return domains;
}

std::vector<NodePart> cores_of(const Machine& machine) {
  std::vector<NodePart> cores;
  for (const auto& [core, thread] : first_of_cores(machine)) {
    cores.push_back({core, {thread.cpu}});
  }
  return cores;
}

PartRates measure_parts(const Machine& machine, const MeasurePart& measure, const Seconds& clock) {
  bool stopped = false;
  const MeasurePart until_stopped = [&](const CpuList& cpus, double seconds) -> Result<PartRun> {
    auto run = measure(cpus, seconds);
    stopped = stopped || (run && run->stopped);
    return run;
  };
  PartRates rates;
  const std::vector<NodePart> domains = domains_of(machine);
  if (domains.size() > 1) {
    rates.domains = measure_each(domains, {"NUMA domain", "NUMA domains", kSecondsOfDomain},
                                 until_stopped, clock, rates.left_out);
  }
  if (!stopped) {
    rates.cores = measure_each(cores_of(machine), {"core", "cores", kSecondsOfCore}, until_stopped,
                               clock, rates.left_out);
  }
  return rates;
}

Plan plan_of_part(const CpuList& cpus, double seconds, std::optional<std::uint64_t> array_bytes) {
  Plan plan;
  plan.kernels = {"triad"};
  plan.stores = {"plain"};
  plan.sampling.budget_seconds = seconds;
  plan.array_bytes = array_bytes;
  plan.placement.kind = PlacementKind::kCpus;
  plan.placement.expression = format_cpu_list(cpus);
  return plan;
}

}  // namespace streamgage::engine
