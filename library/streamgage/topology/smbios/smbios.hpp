// The memory modules as the firmware describes them: SMBIOS structures of type 17 (DMTF DSP0134,
// versions 2.1 to 3.7).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The entry point, which describes the table.
struct SmbiosEntryPoint {
  int major = 0;
  std::uint64_t table_bytes = 0;  // exact in version 2, an upper bound in version 3
};

// Parses an entry point. Nothing if the bytes are none of version 2 or 3.
std::optional<SmbiosEntryPoint> parse_smbios_entry_point(std::span<const std::uint8_t> bytes);

// Returns the slots for system memory, including empty ones. It is an error if the table is cut
// off or contradicts itself; the error says where.
Result<std::vector<MemoryModule>> parse_memory_modules(
    std::span<const std::uint8_t> table, const std::optional<SmbiosEntryPoint>& entry);

// Reads the same from the kernel's copy of the table, which only root may read. The error says why
// there is none.
Result<std::vector<MemoryModule>> read_memory_modules(const FileRoots& roots = {});

}  // namespace streamgage
