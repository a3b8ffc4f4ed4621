#include "measure/setup.hpp"

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>

#include <fmt/format.h>

#include "kernels/vector/shapes.hpp"
#include "memory/memory_nodes.hpp"
#include "memory/pages.hpp"

namespace streamgage {
namespace {

constexpr int kPagesAPart = 64;

CpuList home_node(const Machine& machine, int cpu) {
  const HardwareThread* home = find_hardware_thread(machine, cpu);
  return home == nullptr ? CpuList{} : CpuList{home->node};
}

// Remote is a page that lies elsewhere than on `nodes`, or without these than on the node of the
// thread that uses it.
Json pages_of_array(const Machine& machine, const Workload& workload, const CpuList& nodes,
                    const Touch& touch, int number, std::optional<std::string>& reason) {
  const Array& array = workload.array(number);
  std::uint64_t checked = 0;
  std::uint64_t remote = 0;
  for (std::size_t part = 0; part < workload.parts().size(); ++part) {
    const CpuList right = nodes.empty() ? home_node(machine, touch.cpus[part]) : nodes;
    const PageNodes pages =
        nodes_of_pages(array, workload.parts()[part], size_of(workload.type()), kPagesAPart);
    if (pages.reason || right.empty()) {
      reason = pages.reason.value_or("the NUMA domain of a CPU is not known");
      continue;
    }
    checked += pages.nodes.size();
    remote += static_cast<std::uint64_t>(std::count_if(
        pages.nodes.begin(), pages.nodes.end(),
        [&right](int node) { return std::find(right.begin(), right.end(), node) == right.end(); }));
  }
  return {{"name", std::string(1, static_cast<char>('a' + number))},
          {"huge_share", or_null(huge_page_share(array))},
          {"checked_pages", checked},
          {"remote_pages", remote}};
}

Json list_or_null(const CpuList& list) { return list.empty() ? Json(nullptr) : Json(list); }

}  // namespace

std::uint64_t draw_seed() {
  std::random_device device;
  // 53 bits: every JSON reader keeps such a number whole.
  return ((static_cast<std::uint64_t>(device()) << 32U) | device()) >> 11U;
}

Error not_this_machine() {
  return {
      "the topology is not that of this machine, so nothing can be measured by it; unset "
      "HWLOC_SYNTHETIC, HWLOC_XMLFILE and HWLOC_FSROOT",
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
  const int arrays = arrays_used(*choice.variants.front().kernel);
  for (const Variant& variant : choice.variants) {
    if (arrays_used(*variant.kernel) != arrays) {
      return usage_error(fmt::format(
          "a working set is asked for, and {} and {} use unlike numbers of arrays; measure them "
          "one after the other, or give array_bytes",
          choice.variants.front().kernel->name, variant.kernel->name));
    }
  }
  const auto element = static_cast<std::uint64_t>(size_of(plan.type));
  const std::uint64_t bytes = *plan.working_set_bytes / static_cast<std::uint64_t>(arrays);
  if (bytes < element) {
    return usage_error(fmt::format(
        "a working set of {} bytes leaves no element for each of {} arrays; ask for at least {}",
        *plan.working_set_bytes, arrays, element * static_cast<std::uint64_t>(arrays)));
  }
  return bytes;
}

Result<Decision> decide(const Machine& machine, const Plan& plan) {
  if (!machine.is_this_system) {
    return tl::unexpected<Error>(not_this_machine());
  }
  auto choice = choose_variants(plan);
  if (!choice) {
    return tl::unexpected<Error>(choice.error());
  }
  auto placement = choose_placement(machine, plan.placement, runtime_thread_count());
  if (!placement) {
    return tl::unexpected<Error>(placement.error());
  }
  auto nodes = choose_memory_nodes(machine, plan.memory_nodes);
  if (!nodes) {
    return tl::unexpected<Error>(nodes.error());
  }
  const auto asked = asked_array_bytes(plan, *choice);
  if (!asked) {
    return tl::unexpected<Error>(asked.error());
  }
  Decision decision;
  decision.memory_nodes = std::move(*nodes);
  decision.choice = std::move(*choice);
  decision.placement = std::move(*placement);
  decision.size_request = {
      last_level_cache_bytes(machine, cpus_in_use(machine, decision.placement)), size_of(plan.type),
      arrays_needed(decision.choice.variants), decision.placement.threads, *asked};
  const auto size =
      choose_array_size(memory_budget(machine, decision.memory_nodes), decision.size_request);
  if (!size) {
    return tl::unexpected<Error>(size.error());
  }
  decision.size = *size;
  decision.seed = plan.seed.value_or(draw_seed());
  return decision;
}

void take_size_of_team(const Machine& machine, int threads, Decision& decision) {
  CpuList& cpus = decision.placement.cpus;
  cpus.resize(std::min(cpus.size(), static_cast<std::size_t>(threads)));
  decision.size_request.last_level_cache_bytes =
      last_level_cache_bytes(machine, cpus_in_use(machine, decision.placement));
}

Json plan_record(const Plan& plan, const Decision& decision, int threads) {
  Json kernels = Json::array();
  for (const Variant& variant : decision.choice.variants) {
    if (kernels.empty() || kernels.back() != variant.kernel->name) {
      kernels.push_back(variant.kernel->name);
    }
  }
  const PlacementRequest& asked = plan.placement;
  const CpuList& cpus = asked.expression ? decision.placement.cpus : asked.cpus;
  return {{"record", "plan"},
          {"kernels", std::move(kernels)},
          {"stores", or_null(plan.stores)},
          {"isas", or_null(plan.isas)},
          {"shape", plan.shape ? to_json(*plan.shape) : Json(nullptr)},
          {"plain_library", plan.plain_library ? Json(plan.plain_library->code) : Json(nullptr)},
          {"tuning_seconds", plan.tuning ? Json(plan.tuning->budget_seconds) : Json(nullptr)},
          {"checks", plan.checks},
          {"idle_latency", plan.idle_latency},
          {"core_clock", plan.core_clock},
          {"counters", plan.counters},
          {"peak_bytes_per_second", or_null(plan.peak_bytes_per_second)},
          {"type", name_of(plan.type)},
          {"placement", name_of(decision.placement.kind)},
          {"cpus", list_or_null(cpus)},
          {"expression", or_null(asked.expression)},
          {"oversubscribe", asked.oversubscribe},
          {"array_bytes", or_null(plan.array_bytes)},
          {"working_set_bytes", or_null(plan.working_set_bytes)},
          {"huge_pages", plan.huge_pages},
          {"memory_nodes", list_or_null(decision.memory_nodes)},
          {"threads", threads},
          {"seed", decision.seed},
          {"sampling",
           {{"min_samples", plan.sampling.min_samples},
            {"look_every", plan.sampling.look_every},
            {"max_samples", plan.sampling.max_samples},
            {"budget_seconds", plan.sampling.budget_seconds},
            {"epoch_blocks", or_null(plan.sampling.epoch_blocks)}}}};
}

std::vector<Json> kernel_records(const VariantChoice& choice) {
  std::vector<Json> records;
  const Kernel* last = nullptr;
  for (const Variant& variant : choice.variants) {
    if (variant.kernel != last) {
      last = variant.kernel;
      records.push_back(to_record(*last));
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

Json placement_record(const Machine& machine, const Placement& placement, const Team& team) {
  Json threads = Json::array();
  for (int thread = 0; thread < team.size(); ++thread) {
    const auto at = static_cast<std::size_t>(thread);
    const int cpu = team.cpus()[at];
    const HardwareThread* home = find_hardware_thread(machine, cpu);
    threads.push_back({{"cpu", cpu},
                       {"core", home != nullptr ? home->core : -1},
                       {"package", home != nullptr ? home->package : -1},
                       {"node", home != nullptr ? home->node : -1},
                       {"mask", format_cpu_list(team.masks()[at])}});
  }
  return {{"record", "placement"},           {"openmp", or_null(openmp_library())},
          {"kind", name_of(placement.kind)}, {"asked_threads", placement.threads},
          {"bound", team.bound()},           {"threads", std::move(threads)}};
}

Json memory_record(const Machine& machine, const Decision& decision, const Workload& workload,
                   const Touch& touch, int epoch) {
  std::optional<std::string> reason;
  Json arrays = Json::array();
  for (int number = 0; number < workload.arrays(); ++number) {
    arrays.push_back(
        pages_of_array(machine, workload, decision.memory_nodes, touch, number, reason));
  }
  const ArraySize& size = decision.size;
  return {{"record", "memory"},
          {"epoch", epoch},
          {"array_bytes", size.bytes},
          {"elements", size.elements},
          {"element_bytes", decision.size_request.element_bytes},
          {"nodes", list_or_null(decision.memory_nodes)},
          {"arrays", std::move(arrays)},
          {"rule_bytes", size.rule_bytes},
          {"last_level_cache_bytes", decision.size_request.last_level_cache_bytes},
          {"asked_bytes", or_null(decision.size_request.asked_bytes)},
          {"capped_by", size.cap_bytes ? Json(size.capped_by) : Json(nullptr)},
          {"cap_bytes", or_null(size.cap_bytes)},
          {"touch_seconds", touch.seconds},
          {"pages_reason", or_null(reason)}};
}

}  // namespace streamgage
