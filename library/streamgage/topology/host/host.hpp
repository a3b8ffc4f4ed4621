// The host: its names, its memory, and the kernel's settings that bear on memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "streamgage/base/error.hpp"
#include "streamgage/topology/fact.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

struct HostNames {
  std::string host;
  std::string architecture;
  std::string kernel;  // "Linux 6.1.0-28-amd64"
};

Result<HostNames> find_host_names();

struct HostMemory {
  std::uint64_t bytes = 0;
  std::uint64_t available_bytes = 0;
};

Result<HostMemory> find_host_memory(const FileRoots& roots);

struct HugePages {
  std::string state;  // "always", "madvise", "never" or "unavailable"
  std::optional<std::uint64_t> bytes;
};

// Returns the setting of transparent huge pages. A kernel without them lacks their folder.
Fact<HugePages> find_huge_pages(const FileRoots& roots);

// Returns whether the kernel moves pages between NUMA nodes by itself. Nothing if it cannot.
Fact<std::optional<bool>> find_numa_balancing(const FileRoots& roots);

// Returns "Linux 6.1.0-28-amd64" from the /proc/version of a stored machine. Nothing if that has
// another form.
std::optional<std::string> find_stored_kernel(const FileRoots& roots);

// Returns maker and model. Nothing if the firmware reports none, or only placeholders.
std::optional<std::string> find_system(const FileRoots& roots);

// The versions by which nodes of one model may differ.
struct Firmware {
  std::optional<std::string> bios;       // its version; nothing where the firmware has none
  std::optional<std::string> microcode;  // of the first CPU; nothing on guests that hide it
};

Firmware find_firmware(const FileRoots& roots);

}  // namespace streamgage
