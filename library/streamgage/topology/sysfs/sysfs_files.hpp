// The kernel's files about CPUs and NUMA nodes, /sys/devices/system; all of them may be absent.
#pragma once

#include <optional>
#include <string>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Reads a set of CPUs or nodes as the kernel writes it, ascending: "0-3,8". Nothing if the file
// cannot be read or holds anything else.
std::optional<CpuList> read_number_set(const std::string& path);

// Returns the members of a set that are online. Both are ascending, and so is the result.
CpuList members_online(const CpuList& set, const CpuList& online);

std::string cpu_folder(const FileRoots& roots, int cpu);
std::string node_folder(const FileRoots& roots, int node);

// Returns the N of every entry "nameN" of a folder, ascending.
CpuList numbered_entries(const std::string& folder, const std::string& name);

// Returns the CPUs that are present but not online, ascending: by the kernel's list of present
// CPUs, else by the folders of the CPUs.
CpuList find_offline_cpus(const FileRoots& roots, const CpuList& online);

// Returns the CPUs that the kernel's command line keeps from ordinary processes (isolcpus),
// ascending.
Fact<CpuList> find_isolated_cpus(const FileRoots& roots);

// Returns the online CPUs: by the kernel's list, else by the folders of the CPUs, else those that
// this process may use. They are ascending, and never empty.
CpuList find_online_cpus(const FileRoots& roots);

}  // namespace streamgage
