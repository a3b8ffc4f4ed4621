#include "streamgage/topology/cgroup/cpuset.hpp"

#include <initializer_list>
#include <string>
#include <utility>

#include "streamgage/topology/cgroup/cgroup_folders.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

std::optional<CpuSet> nearest_set(const FileRoots& roots, CgroupVersion version,
                                  std::initializer_list<const char*> files) {
  for (const auto& folder : cgroup_folders(roots, version, "cpuset")) {
    for (const char* file : files) {
      const std::string path = folder + "/" + file;
      auto cpus = read_number_set(path);
      if (cpus && !cpus->empty()) {  // an empty set is what a group without CPUs of its own says
        return CpuSet{"cgroup", std::move(*cpus), path};
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Fact<std::optional<CpuSet>> find_cgroup_cpus(const FileRoots& roots) {
  if (auto set = nearest_set(roots, CgroupVersion::kTwo, {"cpuset.cpus.effective"})) {
    return set;
  }
  if (auto set =
          nearest_set(roots, CgroupVersion::kOne, {"cpuset.effective_cpus", "cpuset.cpus"})) {
    return set;
  }
  if (auto why = why_no_cgroup(roots, "cpuset")) {
    return unknown(std::move(*why));
  }
  return std::nullopt;
}

}  // namespace streamgage
