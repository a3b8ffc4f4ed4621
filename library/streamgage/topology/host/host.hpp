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

// Transparent huge pages; a kernel without them says so by its lack of their folder.
Fact<HugePages> find_huge_pages(const FileRoots& roots);

// Whether the kernel moves pages between NUMA nodes by itself; nothing where it cannot.
Fact<std::optional<bool>> find_numa_balancing(const FileRoots& roots);

// "Linux 6.1.0-28-amd64" in /proc/version, of a stored machine; nothing where it is of another
// form.
std::optional<std::string> find_stored_kernel(const FileRoots& roots);

// Maker and model; nothing where the firmware reports none, or only its placeholders.
std::optional<std::string> find_system(const FileRoots& roots);

// What makes nodes of one model differ.
struct Firmware {
  std::optional<std::string> bios;       // its version; nothing where the firmware has none
  std::optional<std::string> microcode;  // of the first CPU; nothing on guests that hide it
};

Firmware find_firmware(const FileRoots& roots);

}  // namespace streamgage
