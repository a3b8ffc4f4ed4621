// Whether this system is a guest, and whose.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The hypervisor's name, e.g. "KVM"; nothing on bare metal, or where none shows itself. An x86
// processor says so by itself, others by files.
Fact<std::optional<std::string>> find_hypervisor(const FileRoots& roots);

// The name behind the twelve letters that CPUID leaf 0x40000000 gives; the letters themselves where
// they are not known.
std::string hypervisor_by_signature(std::string_view signature);

// The name behind the list of NUL-terminated texts in a device tree's hypervisor/compatible.
std::optional<std::string> hypervisor_by_compatible(std::string_view compatible);

}  // namespace streamgage
