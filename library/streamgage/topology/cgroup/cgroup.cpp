#include "streamgage/topology/cgroup/cgroup.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "streamgage/topology/cgroup/cgroup_folders.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

struct QuotaLevel {
  double cpus = 0.0;
  double throttled_seconds = 0.0;
};

struct MemoryLevel {
  std::uint64_t limit = 0;
  std::uint64_t used = 0;
};

std::uint64_t number_in_file(const std::string& path, std::string_view key) {
  const auto text = read_pseudo_file(path);
  return text ? keyed_number(*text, key).value_or(0) : 0;
}

std::optional<double> share(std::optional<std::uint64_t> quota,
                            std::optional<std::uint64_t> period) {
  if (!quota || !period || *quota == 0 || *period == 0) {
    return std::nullopt;
  }
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

std::vector<QuotaLevel> quotas_v2(const FileRoots& roots) {
  std::vector<QuotaLevel> levels;
  for (const auto& folder : cgroup_folders(roots, CgroupVersion::kTwo, "cpu")) {
    const std::string text = pseudo_file_text(folder + "/cpu.max").value_or("");
    std::string_view rest = text;  // "max 100000" or "150000 100000"
    const auto quota = parse_unsigned(take_word(rest));
    if (const auto cpus = share(quota, parse_unsigned(take_word(rest)))) {
      const auto microseconds = number_in_file(folder + "/cpu.stat", "throttled_usec");
      levels.push_back({*cpus, static_cast<double>(microseconds) * 1e-6});
    }
  }
  return levels;
}

std::vector<QuotaLevel> quotas_v1(const FileRoots& roots) {
  std::vector<QuotaLevel> levels;
  for (const auto& folder : cgroup_folders(roots, CgroupVersion::kOne, "cpu")) {
    // A quota of -1 is none, and no unsigned number.
    if (const auto cpus = share(pseudo_file_number(folder + "/cpu.cfs_quota_us"),
                                pseudo_file_number(folder + "/cpu.cfs_period_us"))) {
      const auto nanoseconds = number_in_file(folder + "/cpu.stat", "throttled_time");
      levels.push_back({*cpus, static_cast<double>(nanoseconds) * 1e-9});
    }
  }
  return levels;
}

std::vector<QuotaLevel> quotas(const FileRoots& roots) {
  auto levels = quotas_v2(roots);
  const auto older = quotas_v1(roots);
  levels.insert(levels.end(), older.begin(), older.end());
  return levels;
}

// The kernel gives inactive file cache back before it refuses memory; so it is not in the way.
std::uint64_t used_without_cache(const std::string& folder, const std::string& usage_file,
                                 std::string_view cache_key) {
  const auto used = pseudo_file_number(folder + usage_file).value_or(0);
  return used - std::min(used, number_in_file(folder + "/memory.stat", cache_key));
}

std::vector<MemoryLevel> memory_levels_v2(const FileRoots& roots) {
  std::vector<MemoryLevel> levels;
  for (const auto& folder : cgroup_folders(roots, CgroupVersion::kTwo, "memory")) {
    // Above memory.high the kernel slows the process down until it has given memory back: for a
    // benchmark that is a limit as well.
    for (const char* file : {"/memory.max", "/memory.high"}) {
      if (const auto limit = pseudo_file_number(folder + file)) {
        levels.push_back({*limit, used_without_cache(folder, "/memory.current", "inactive_file")});
      }
    }
  }
  return levels;
}

std::vector<MemoryLevel> memory_levels_v1(const FileRoots& roots) {
  // "No limit" is the largest multiple of the page size, which differs; nobody has an exbibyte.
  constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;
  std::vector<MemoryLevel> levels;
  bool is_own = true;
  for (const auto& folder : cgroup_folders(roots, CgroupVersion::kOne, "memory")) {
    // Without use_hierarchy (before Linux 5.11) a group does not count its children.
    if (!is_own && pseudo_file_number(folder + "/memory.use_hierarchy") == 0U) {
      break;
    }
    is_own = false;
    const auto limit = pseudo_file_number(folder + "/memory.limit_in_bytes");
    if (limit && *limit < kNoLimit) {
      levels.push_back(
          {*limit, used_without_cache(folder, "/memory.usage_in_bytes", "total_inactive_file")});
    }
  }
  return levels;
}

}  // namespace

std::optional<double> cpu_quota(const FileRoots& roots) {
  const auto levels = quotas(roots);
  if (levels.empty()) {
    return std::nullopt;
  }
  return std::min_element(levels.begin(), levels.end(),
                          [](const auto& a, const auto& b) { return a.cpus < b.cpus; })
      ->cpus;
}

std::optional<double> throttled_seconds(const FileRoots& roots) {
  const auto levels = quotas(roots);
  if (levels.empty()) {
    return std::nullopt;
  }
  double seconds = 0.0;
  for (const QuotaLevel& level : levels) {  // a group counts its own quota's stops only
    seconds += level.throttled_seconds;
  }
  return seconds;
}

std::optional<MemoryLimit> memory_limit(const FileRoots& roots) {
  auto levels = memory_levels_v2(roots);
  const auto older = memory_levels_v1(roots);
  levels.insert(levels.end(), older.begin(), older.end());
  std::optional<MemoryLimit> limit;
  for (const MemoryLevel& level : levels) {
    const std::uint64_t free = level.limit - std::min(level.limit, level.used);
    limit =
        limit ? MemoryLimit{std::min(limit->bytes, level.limit), std::min(limit->free_bytes, free)}
              : MemoryLimit{level.limit, free};
  }
  return limit;
}

}  // namespace streamgage
