#include "records/machine_record.hpp"

#include <algorithm>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/json_lines.hpp"
#include "contract/machine.hpp"
#include "contract/plan.hpp"

namespace streamgage::engine {
namespace {

// Text from firmware and kernel need not be UTF-8, and JSON must be.
std::string utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<std::string> utf8(const std::optional<std::string>& text) {
  return text ? std::optional(utf8(*text)) : std::nullopt;
}

std::vector<std::string> as_texts(const std::vector<CpuList>& lists) {
  std::vector<std::string> texts;
  texts.reserve(lists.size());
  for (const CpuList& list : lists) {
    texts.push_back(format_cpu_list(list));
  }
  return texts;
}

record::Cache record_of(const Cache& cache) {
  return {.level = cache.level,
          .kind = cache.kind,
          .bytes = cache.bytes,
          .instances = cache.shared_by.size(),
          .line_bytes = cache.line_bytes,
          .cpus = as_texts(cache.shared_by)};
}

record::MemorySideCache record_of(const MemorySideCache& cache) {
  return {.bytes = cache.bytes,
          .instances = cache.nodes.size(),
          .line_bytes = cache.line_bytes,
          .nodes = as_texts(cache.nodes)};
}

record::NumaNode record_of(const NumaNode& node) {
  return {.node = node.os_index,
          .cpus = format_cpu_list(node.cpus),
          .bytes = node.bytes,
          .free_bytes = node.free_bytes,
          .available_bytes = node.available_bytes,
          .kind = node.kind};
}

record::CpuSet record_of(const CpuSet& set) {
  return {.source = set.source, .cpus = format_cpu_list(set.cpus), .file = utf8(set.file)};
}

std::vector<record::HardwareThread> threads_of(const Machine& machine) {
  const std::vector<CoreKind>& kinds = machine.core_kinds;
  std::vector<record::HardwareThread> list;
  for (const HardwareThread& thread : machine.threads) {
    record::HardwareThread& record =
        list.emplace_back(record::HardwareThread{.cpu = thread.cpu,
                                                 .core = thread.core,
                                                 .smt = thread.smt,
                                                 .package = thread.package,
                                                 .die = thread.die,
                                                 .node = thread.node});
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const CoreKind& each) {
      return std::binary_search(each.cpus.begin(), each.cpus.end(), thread.cpu);
    });
    if (kind != kinds.end()) {
      record.kind = kind - kinds.begin();
    }
  }
  return list;
}

// The whole matrix, or nothing where a distance lacks.
std::optional<record::NumaDistances> distances_of(const Machine& machine) {
  record::NumaDistances distances{.nodes = {}, .rows = {}};
  for (const NumaNode& from : machine.numa_nodes) {
    distances.nodes.push_back(from.os_index);
    auto& row = distances.rows.emplace_back();
    for (const NumaNode& to : machine.numa_nodes) {
      const auto distance = machine.node_distances.find({from.os_index, to.os_index});
      if (distance == machine.node_distances.end()) {
        return std::nullopt;
      }
      row.push_back(static_cast<std::uint64_t>(distance->second));
    }
  }
  return distances.rows.size() < 2 ? std::nullopt : std::optional(distances);
}

record::CoreKind record_of(const CoreKind& kind) {
  return {
      .name = utf8(kind.name), .efficiency = kind.efficiency, .cpus = format_cpu_list(kind.cpus)};
}

record::MemoryModule record_of(const MemoryModule& module) {
  return {.locator = utf8(module.locator),
          .bank = utf8(module.bank),
          .bytes = module.bytes,
          .kind = utf8(module.kind),
          .width_bits = module.width_bits,
          .megatransfers = module.megatransfers,
          .rated_megatransfers = module.rated_megatransfers};
}

record::ProcessorId record_of(const ProcessorId& id) {
  return {
      .vendor = utf8(id.vendor), .family = id.family, .model = id.model, .stepping = id.stepping};
}

record::Frequency record_of(const Frequency& frequency) {
  return {.governor = utf8(frequency.governor),
          .limit_hertz = frequency.limit_hertz,
          .hardware_hertz = frequency.hardware_hertz,
          .boost = frequency.boost};
}

template <class Fact>
auto records_of(const std::vector<Fact>& facts) {
  std::vector<decltype(record_of(facts.front()))> list;
  list.reserve(facts.size());
  for (const Fact& fact : facts) {
    list.push_back(record_of(fact));
  }
  return list;
}

template <class Fact>
auto record_or_none(const std::optional<Fact>& fact) {
  return fact ? std::optional(record_of(*fact)) : std::nullopt;
}

std::map<std::string, std::string> reasons_of(const Machine& machine) {
  std::map<std::string, std::string> reasons;
  for (const auto& [field, reason] : machine.unknown) {
    reasons[field] = utf8(reason);
  }
  return reasons;
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace

Json to_record(const Machine& machine) {
  return to_json(record::Machine{.schema = kSchemaVersion,
                                 .engine = STREAMGAGE_VERSION,
                                 .compiler = STREAMGAGE_COMPILER,
                                 .time = utc_now(),
                                 .host = utf8(machine.host),
                                 .described_by = utf8(machine.described_by),
                                 .unknown = reasons_of(machine),
                                 .architecture = utf8(machine.architecture),
                                 .processor = utf8(machine.processor),
                                 .processor_id = record_or_none(machine.processor_id),
                                 .packages = machine.packages,
                                 .cores = machine.cores,
                                 .hardware_threads = machine.hardware_threads,
                                 .threads_per_core = machine.threads_per_core,
                                 .threads = threads_of(machine),
                                 .caches = records_of(machine.caches),
                                 .memory_side_caches = records_of(machine.memory_side_caches),
                                 .numa_nodes = records_of(machine.numa_nodes),
                                 .numa_distances = distances_of(machine),
                                 .core_kinds = records_of(machine.core_kinds),
                                 .online_cpus = format_cpu_list(machine.online_cpus),
                                 .offline_cpus = format_cpu_list(machine.offline_cpus),
                                 .isolated_cpus = format_cpu_list(machine.isolated_cpus),
                                 .allowed_cpus = format_cpu_list(machine.allowed_cpus),
                                 .cpu_sets = records_of(machine.cpu_sets),
                                 .allowed_nodes = format_cpu_list(machine.allowed_nodes),
                                 .cpu_quota = machine.cpu_quota,
                                 .nice = machine.nice,
                                 .memory_bytes = machine.memory_bytes,
                                 .memory_available_bytes = machine.memory_available_bytes,
                                 .memory_limit_bytes = machine.memory_limit_bytes,
                                 .memory_limit_free_bytes = machine.memory_limit_free_bytes,
                                 .memory_modules = records_of(machine.memory_modules),
                                 .memory_modules_reason = utf8(machine.memory_modules_reason),
                                 .system = utf8(machine.system),
                                 .kernel = utf8(machine.kernel),
                                 .page_bytes = machine.page_bytes,
                                 .huge_pages = machine.huge_pages,
                                 .huge_page_bytes = machine.huge_page_bytes,
                                 .numa_balancing = machine.numa_balancing,
                                 .frequency = record_or_none(machine.frequency),
                                 .hypervisor = utf8(machine.hypervisor)});
}

}  // namespace streamgage::engine
