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

// What the entry point says about the table.
struct SmbiosEntryPoint {
  int major = 0;
  std::uint64_t table_bytes = 0;  // exact in version 2, an upper bound in version 3
};

// Nothing where the bytes are no entry point of version 2 or 3.
std::optional<SmbiosEntryPoint> parse_smbios_entry_point(std::span<const std::uint8_t> bytes);

// The slots for system memory, empty ones too. A table that is cut off or contradicts itself is an
// error that says where.
Result<std::vector<MemoryModule>> parse_memory_modules(
    std::span<const std::uint8_t> table, const std::optional<SmbiosEntryPoint>& entry);

// The same from the kernel's copy of the table, which only root may read; the error says why there
// is none.
Result<std::vector<MemoryModule>> read_memory_modules(const FileRoots& roots = {});

}  // namespace streamgage
