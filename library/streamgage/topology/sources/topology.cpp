#include "streamgage/topology/sources/topology.hpp"

#include <algorithm>
#include <system_error>

#include <fmt/format.h>

#include "streamgage/topology/host/kernel_files.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/sources/sysfs_source.hpp"
#if STREAMGAGE_HWLOC
#include "streamgage/topology/allowed_cpus.hpp"
#include "streamgage/topology/sources/hwloc_source.hpp"
#include "streamgage/topology/sources/request.hpp"
#endif

namespace streamgage {

Result<Topology> find_topology(const FileRoots& roots) {
#if STREAMGAGE_HWLOC
  if (kernel_reports_affinity()) {
    return find_by_hwloc(roots);
  }
  if (const auto request = find_request()) {
    if (request->variable == kSyntheticMachine || request->variable == kStoredXml) {
      return find_by_hwloc(roots);  // which then asks this system nothing
    }
    return usage_error(
        fmt::format("hwloc cannot use {} where sched_getaffinity is refused, as a container's "
                    "seccomp filter may do; allow that system call or unset the variable",
                    request->text()));
  }
#endif
  return find_by_sysfs(roots);
}

void explain_absence(Topology& topology, const AbsentParts& absent,
                     const std::optional<FileRoots>& files, const std::string& description) {
  const auto error = files ? folder_error(files->sys + "/devices/system/cpu") : std::error_code();
  const std::string why = error ? why_unreadable(*files, files->sys + "/devices/system/cpu", error)
                          : description.empty()
                              ? "the kernel does not report it"
                              : fmt::format("{} does not contain it", description);
  if (absent.cores) {
    topology.unknown["cores"] = why;
  }
  if (absent.packages) {
    topology.unknown["packages"] = why;
  }
  if (topology.caches.empty()) {
    topology.unknown["caches"] = why;
  }
  if (error) {
    topology.unknown["offline_cpus"] = why;
    if (!read_pseudo_file(files->proc + "/stat")) {  // which the C library counts CPUs by, else
      topology.unknown["online_cpus"] = why;
    }
  }
  // A kernel without NUMA shows its CPUs and no nodes.
  if (error && folder_error(files->sys + "/devices/system/node")) {
    topology.unknown["numa_nodes"] = why;
  }
}

int count_cores(const std::vector<HardwareThread>& threads) {
  int cores = 0;
  for (const HardwareThread& thread : threads) {
    cores = std::max(cores, thread.core + 1);
  }
  return cores;
}

int count_dies(const std::vector<HardwareThread>& threads) {
  int dies = 0;
  for (const HardwareThread& thread : threads) {
    dies = std::max(dies, thread.die.value_or(-1) + 1);
  }
  return dies;
}

int most_threads_per_core(const std::vector<HardwareThread>& threads) {
  int most = 0;
  for (const HardwareThread& thread : threads) {
    most = std::max(most, thread.smt + 1);
  }
  return most;
}

}  // namespace streamgage
