#include "streamgage/topology/cgroup/cgroup.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "streamgage/topology/cgroup/cgroup_folders.hpp"
#include "streamgage/topology/host/kernel_files.hpp"
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

// What the groups say, and why one of their files says nothing that is known.
template <class Level>
struct Levels {
  std::vector<Level> found;
  std::optional<std::string> unclear;
};

// The text of a group's file; nothing where there is no such file, because the root has no limits
// and a group may lack the controller.
template <class Level>
std::optional<std::string> limit_text(const FileRoots& roots, const std::string& path,
                                      Levels<Level>& levels) {
  auto text = read_pseudo_file(path);
  if (text) {
    return std::move(*text);
  }
  if (text.error() != std::errc::no_such_file_or_directory) {
    levels.unclear = why_unreadable(roots, path, text.error());
  }
  return std::nullopt;
}

void add_quotas_v2(const FileRoots& roots, Levels<QuotaLevel>& levels) {
  for (const auto& folder : cgroup_folders(roots, CgroupVersion::kTwo, "cpu")) {
    const std::string file = folder + "/cpu.max";
    const auto text = limit_text(roots, file, levels);
    std::string_view rest = text ? std::string_view(*text) : std::string_view();
    const std::string_view first = take_word(rest);  // "max 100000" or "150000 100000"
    if (const auto cpus = share(parse_unsigned(first), parse_unsigned(take_word(rest)))) {
      const auto microseconds = number_in_file(folder + "/cpu.stat", "throttled_usec");
      levels.found.push_back({*cpus, static_cast<double>(microseconds) * 1e-6});
    } else if (text && first != "max") {
      levels.unclear = why_unclear(file, *text);
    }
  }
}

void add_quotas_v1(const FileRoots& roots, Levels<QuotaLevel>& levels) {
  for (const auto& folder : cgroup_folders(roots, CgroupVersion::kOne, "cpu")) {
    const std::string file = folder + "/cpu.cfs_quota_us";
    const auto text = limit_text(roots, file, levels);
    if (const auto cpus = share(text ? parse_unsigned(*text) : std::nullopt,
                                pseudo_file_number(folder + "/cpu.cfs_period_us"))) {
      const auto nanoseconds = number_in_file(folder + "/cpu.stat", "throttled_time");
      levels.found.push_back({*cpus, static_cast<double>(nanoseconds) * 1e-9});
    } else if (text && trim_blanks(*text) != "-1") {  // which is none
      levels.unclear = why_unclear(file, *text);
    }
  }
}

Levels<QuotaLevel> quotas(const FileRoots& roots) {
  Levels<QuotaLevel> levels;
  add_quotas_v2(roots, levels);
  add_quotas_v1(roots, levels);
  return levels;
}

// The reason if it is unknown whether there is a limit; nothing if it is known.
template <class Level>
std::optional<std::string> why_unknown(const FileRoots& roots, const Levels<Level>& levels,
                                       std::string_view controller) {
  return levels.unclear ? levels.unclear : why_no_cgroup(roots, controller);
}

// The kernel gives inactive file cache back before it refuses memory; so it is not in the way.
std::uint64_t used_without_cache(const std::string& folder, const std::string& usage_file,
                                 std::string_view cache_key) {
  const auto used = pseudo_file_number(folder + usage_file).value_or(0);
  return used - std::min(used, number_in_file(folder + "/memory.stat", cache_key));
}

void add_memory_levels_v2(const FileRoots& roots, Levels<MemoryLevel>& levels) {
  for (const auto& folder : cgroup_folders(roots, CgroupVersion::kTwo, "memory")) {
    // Above memory.high the kernel slows the process down until it has given memory back: for a
    // benchmark that is a limit as well.
    for (const char* name : {"/memory.max", "/memory.high"}) {
      const auto text = limit_text(roots, folder + name, levels);
      if (const auto limit = text ? parse_unsigned(*text) : std::nullopt) {
        levels.found.push_back(
            {*limit, used_without_cache(folder, "/memory.current", "inactive_file")});
      } else if (text && trim_blanks(*text) != "max") {
        levels.unclear = why_unclear(folder + name, *text);
      }
    }
  }
}

void add_memory_levels_v1(const FileRoots& roots, Levels<MemoryLevel>& levels) {
  // "No limit" is the largest multiple of the page size, which differs; nobody has an exbibyte.
  constexpr std::uint64_t kNoLimit = std::uint64_t{1} << 60;
  bool is_own = true;
  for (const auto& folder : cgroup_folders(roots, CgroupVersion::kOne, "memory")) {
    // Without use_hierarchy (before Linux 5.11) a group does not count its children.
    if (!is_own && pseudo_file_number(folder + "/memory.use_hierarchy") == 0U) {
      break;
    }
    is_own = false;
    const std::string file = folder + "/memory.limit_in_bytes";
    const auto text = limit_text(roots, file, levels);
    const auto limit = text ? parse_unsigned(*text) : std::nullopt;
    if (limit && *limit < kNoLimit) {
      levels.found.push_back(
          {*limit, used_without_cache(folder, "/memory.usage_in_bytes", "total_inactive_file")});
    } else if (text && !limit) {
      levels.unclear = why_unclear(file, *text);
    }
  }
}

}  // namespace

Fact<std::optional<double>> cpu_quota(const FileRoots& roots) {
  const auto levels = quotas(roots);
  if (!levels.found.empty()) {
    return std::min_element(levels.found.begin(), levels.found.end(),
                            [](const auto& a, const auto& b) { return a.cpus < b.cpus; })
        ->cpus;
  }
  if (auto why = why_unknown(roots, levels, "cpu")) {
    return unknown(std::move(*why));
  }
  return std::nullopt;
}

std::optional<double> throttled_seconds(const FileRoots& roots) {
  const auto levels = quotas(roots).found;
  if (levels.empty()) {
    return std::nullopt;
  }
  double seconds = 0.0;
  for (const QuotaLevel& level : levels) {  // a group counts its own quota's stops only
    seconds += level.throttled_seconds;
  }
  return seconds;
}

Fact<std::optional<MemoryLimit>> memory_limit(const FileRoots& roots) {
  Levels<MemoryLevel> levels;
  add_memory_levels_v2(roots, levels);
  add_memory_levels_v1(roots, levels);
  std::optional<MemoryLimit> limit;
  for (const MemoryLevel& level : levels.found) {
    const std::uint64_t free = level.limit - std::min(level.limit, level.used);
    limit =
        limit ? MemoryLimit{std::min(limit->bytes, level.limit), std::min(limit->free_bytes, free)}
              : MemoryLimit{level.limit, free};
  }
  if (limit) {
    return limit;
  }
  if (auto why = why_unknown(roots, levels, "memory")) {
    return unknown(std::move(*why));
  }
  return std::nullopt;
}

}  // namespace streamgage
