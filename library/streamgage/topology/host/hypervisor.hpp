// Finds the hypervisor if this system is a guest.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns the hypervisor's name, e.g. "KVM". Nothing on bare metal, or if none shows itself. An
// x86 processor reports it itself; on others, files do.
Fact<std::optional<std::string>> find_hypervisor(const FileRoots& roots);

// Returns the name for the twelve letters of CPUID leaf 0x40000000. Unknown letters are returned
// as they are.
std::string hypervisor_by_signature(std::string_view signature);

// Returns the name for the NUL-terminated texts in a device tree's hypervisor/compatible.
std::optional<std::string> hypervisor_by_compatible(std::string_view compatible);

}  // namespace streamgage
