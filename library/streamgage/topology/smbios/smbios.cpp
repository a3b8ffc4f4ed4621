#include "streamgage/topology/smbios/smbios.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/smbios/smbios_structure.hpp"

namespace streamgage {
namespace {

constexpr int kMemoryArray = 16;
constexpr int kMemoryDevice = 17;
constexpr int kEndOfTable = 127;

constexpr std::uint32_t kUnknown16 = 0xFFFF;
constexpr std::uint32_t kMask31 = 0x7FFFFFFF;

// Memory Device, type (7.18.2).
std::optional<std::string> kind_name(std::uint32_t type) {
  static const std::map<std::uint32_t, std::string> names{
      {0x03, "DRAM"},         {0x04, "EDRAM"},  {0x05, "VRAM"},   {0x06, "SRAM"},
      {0x07, "RAM"},          {0x0D, "CDRAM"},  {0x0E, "3DRAM"},  {0x0F, "SDRAM"},
      {0x10, "SGRAM"},        {0x11, "RDRAM"},  {0x12, "DDR"},    {0x13, "DDR2"},
      {0x14, "DDR2 FB-DIMM"}, {0x18, "DDR3"},   {0x19, "FBD2"},   {0x1A, "DDR4"},
      {0x1B, "LPDDR"},        {0x1C, "LPDDR2"}, {0x1D, "LPDDR3"}, {0x1E, "LPDDR4"},
      {0x1F, "non-volatile"}, {0x20, "HBM"},    {0x21, "HBM2"},   {0x22, "DDR5"},
      {0x23, "LPDDR5"},       {0x24, "HBM3"},
  };
  const auto name = names.find(type);
  return name == names.end() ? std::nullopt : std::optional(name->second);
}

// ROM, flash, EEPROM, FEPROM, EPROM: the firmware's own chip on some machines.
bool is_read_only(const SmbiosStructure& device) {
  const auto type = device.number(0x12, 1).value_or(0);
  return type >= 0x08 && type <= 0x0C;
}

Result<std::uint64_t> size_of(const SmbiosStructure& device, const std::string& locator) {
  constexpr std::uint32_t kSeeExtended = 0x7FFF;
  constexpr std::uint32_t kKibibytes = 0x8000;
  const std::uint32_t size = device.number(0x0C, 2).value_or(kUnknown16);
  if (size == kUnknown16) {
    return failure(fmt::format("it does not give the size of the module in {}", locator));
  }
  if (size == kSeeExtended) {
    const auto extended = device.number(0x1C, 4);
    if (!extended) {
      return failure(fmt::format("the size of the module in {} is missing", locator));
    }
    return std::uint64_t{*extended & kMask31} << 20U;
  }
  const bool is_kibibytes = (size & kKibibytes) != 0;
  return std::uint64_t{size & ~kKibibytes} << (is_kibibytes ? 10U : 20U);
}

// A speed of 16 bits, or where that is all ones (since 3.3) of 31 bits; 0 is unknown.
std::optional<int> speed_at(const SmbiosStructure& device, std::size_t offset,
                            std::size_t extended_offset) {
  std::uint32_t speed = device.number(offset, 2).value_or(0);
  if (speed == kUnknown16) {
    speed = device.number(extended_offset, 4).value_or(0) & kMask31;
  }
  return speed == 0 ? std::nullopt : std::optional(static_cast<int>(speed));
}

// The data width, or where that is unknown the total width, which includes the bits of ECC.
std::optional<int> width_of(const SmbiosStructure& device) {
  for (const std::size_t offset : {0x0A, 0x08}) {
    const auto width = device.number(offset, 2).value_or(0);
    if (width != 0 && width != kUnknown16) {
      return static_cast<int>(width);
    }
  }
  return std::nullopt;
}

std::optional<std::string> kind_of(const SmbiosStructure& device) {
  constexpr std::uint32_t kOptane = 0x07;  // it gives its bus, e.g. DDR4, as its type
  if (device.number(0x28, 1) == kOptane) {
    return "Optane";
  }
  return kind_name(device.number(0x12, 1).value_or(0));
}

Result<MemoryModule> parse_device(const SmbiosStructure& device, std::size_t slot) {
  constexpr std::size_t kShortest = 0x15;
  if (device.length() < kShortest) {
    return failure(fmt::format("memory device {} has {} bytes, but version 2.1 requires {}", slot,
                               device.length(), kShortest));
  }
  MemoryModule module;
  module.locator = device.text(0x10).value_or(fmt::format("slot {}", slot));
  module.bank = device.text(0x11);
  STREAMGAGE_TRY(const auto bytes, size_of(device, module.locator));
  module.bytes = bytes;
  if (module.bytes == 0) {  // what firmware says about the module in an empty slot means nothing
    return module;
  }
  module.kind = kind_of(device);
  module.width_bits = width_of(device);
  module.megatransfers = speed_at(device, 0x20, 0x58);
  module.rated_megatransfers = speed_at(device, 0x15, 0x54);
  return module;
}

Result<std::vector<SmbiosStructure>> parse_structures(
    std::span<const std::uint8_t> table, const std::optional<SmbiosEntryPoint>& entry) {
  const bool is_complete =
      entry && entry->major == 2 && entry->table_bytes > 0 && table.size() >= entry->table_bytes;
  if (entry && entry->table_bytes > 0) {
    table = table.first(std::min<std::uint64_t>(table.size(), entry->table_bytes));
  }
  std::vector<SmbiosStructure> structures;
  while (!table.empty()) {
    STREAMGAGE_TRY(const auto structure, SmbiosStructure::take(table));
    if (structure.type() == kEndOfTable) {
      return structures;
    }
    structures.push_back(structure);
  }
  // Old tables of version 2 lack the end mark, but their length is exact.
  if (!is_complete) {
    return failure("the table is cut off: its end mark is missing");
  }
  return structures;
}

// Whether the array that holds the device is known to be something else than system memory, e.g.
// video or flash memory.
bool is_other_memory(const SmbiosStructure& device,
                     const std::vector<SmbiosStructure>& structures) {
  constexpr std::uint32_t kVideo = 0x04;
  constexpr std::uint32_t kCache = 0x07;
  return std::any_of(structures.begin(), structures.end(), [&](const SmbiosStructure& array) {
    const auto use = array.number(0x05, 1).value_or(0);
    return array.type() == kMemoryArray && array.number(0x02, 2) == device.number(0x04, 2) &&
           use >= kVideo && use <= kCache;
  });
}

std::span<const std::uint8_t> as_bytes(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string why_unreadable(const std::string& path, std::error_code error) {
  if (error == std::errc::no_such_file_or_directory) {
    return fmt::format("this system shows no SMBIOS table ({} is absent)", path);
  }
  if (error == std::errc::permission_denied || error == std::errc::operation_not_permitted) {
    return fmt::format("only root can read the SMBIOS table ({})", path);
  }
  return fmt::format("{}: {}", path, error.message());
}

}  // namespace

std::optional<SmbiosEntryPoint> parse_smbios_entry_point(std::span<const std::uint8_t> bytes) {
  const auto number = [&](std::size_t offset, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i > 0; --i) {
      value = value << 8U | bytes[offset + i - 1];
    }
    return value;
  };
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("_SM3_") && bytes.size() >= 0x18) {
    return SmbiosEntryPoint{bytes[0x07], number(0x0C, 4)};
  }
  if (text.starts_with("_SM_") && bytes.size() >= 0x1F) {
    return SmbiosEntryPoint{bytes[0x06], number(0x16, 2)};
  }
  return std::nullopt;
}

