// Finds the folders of the control groups of this process.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

enum class CgroupVersion : int { kOne = 1, kTwo = 2 };

// Returns the folders of this process's control group and of the groups above it, own first, up to
// the highest that is mounted here. `controller` chooses the hierarchy in version 1 ("cpu",
// "memory"). Empty if there is no such hierarchy. Not every folder need exist. Source:
// cgroups(7), and proc(5) for mountinfo.
std::vector<std::string> cgroup_folders(const FileRoots& roots, CgroupVersion version,
                                        std::string_view controller);

// Returns why the control groups of this process cannot be read: not mounted, hidden by another
// mount, or forbidden. Nothing if they can be read, or if the kernel says that no group controls
// this.
std::optional<std::string> why_no_cgroup(const FileRoots& roots, std::string_view controller);

}  // namespace streamgage
