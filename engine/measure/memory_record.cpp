#include "measure/memory_record.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "streamgage/memory/pages.hpp"

namespace streamgage::engine {
namespace {

constexpr int kPagesAPart = 64;

// An array as its pages are read back.
struct TouchedArray {
  std::string name;
  std::span<const std::byte> memory;
  std::vector<Range> parts;  // the elements that each thread has touched
  std::size_t element_bytes = 0;
};

std::vector<TouchedArray> touched_arrays(const Workload& workload) {
  std::vector<TouchedArray> arrays;
  for (int number = 0; number < workload.arrays(); ++number) {
    const Array& array = workload.array(number);
    arrays.push_back({std::string(1, static_cast<char>('a' + number)), array.memory(),
                      workload.parts(), size_of(workload.type())});
  }
  for (const OwnWorkload& own : workload.own()) {
    for (std::size_t number = 0; number < own.kernel().arrays.size(); ++number) {
      const OwnArray& declared = own.kernel().arrays[number];
      TouchedArray array{fmt::format("{}.{}", own.kernel().name, declared.name),
                         own.arrays().arrays()[number].memory(),
                         {},
                         size_of(declared.type)};
      for (const Range& part : own.parts()) {
        array.parts.push_back(declared.elements_of(part, own.arrays().iterations()));
      }
      arrays.push_back(std::move(array));
    }
  }
  return arrays;
}

CpuList home_node(const Machine& machine, int cpu) {
  const HardwareThread* home = find_hardware_thread(machine, cpu);
  return home == nullptr ? CpuList{} : CpuList{home->node};
}

// Remote is a page that lies elsewhere than on `nodes`, or without these than on the node of the
// thread that uses it.
Json pages_of_array(const Machine& machine, const TouchedArray& array, const CpuList& nodes,
                    const Touch& touch, std::optional<std::string>& reason) {
  std::uint64_t checked = 0;
  std::uint64_t remote = 0;
  for (std::size_t part = 0; part < array.parts.size(); ++part) {
    const CpuList right = nodes.empty() ? home_node(machine, touch.cpus[part]) : nodes;
    const PageNodes pages =
        nodes_of_pages(array.memory, array.parts[part], array.element_bytes, kPagesAPart);
    if (pages.reason || right.empty()) {
      reason = pages.reason.value_or("the NUMA domain of a CPU is not known");
      continue;
    }
    checked += pages.nodes.size();
    remote += static_cast<std::uint64_t>(std::count_if(
        pages.nodes.begin(), pages.nodes.end(),
        [&right](int node) { return std::find(right.begin(), right.end(), node) == right.end(); }));
  }
  return {{"name", array.name},
          {"huge_share", or_null(huge_page_share(array.memory))},
          {"checked_pages", checked},
          {"remote_pages", remote}};
}

}  // namespace

Json memory_record(const Machine& machine, const Decision& decision, const Workload& workload,
                   const Touch& touch, int epoch) {
  std::optional<std::string> reason;
  Json arrays = Json::array();
  for (const TouchedArray& array : touched_arrays(workload)) {
    arrays.push_back(pages_of_array(machine, array, decision.memory_nodes, touch, reason));
  }
  const ArraySize& size = decision.size;
  return {{"record", "memory"},
          {"epoch", epoch},
          {"array_bytes", size.bytes},
          {"elements", size.elements},
          {"element_bytes", decision.size_request.element_bytes},
          {"nodes", decision.memory_nodes.empty() ? Json(nullptr) : Json(decision.memory_nodes)},
          {"arrays", std::move(arrays)},
          {"rule_bytes", size.rule_bytes},
          {"last_level_cache_bytes", decision.size_request.last_level_cache_bytes},
          {"asked_bytes", or_null(decision.size_request.asked_bytes)},
          {"capped_by", size.cap_bytes ? Json(size.capped_by) : Json(nullptr)},
          {"cap_bytes", or_null(size.cap_bytes)},
          {"touch_seconds", touch.seconds},
          {"pages_reason", or_null(reason)}};
}

}  // namespace streamgage::engine
