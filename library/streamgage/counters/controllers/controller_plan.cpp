#include "streamgage/counters/controllers/controller_plan.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/counters/pmu/pmu.hpp"

namespace streamgage {
namespace {

// By these a PMU looks like a memory controller's.
constexpr std::array<std::string_view, 7> kLookLikeMemory{
    "uncore_imc", "amd_umc", "amd_df", "nvidia_scf_pmu", "hisi_sccl", "arm_dmc", "nest_mc"};

bool looks_like_memory(const std::string& name) {
  return std::any_of(kLookLikeMemory.begin(), kLookLikeMemory.end(), [&](std::string_view start) {
    return name.starts_with(start) &&
           (start != "hisi_sccl" || name.find("_ddrc") != std::string::npos);
  });
}

bool belongs_to(const ControllerRow& row, const std::string& name) {
  return std::any_of(row.pmus.begin(), row.pmus.end(),
                     [&](std::string_view pattern) { return matches_pmu(pattern, name); });
}

// Of x86, by its model; elsewhere by the PMUs that are there.
const ControllerRow* find_row(const FileRoots& roots, const std::vector<std::string>& names) {
  const ProcessorModel processor = find_processor_model(roots);
  for (const ControllerRow& row : controller_table()) {
    if (row.applies(processor) &&
        (processor.maker != Maker::kOther ||
         std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return belongs_to(row, name); }))) {
      return &row;
    }
  }
  return nullptr;
}

struct NamedEvent {
  std::string name;
  EventCode code;
};

// All events of a PMU that the pattern names.
Result<std::vector<NamedEvent>> events_by_alias(const Pmu& pmu, std::string_view pattern) {
  std::vector<NamedEvent> found;
  for (const auto& [alias, terms] : pmu.events) {
    if (alias.find('.') == std::string::npos && matches_alias(pattern, alias)) {
      STREAMGAGE_TRY(auto code, event_by_alias(pmu, alias));
      found.push_back({alias, std::move(code)});
    }
  }
  return found;
}

Result<std::vector<NamedEvent>> events_of(const Pmu& pmu, const ControllerRow& row,
                                          const ControllerEvent& event) {
  if (!row.ignores_aliases && !event.alias.empty()) {
    auto found = events_by_alias(pmu, event.alias);
    if (!found || !found->empty()) {
      return found;
    }
  }
  if (event.terms.empty()) {
    return failure(fmt::format("{}: it has no event {}", pmu.name, event.alias));
  }
  STREAMGAGE_TRY(auto code, event_by_terms(pmu, std::string(event.terms)));
  return std::vector<NamedEvent>{{std::string(event.terms), std::move(code)}};
}

Result<std::vector<PlannedCounter>> counters_of(const Pmu& pmu, const ControllerRow& row,
                                                const MemoryDomains& domains) {
  if (!pmu.cpumask) {
    return failure(
        fmt::format("{}: cpumask: it is missing, so the CPU to count on is unknown", pmu.name));
  }
  std::vector<PlannedCounter> counters;
  for (const ControllerEvent& event : row.events) {
    STREAMGAGE_TRY(const auto found, events_of(pmu, row, event));
    for (const auto& [name, code] : found) {
      for (const int cpu : *pmu.cpumask) {
        const auto domain = domains.of_cpu(cpu, row.scope);
        if (!domain) {
          return failure(fmt::format("{}: cpumask: {}", pmu.name, domain.error().message));
        }
        counters.push_back(
            {{fmt::format("{}/{}/ on CPU {}", pmu.name, name, cpu), *domain, event.direction,
              code.bytes_per_count.value_or(event.bytes_per_count), row.counter_bits},
             {pmu.name, name, code.terms, pmu.type, code.words, cpu}});
      }
    }
  }
  return counters;
}

void add_counters(ControllerPlan& plan, const FileRoots& roots, const std::string& name,
                  const MemoryDomains& domains) {
  auto counters = read_pmu(roots, name).and_then([&](const Pmu& pmu) {
    return counters_of(pmu, *plan.row, domains);
  });
  if (!counters) {
    plan.rejected.push_back(std::move(counters.error().message));
    return;
  }
  std::move(counters->begin(), counters->end(), std::back_inserter(plan.counters));
}

// A machine that has one kind of a row's PMUs has all: those of the others are missing.
void add_missing_kinds(ControllerPlan& plan, const std::vector<std::string>& names) {
  if (plan.counters.empty() && plan.rejected.empty()) {
    return;
  }
  for (const std::string_view pattern : plan.row->pmus) {
    if (std::none_of(names.begin(), names.end(),
                     [&](const std::string& name) { return matches_pmu(pattern, name); })) {
      plan.rejected.push_back(fmt::format("{}: the kernel shows no such PMU", pattern));
    }
  }
}

}  // namespace

ControllerPlan plan_controllers(const FileRoots& roots) {
  const auto names = pmu_names(roots);
  ControllerPlan plan;
  plan.row = find_row(roots, names);
  const MemoryDomains domains(roots);
  for (const std::string& name : names) {
    if (plan.row != nullptr && belongs_to(*plan.row, name)) {
      add_counters(plan, roots, name, domains);
    } else if (looks_like_memory(name)) {
      plan.passed_over.push_back(
          plan.row == nullptr
              ? fmt::format("{}: its events are not known for this processor", name)
              : fmt::format("{}: it does not count the memory's traffic on this processor ({})",
                            name, plan.row->machine));
    }
  }
  if (plan.row != nullptr) {
    add_missing_kinds(plan, names);
  }
  return plan;
}

}  // namespace streamgage
