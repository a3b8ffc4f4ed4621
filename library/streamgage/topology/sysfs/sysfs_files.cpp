#include "streamgage/topology/sysfs/sysfs_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "streamgage/topology/affinity_at_start.hpp"
#include "streamgage/topology/host/kernel_files.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

constexpr const char* kSystemFolder = "/devices/system";

// Those of the folders cpuN that are not marked as offline.
CpuList cpus_with_a_folder(const FileRoots& roots) {
  CpuList cpus = numbered_entries(roots.sys + kSystemFolder + "/cpu", "cpu");
  std::erase_if(cpus, [&](int cpu) {
    return pseudo_file_number(cpu_folder(roots, cpu) + "/online") == std::uint64_t{0};
  });
  return cpus;
}

CpuList as_many_as_the_c_library_counts() {
  const long count = std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
  CpuList cpus;
  for (int cpu = 0; cpu < count; ++cpu) {
    cpus.push_back(cpu);
  }
  return cpus;
}

}  // namespace

std::optional<CpuList> read_number_set(const std::string& path) {
  const auto text = read_pseudo_file(path);
  if (!text) {
    return std::nullopt;
  }
  CpuList numbers;
  std::string_view rest = trim_blanks(*text);
  while (!rest.empty()) {
    const std::size_t comma = rest.find(',');
    const auto range = parse_cpu_list(rest.substr(0, comma));
    // The kernel writes in ascending order; this also bounds what a wrong file can ask for.
    if (!range || range->front() > range->back() ||
        (!numbers.empty() && range->front() <= numbers.back())) {
      return std::nullopt;
    }
    numbers.insert(numbers.end(), range->begin(), range->end());
    rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
  }
  return numbers;
}

CpuList members_online(const CpuList& set, const CpuList& online) {
  CpuList members;
  std::set_intersection(set.begin(), set.end(), online.begin(), online.end(),
                        std::back_inserter(members));
  return members;
}

std::string cpu_folder(const FileRoots& roots, int cpu) {
  return fmt::format("{}{}/cpu/cpu{}", roots.sys, kSystemFolder, cpu);
}

std::string node_folder(const FileRoots& roots, int node) {
  return fmt::format("{}{}/node/node{}", roots.sys, kSystemFolder, node);
}

CpuList numbered_entries(const std::string& folder, const std::string& name) {
  CpuList numbers;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string file = entry->path().filename().string();
    if (file.starts_with(name)) {
      // A list of one number: neither "cpufreq" nor "cpu0-3".
      const auto number = parse_cpu_list(std::string_view(file).substr(name.size()));
      if (number && number->size() == 1) {
        numbers.push_back(number->front());
      }
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

CpuList find_online_cpus(const FileRoots& roots) {
  const auto online = read_number_set(roots.sys + kSystemFolder + "/cpu/online");
  if (online && !online->empty()) {
    return *online;
  }
  if (CpuList cpus = cpus_with_a_folder(roots); !cpus.empty()) {
    return cpus;
  }
  if (const auto mask = affinity_mask_at_start(); mask && !mask->empty()) {
    return *mask;
  }
  return as_many_as_the_c_library_counts();
}

CpuList find_offline_cpus(const FileRoots& roots, const CpuList& online) {
  const std::string folder = roots.sys + kSystemFolder + "/cpu";
  const CpuList present =
      read_number_set(folder + "/present").value_or(numbered_entries(folder, "cpu"));
  CpuList offline;
  std::set_difference(present.begin(), present.end(), online.begin(), online.end(),
                      std::back_inserter(offline));
  return offline;
}

Fact<CpuList> find_isolated_cpus(const FileRoots& roots) {
  const std::string folder = roots.sys + kSystemFolder + "/cpu";
  const std::string file = folder + "/isolated";
  if (auto cpus = read_number_set(file)) {
    return std::move(*cpus);
  }
  const auto text = read_pseudo_file(file);
  if (text) {
    return unknown(why_unclear(file, *text));
  }
  if (text.error() == std::errc::no_such_file_or_directory && is_folder(folder)) {
    return CpuList{};  // before Linux 4.2
  }
  return unknown(why_unreadable(roots, file, text.error()));
}

}  // namespace streamgage
