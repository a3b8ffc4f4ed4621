#include "measure/setup.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "kernels/choose_variants.hpp"
#include "kernels/vector/shapes.hpp"
#include "measure/expectation.hpp"
#include "measure/openmp_library.hpp"
#include "measure/own/own_sizes.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/memory/memory_nodes.hpp"
#include "streamgage/memory/partition.hpp"

namespace streamgage::engine {
namespace {

std::int64_t largest_part(const std::vector<Range>& parts) {
  std::int64_t most = 0;
  for (const Range& part : parts) {
    most = std::max(most, part.size());
  }
  return most;
}

}  // namespace

std::uint64_t draw_seed() {
  std::random_device device;
  // 53 bits: every JSON reader keeps such a number whole.
  return ((static_cast<std::uint64_t>(device()) << 32U) | device()) >> 11U;
}

Error not_this_machine() {
  return {
      "the topology describes another machine, so nothing can be measured; unset HWLOC_SYNTHETIC, "
      "HWLOC_XMLFILE and HWLOC_FSROOT",
      ExitStatus::kUsage};
}

CpuList cpus_in_use(const Machine& machine, const Placement& placement) {
  if (placement.cpus.empty()) {
    return machine.allowed_cpus;
  }
  const std::set<int> cpus(placement.cpus.begin(), placement.cpus.end());
  return {cpus.begin(), cpus.end()};
}

Result<std::optional<std::uint64_t>> asked_array_bytes(const Plan& plan,
                                                       const VariantChoice& choice) {
  if (!plan.working_set_bytes) {
    return plan.array_bytes;
  }
  const Variant* first = nullptr;
  int arrays = 0;  // of an own kernel only where there is no other: its sizes are its own
  for (const Variant& variant : choice.variants) {
    if (variant.own) {
      const int worth = arrays_worth(*variant.own);
      arrays = first != nullptr ? arrays : arrays == 0 ? worth : std::min(arrays, worth);
    } else if (first == nullptr) {
      first = &variant;
      arrays = arrays_used(*variant.kernel);
    } else if (arrays_used(*variant.kernel) != arrays) {
      return usage_error(fmt::format(
          "{} and {} use different numbers of arrays, so one working set cannot serve both; "
          "measure them one after the other, or give array_bytes",
          first->kernel->name, variant.kernel->name));
    }
  }
  arrays = std::max(arrays, 1);
  const auto element = static_cast<std::uint64_t>(size_of(plan.type));
  const std::uint64_t bytes = *plan.working_set_bytes / static_cast<std::uint64_t>(arrays);
  if (bytes < element) {
    return usage_error(fmt::format(
        "a working set of {} bytes leaves no element for each of {}; ask for at least {}",
        *plan.working_set_bytes, count_of(arrays, "array"),
        element * static_cast<std::uint64_t>(arrays)));
  }
  return bytes;
}

namespace {

// Arrays of the size of the catalogue's that all kernels together come to.
int arrays_with_own(const Plan& plan, const Decision& decision,
                    const std::optional<std::uint64_t>& asked) {
  int arrays = decision.arrays;
  for (const Variant& variant : decision.choice.variants) {
    if (variant.own && plan.working_set_bytes) {
      arrays += static_cast<int>((*plan.working_set_bytes + *asked - 1) / *asked);
    } else if (variant.own) {
      arrays += arrays_worth(*variant.own);
    }
  }
  return std::max(arrays, 1);
}

// Own kernels do as many iterations as the size of arrays, or of the working set, allows. Without
// others, the size is that of their largest array.
Result<void> size_own_kernels(const Plan& plan, Decision& decision) {
  std::uint64_t largest = 0;
  for (Variant& variant : decision.choice.variants) {
    if (!variant.own) {
      continue;
    }
    STREAMGAGE_TRY(const auto iterations,
                   plan.working_set_bytes ? iterations_of_set(*variant.own, *plan.working_set_bytes)
                                          : iterations_of_array(*variant.own, decision.size.bytes));
    variant.elements = iterations;
    largest = std::max(largest, largest_array_bytes(*variant.own, iterations));
  }
  if (decision.arrays == 0 && largest > 0) {
    decision.size.bytes = largest;
    decision.size.elements = static_cast<std::int64_t>(largest / size_of(plan.type));
  }
  return {};
}

// As the plan says, else those that the threads in use can reach.
std::uint64_t cache_bytes(const Machine& machine, const Plan& plan, const Decision& decision) {
  return plan.last_level_cache_bytes.value_or(last_level_cache_bytes(
      machine, cpus_in_use(machine, decision.placement), decision.memory_nodes));
}

}  // namespace

Result<void> require_exact_sums(const Plan& plan, const VariantChoice& choice,
                                std::int64_t elements_a_part) {
  const auto most = most_exact_terms(plan.init, plan.type);
  const auto sum = std::find_if(choice.variants.begin(), choice.variants.end(),
                                [](const Variant& one) { return one.kernel->reduces(); });
  if (!most || elements_a_part <= *most || sum == choice.variants.end()) {
    return {};
  }
  return usage_error(fmt::format(
      "with init '{}', {} would round: a thread can add at most {} elements of type {} exactly, "
      "but has {}; ask for smaller arrays, more threads or doubles",
      name_of(plan.init), sum->kernel->name, *most, name_of(plan.type), elements_a_part));
}

Result<Decision> decide(const Machine& machine, const Plan& plan) {
  if (!machine.is_this_system) {
    return tl::unexpected<Error>(not_this_machine());
  }
  STREAMGAGE_TRY(auto choice, choose_variants(plan));
  STREAMGAGE_TRY(auto placement, choose_placement(machine, plan.placement, runtime_thread_count()));
  STREAMGAGE_TRY(auto nodes, choose_memory_nodes(machine, plan.memory_nodes.value_or(CpuList{})));
  STREAMGAGE_TRY(const auto asked, asked_array_bytes(plan, choice));
  Decision decision;
  decision.memory_nodes = std::move(nodes);
  decision.choice = std::move(choice);
  decision.placement = std::move(placement);
  // Counters are tried on the catalogue's kernels, whatever is measured.
  decision.arrays =
      std::max(arrays_needed(decision.choice.variants), plan.counters ? kArraysOfTrial : 0);
  decision.size_request = {cache_bytes(machine, plan, decision), size_of(plan.type),
                           arrays_with_own(plan, decision, asked), decision.placement.threads,
                           asked};
  STREAMGAGE_TRY(const auto size, choose_array_size(memory_budget(machine, decision.memory_nodes),
                                                    decision.size_request));
  decision.size = size;
  const auto parts = partition(size.elements, size_of(plan.type), decision.placement.threads);
  STREAMGAGE_TRY(require_exact_sums(plan, decision.choice, largest_part(parts)));
  STREAMGAGE_TRY(size_own_kernels(plan, decision));
  decision.seed = plan.seed.value_or(draw_seed());
  return decision;
}

void take_size_of_team(const Machine& machine, const Plan& plan, int threads, Decision& decision) {
  CpuList& cpus = decision.placement.cpus;
  cpus.resize(std::min(cpus.size(), static_cast<std::size_t>(threads)));
  decision.size_request.last_level_cache_bytes = cache_bytes(machine, plan, decision);
}

bool has_cpu_a_thread(const Machine& machine, const Placement& placement, int threads) {
  CpuList cpus = cpus_in_use(machine, placement);
  std::sort(cpus.begin(), cpus.end());
  const auto distinct = std::unique(cpus.begin(), cpus.end()) - cpus.begin();
  return distinct >= threads;
}

Json plan_record(const Plan& plan, const Decision& decision, int threads) {
  const PlacementRequest& asked = plan.placement;
  const auto unless_empty = [](const CpuList& list) {
    return list.empty() ? std::nullopt : std::optional(list);
  };
  record::PlanRecord written{
      .kernels = {},
      .copies = plan.copies,
      .stores = plan.stores,
      .isas = plan.isas,
      .shape = plan.shape,
      .checks = plan.checks,
      .idle_latency = plan.idle_latency,
      .stream_view = plan.stream_view,
      .core_clock = plan.core_clock,
      .counters = plan.counters,
      .peak_bytes_per_second = plan.peak_bytes_per_second,
      .type = plan.type,
      .init = plan.init,
      .alignment_bytes = plan.alignment_bytes,
      .placement = decision.placement.kind,
      .cpus = unless_empty(asked.expression ? decision.placement.cpus : asked.cpus),
      .expression = asked.expression,
      .oversubscribe = asked.oversubscribe,
      .threads = threads,
      .array_bytes = plan.array_bytes,
      .working_set_bytes = plan.working_set_bytes,
      .last_level_cache_bytes = plan.last_level_cache_bytes,
      .pages = plan.pages,
      .memory_nodes = unless_empty(decision.memory_nodes),
      .seed = decision.seed,
      .sampling = plan.sampling,
      .tiers = plan.tiers};
  for (const Variant& variant : decision.choice.variants) {
    auto& names = variant.purpose == Purpose::kEvidence ? written.evidence : written.kernels;
    if (names.empty() || names.back() != variant.kernel->name) {
      names.emplace_back(variant.kernel->name);
    }
    if (variant.own) {
      if (!written.own_kernels) {
        written.own_kernels.emplace();
      }
      written.own_kernels->push_back(
          {.name = variant.own->name, .source = variant.own->source, .code = variant.own->code});
    }
  }
  if (plan.plain_library) {
    written.plain_library = plan.plain_library->code;
  }
  if (!plan.own_kernels.empty()) {
    written.kernel_timeout_seconds = plan.kernel_timeout_seconds;
  }
  if (plan.tuning) {
    written.tuning_seconds = plan.tuning->budget_seconds;
  }
  return to_json(written);
}

std::vector<Json> kernel_records(const VariantChoice& choice) {
  std::vector<Json> records;
  const Kernel* last = nullptr;
  for (const Variant& variant : choice.variants) {
    if (variant.kernel != last) {
      last = variant.kernel;
      records.push_back(variant.own ? to_record(*variant.own, variant.elements.value_or(0))
                                    : to_record(*last));
    }
  }
  return records;
}

std::vector<Json> variant_records(const VariantChoice& choice) {
  std::vector<Json> records;
  for (const Variant& variant : choice.variants) {
    records.push_back(to_record(variant));
  }
  for (const AbsentVariant& absent : choice.absent) {
    records.push_back(to_record(absent));
  }
  return records;
}

std::vector<ThreadPlace> thread_places(const Machine& machine, const Team& team) {
  std::vector<ThreadPlace> places;
  for (std::size_t thread = 0; thread < team.cpus().size(); ++thread) {
    ThreadPlace place{team.cpus()[thread], -1, -1, -1, format_cpu_list(team.masks()[thread])};
    if (const HardwareThread* home = find_hardware_thread(machine, place.cpu)) {
      place.core = home->core;
      place.package = home->package.value_or(-1);
      place.node = home->node.value_or(-1);
    }
    places.push_back(std::move(place));
  }
  return places;
}

record::ThreadPlace record_of(const ThreadPlace& place) {
  return {.cpu = place.cpu,
          .core = place.core,
          .package = place.package,
          .node = place.node,
          .mask = place.mask};
}

Json placement_record(const Machine& machine, const Placement& placement, const Team& team) {
  record::PlacementRecord written{.kind = placement.kind,
                                  .asked_threads = placement.threads,
                                  .bound = team.bound(),
                                  .threads = {},
                                  .openmp = openmp_library()};
  for (const ThreadPlace& place : thread_places(machine, team)) {
    written.threads.push_back(record_of(place));
  }
  return to_json(written);
}

}  // namespace streamgage::engine
