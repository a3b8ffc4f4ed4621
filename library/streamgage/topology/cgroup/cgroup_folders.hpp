// Where the control groups of this process are in the file system.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

enum class CgroupVersion : int { kOne = 1, kTwo = 2 };

// The folders of this process's control group and of the groups above it, own first, up to the
// highest that is mounted here. `controller` chooses the hierarchy in version 1 ("cpu", "memory").
// Empty where there is no such hierarchy; not every folder need exist. Source: cgroups(7), and
// proc(5) for mountinfo.
std::vector<std::string> cgroup_folders(const FileRoots& roots, CgroupVersion version,
                                        std::string_view controller);

// Why the control groups that hold this process cannot be read, where they cannot: not mounted,
// hidden by another mount, or forbidden. Nothing where they can be, and where the kernel says that
// no group controls this.
std::optional<std::string> why_no_cgroup(const FileRoots& roots, std::string_view controller);

}  // namespace streamgage
