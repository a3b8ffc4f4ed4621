#include "streamgage/topology/caches/sysfs_caches.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "streamgage/topology/caches/caches.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

constexpr int kMostCachesPerCpu = 10;
constexpr std::uint64_t kHighestLevel = 5;
constexpr std::uint64_t kHighestInstructionLevel = 3;

// "32K" in bytes; 0, which is "not known", for anything else.
std::uint64_t parse_size(std::string_view text) {
  text = trim_blanks(text);
  std::uint64_t shift = 0;
  if (text.ends_with('K')) {
    shift = 10;
  } else if (text.ends_with('M')) {
    shift = 20;
  }
  text.remove_suffix(shift == 0 ? 0 : 1);
  const std::uint64_t value = parse_unsigned(text).value_or(0);
  return value <= std::numeric_limits<std::uint64_t>::max() >> shift ? value << shift : 0;
}

std::string_view parse_kind(std::string_view text) {
  if (text == "Data") {
    return kDataCache;
  }
  return text == "Instruction" ? kInstructionCache : kUnifiedCache;
}

// The cache in that folder, if `cpu` is the first CPU that shares it.
std::optional<Cache> read_cache(const std::string& folder, int cpu, const CpuList& online) {
  const auto shared = read_number_set(folder + "/shared_cpu_list");
  const auto level = pseudo_file_number(folder + "/level");
  if (!shared || !level) {
    return std::nullopt;
  }
  CpuList cpus = members_online(*shared, online);
  const auto kind = parse_kind(pseudo_file_text(folder + "/type").value_or(""));
  const auto highest = kind == kInstructionCache ? kHighestInstructionLevel : kHighestLevel;
  if (cpus.empty() || cpus.front() != cpu || *level < 1 || *level > highest) {
    return std::nullopt;
  }
  const auto line = pseudo_file_number(folder + "/coherency_line_size").value_or(0);
  constexpr std::uint64_t kLongestLine = std::numeric_limits<int>::max();
  return Cache{.level = static_cast<int>(*level),
               .kind = std::string(kind),
               .bytes = parse_size(pseudo_file_text(folder + "/size").value_or("")),
               .line_bytes = static_cast<int>(line <= kLongestLine ? line : 0),
               .shared_by = {std::move(cpus)}};
}

}  // namespace

std::vector<Cache> read_caches(const FileRoots& roots, const CpuList& online) {
  std::vector<Cache> instances;
  for (const int cpu : online) {
    for (int index = 0; index < kMostCachesPerCpu; ++index) {
      const auto folder = fmt::format("{}/cache/index{}", cpu_folder(roots, cpu), index);
      if (auto cache = read_cache(folder, cpu, online)) {
        instances.push_back(std::move(*cache));
      }
    }
  }
  return instances;
}

std::vector<MemorySideCache> read_memory_side_caches(const FileRoots& roots, const CpuList& nodes) {
  std::vector<MemorySideCache> instances;
  for (const int node : nodes) {
    const std::string folder = node_folder(roots, node) + "/memory_side_cache";
    for (const int index : numbered_entries(folder, "index")) {
      const std::string files = fmt::format("{}/index{}/", folder, index);
      // In bytes: Linux Documentation/admin-guide/mm/numaperf.rst.
      instances.push_back({.bytes = pseudo_file_number(files + "size").value_or(0),
                           .line_bytes = static_cast<int>(std::min<std::uint64_t>(
                               pseudo_file_number(files + "line_size").value_or(0),
                               std::numeric_limits<int>::max())),
                           .nodes = {{node}}});
    }
  }
  return group_memory_side_caches(instances);
}

}  // namespace streamgage
