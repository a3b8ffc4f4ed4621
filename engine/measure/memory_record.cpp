#include "measure/memory_record.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "contract/setting.hpp"
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
  return home == nullptr || !home->node ? CpuList{} : CpuList{*home->node};
}

ArrayPages pages_of_array(const Machine& machine, const TouchedArray& array, const CpuList& nodes,
                          const Touch& touch, std::optional<std::string>& reason) {
  ArrayPages seen{array.name, huge_page_share(array.memory)};
  seen.alignment = alignment_of(array.memory.data());
  for (std::size_t part = 0; part < array.parts.size(); ++part) {
    const CpuList right = nodes.empty() ? home_node(machine, touch.cpus[part]) : nodes;
    const PageNodes pages =
        nodes_of_pages(array.memory, array.parts[part], array.element_bytes, kPagesAPart);
    if (pages.reason || right.empty()) {
      reason = pages.reason.value_or("the NUMA domain of a CPU is not known");
      continue;
    }
    seen.checked += pages.nodes.size();
    seen.remote += static_cast<std::uint64_t>(std::count_if(
        pages.nodes.begin(), pages.nodes.end(),
        [&right](int node) { return std::find(right.begin(), right.end(), node) == right.end(); }));
  }
  return seen;
}

}  // namespace

PageSurvey survey_pages(const Machine& machine, const CpuList& nodes, const Workload& workload,
                        const Touch& touch) {
  PageSurvey survey;
  survey.touch_seconds = touch.seconds;
  for (const TouchedArray& array : touched_arrays(workload)) {
    survey.arrays.push_back(pages_of_array(machine, array, nodes, touch, survey.reason));
  }
  return survey;
}

Json memory_record(const PageSurvey& pages, const ArraySize& size, const SizeRequest& request,
                   const CpuList& nodes, int epoch) {
  record::MemoryRecord written{
      .epoch = epoch,
      .array_bytes = size.bytes,
      .elements = size.elements,
      .element_bytes = request.element_bytes,
      .nodes = nodes.empty() ? std::nullopt : std::optional(nodes),
      .arrays = {},
      .rule_bytes = size.rule_bytes,
      .last_level_cache_bytes = request.last_level_cache_bytes,
      .asked_bytes = request.asked_bytes,
      .capped_by = size.cap_bytes ? std::optional<std::string>(size.capped_by) : std::nullopt,
      .cap_bytes = size.cap_bytes,
      .touch_seconds = pages.touch_seconds,
      .pages_reason = pages.reason};
  for (const ArrayPages& array : pages.arrays) {
    written.arrays.push_back({.name = array.name,
                              .huge_share = array.huge_share,
                              .checked_pages = array.checked,
                              .remote_pages = array.remote,
                              .alignment_bytes = array.alignment});
  }
  return to_json(written);
}

}  // namespace streamgage::engine