Result<std::vector<MemoryModule>> parse_memory_modules(
    std::span<const std::uint8_t> table, const std::optional<SmbiosEntryPoint>& entry) {
  const auto malformed = [](const std::string& why) {
    return failure("the SMBIOS table cannot be used: " + why);
  };
  const auto structures = parse_structures(table, entry);
  if (!structures) {
    return malformed(structures.error().message);
  }
  std::vector<MemoryModule> modules;
  for (const SmbiosStructure& device : *structures) {
    if (device.type() != kMemoryDevice || is_read_only(device) ||
        is_other_memory(device, *structures)) {
      continue;
    }
    auto module = parse_device(device, modules.size());
    if (!module) {
      return malformed(module.error().message);
    }
    modules.push_back(std::move(*module));
  }
  if (modules.empty()) {
    return failure("the SMBIOS table describes no memory module");
  }
  return modules;
}

Result<std::vector<MemoryModule>> read_memory_modules(const FileRoots& roots) {
  const std::string folder = roots.sys + "/firmware/dmi/tables";
  const auto table = read_pseudo_file(folder + "/DMI");
  if (!table) {
    return failure(why_unreadable(folder + "/DMI", table.error()));
  }
  const auto entry = read_pseudo_file(folder + "/smbios_entry_point");
  return parse_memory_modules(as_bytes(*table),
                              entry ? parse_smbios_entry_point(as_bytes(*entry)) : std::nullopt);
}

}  // namespace streamgage
