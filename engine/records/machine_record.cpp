#include "records/machine_record.hpp"

#include <algorithm>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_lines.hpp"
#include "base/plan.hpp"

namespace streamgage::engine {
namespace {

// Text from firmware and kernel need not be UTF-8, and JSON must be.
Json utf8(const std::string& text) {
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

Json utf8(const std::optional<std::string>& text) { return text ? utf8(*text) : Json(nullptr); }

Json record_of(const Cache& cache) {
  Json cpus = Json::array();
  for (const CpuList& instance : cache.shared_by) {
    cpus.push_back(format_cpu_list(instance));
  }
  return {{"level", cache.level},           {"kind", cache.kind},
          {"bytes", cache.bytes},           {"instances", cache.shared_by.size()},
          {"line_bytes", cache.line_bytes}, {"cpus", std::move(cpus)}};
}

Json record_of(const MemorySideCache& cache) {
  Json nodes = Json::array();
  for (const CpuList& instance : cache.nodes) {
    nodes.push_back(format_cpu_list(instance));
  }
  return {{"bytes", cache.bytes},
          {"instances", cache.nodes.size()},
          {"line_bytes", cache.line_bytes},
          {"nodes", std::move(nodes)}};
}

Json record_of(const NumaNode& node) {
  return {{"node", node.os_index},
          {"cpus", format_cpu_list(node.cpus)},
          {"bytes", or_null(node.bytes)},
          {"free_bytes", or_null(node.free_bytes)},
          {"available_bytes", or_null(node.available_bytes)}};
}

Json record_of(const CpuSet& set) {
  return {{"source", set.source}, {"cpus", format_cpu_list(set.cpus)}, {"file", utf8(set.file)}};
}

// The kind is a position in `core_kinds`.
Json record_of(const HardwareThread& thread, const std::vector<CoreKind>& kinds) {
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const CoreKind& each) {
    return std::binary_search(each.cpus.begin(), each.cpus.end(), thread.cpu);
  });
  return {{"cpu", thread.cpu},
          {"core", thread.core},
          {"smt", thread.smt},
          {"package", or_null(thread.package)},
          {"die", or_null(thread.die)},
          {"node", or_null(thread.node)},
          {"kind", kind == kinds.end() ? Json(nullptr) : Json(kind - kinds.begin())}};
}

Json threads_of(const Machine& machine) {
  Json list = Json::array();
  for (const HardwareThread& thread : machine.threads) {
    list.push_back(record_of(thread, machine.core_kinds));
  }
  return list;
}

// The whole matrix, or null where a distance lacks.
Json distances_of(const Machine& machine) {
  Json nodes = Json::array();
  Json rows = Json::array();
  for (const NumaNode& from : machine.numa_nodes) {
    nodes.push_back(from.os_index);
    Json row = Json::array();
    for (const NumaNode& to : machine.numa_nodes) {
      const auto distance = machine.node_distances.find({from.os_index, to.os_index});
      if (distance == machine.node_distances.end()) {
        return nullptr;
      }
      row.push_back(distance->second);
    }
    rows.push_back(std::move(row));
  }
  if (rows.size() < 2) {
    return nullptr;
  }
  return {{"nodes", std::move(nodes)}, {"rows", std::move(rows)}};
}

Json record_of(const CoreKind& kind) {
  return {{"name", utf8(kind.name)},
          {"efficiency", or_null(kind.efficiency)},
          {"cpus", format_cpu_list(kind.cpus)}};
}

Json record_of(const MemoryModule& module) {
  return {{"locator", utf8(module.locator)},
          {"bank", utf8(module.bank)},
          {"bytes", module.bytes},
          {"kind", utf8(module.kind)},
          {"width_bits", or_null(module.width_bits)},
          {"megatransfers", or_null(module.megatransfers)},
          {"rated_megatransfers", or_null(module.rated_megatransfers)}};
}

Json record_of(const ProcessorId& id) {
  return {{"vendor", utf8(id.vendor)},
          {"family", id.family},
          {"model", id.model},
          {"stepping", id.stepping}};
}

Json record_of(const Frequency& frequency) {
  return {{"governor", utf8(frequency.governor)},
          {"limit_hertz", frequency.limit_hertz},
          {"hardware_hertz", frequency.hardware_hertz},
          {"boost", or_null(frequency.boost)}};
}

template <class T>
Json records_of(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values) {
    list.push_back(record_of(value));
  }
  return list;
}

Json reasons_of(const Machine& machine) {
  Json reasons = Json::object();
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
  return {{"record", "machine"},
          {"schema", kSchemaVersion},
          {"engine", STREAMGAGE_VERSION},
          {"compiler", STREAMGAGE_COMPILER},
          {"time", utc_now()},
          {"host", utf8(machine.host)},
          {"described_by", utf8(machine.described_by)},
          {"unknown", reasons_of(machine)},
          {"architecture", utf8(machine.architecture)},
          {"processor", utf8(machine.processor)},
          {"processor_id", machine.processor_id ? record_of(*machine.processor_id) : Json(nullptr)},
          {"packages", machine.packages},
          {"cores", machine.cores},
          {"hardware_threads", machine.hardware_threads},
          {"threads_per_core", machine.threads_per_core},
          {"threads", threads_of(machine)},
          {"caches", records_of(machine.caches)},
          {"memory_side_caches", records_of(machine.memory_side_caches)},
          {"numa_nodes", records_of(machine.numa_nodes)},
          {"numa_distances", distances_of(machine)},
          {"core_kinds", records_of(machine.core_kinds)},
          {"online_cpus", format_cpu_list(machine.online_cpus)},
          {"offline_cpus", format_cpu_list(machine.offline_cpus)},
          {"isolated_cpus", format_cpu_list(machine.isolated_cpus)},
          {"allowed_cpus", format_cpu_list(machine.allowed_cpus)},
          {"cpu_sets", records_of(machine.cpu_sets)},
          {"allowed_nodes", format_cpu_list(machine.allowed_nodes)},
          {"cpu_quota", or_null(machine.cpu_quota)},
          {"nice", or_null(machine.nice)},
          {"memory_bytes", or_null(machine.memory_bytes)},
          {"memory_available_bytes", or_null(machine.memory_available_bytes)},
          {"memory_limit_bytes", or_null(machine.memory_limit_bytes)},
          {"memory_limit_free_bytes", or_null(machine.memory_limit_free_bytes)},
          {"memory_modules", records_of(machine.memory_modules)},
          {"memory_modules_reason", utf8(machine.memory_modules_reason)},
          {"system", utf8(machine.system)},
          {"kernel", utf8(machine.kernel)},
          {"page_bytes", or_null(machine.page_bytes)},
          {"huge_pages", or_null(machine.huge_pages)},
          {"huge_page_bytes", or_null(machine.huge_page_bytes)},
          {"numa_balancing", or_null(machine.numa_balancing)},
          {"frequency", machine.frequency ? record_of(*machine.frequency) : Json(nullptr)},
          {"hypervisor", utf8(machine.hypervisor)}};
}

}  // namespace streamgage::engine
