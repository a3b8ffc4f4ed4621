#include "streamgage/topology/cores/processor.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

struct ArmPart {
  std::string_view implementer;
  std::string_view part;
  std::string_view name;
};

// MIDR_EL1; aarch64 kernels print numbers only. Source: the processors' technical reference
// manuals, as in Linux arch/arm64/include/asm/cputype.h and util-linux sys-utils/lscpu-arm.c.
constexpr std::array kArmParts = std::to_array<ArmPart>({
    {"0x41", "0xd03", "Arm Cortex-A53"},
    {"0x41", "0xd04", "Arm Cortex-A35"},
    {"0x41", "0xd05", "Arm Cortex-A55"},
    {"0x41", "0xd06", "Arm Cortex-A65"},
    {"0x41", "0xd07", "Arm Cortex-A57"},
    {"0x41", "0xd08", "Arm Cortex-A72"},
    {"0x41", "0xd09", "Arm Cortex-A73"},
    {"0x41", "0xd0a", "Arm Cortex-A75"},
    {"0x41", "0xd0b", "Arm Cortex-A76"},
    {"0x41", "0xd0c", "Arm Neoverse N1"},
    {"0x41", "0xd0d", "Arm Cortex-A77"},
    {"0x41", "0xd40", "Arm Neoverse V1"},
    {"0x41", "0xd41", "Arm Cortex-A78"},
    {"0x41", "0xd42", "Arm Cortex-A78AE"},
    {"0x41", "0xd44", "Arm Cortex-X1"},
    {"0x41", "0xd46", "Arm Cortex-A510"},
    {"0x41", "0xd47", "Arm Cortex-A710"},
    {"0x41", "0xd48", "Arm Cortex-X2"},
    {"0x41", "0xd49", "Arm Neoverse N2"},
    {"0x41", "0xd4b", "Arm Cortex-A78C"},
    {"0x41", "0xd4c", "Arm Cortex-X1C"},
    {"0x41", "0xd4d", "Arm Cortex-A715"},
    {"0x41", "0xd4e", "Arm Cortex-X3"},
    {"0x41", "0xd4f", "Arm Neoverse V2"},
    {"0x41", "0xd80", "Arm Cortex-A520"},
    {"0x41", "0xd81", "Arm Cortex-A720"},
    {"0x41", "0xd82", "Arm Cortex-X4"},
    {"0x41", "0xd84", "Arm Neoverse V3"},
    {"0x41", "0xd85", "Arm Cortex-X925"},
    {"0x41", "0xd87", "Arm Cortex-A725"},
    {"0x41", "0xd8e", "Arm Neoverse N3"},
    {"0x43", "0x0a1", "Cavium ThunderX"},
    {"0x43", "0x0af", "Marvell ThunderX2"},
    {"0x46", "0x001", "Fujitsu A64FX"},
    {"0x48", "0xd01", "HiSilicon Kunpeng 920"},
    {"0x51", "0x001", "Qualcomm Oryon"},
    {"0x61", "0x022", "Apple Icestorm (M1)"},
    {"0x61", "0x023", "Apple Firestorm (M1)"},
    {"0x61", "0x024", "Apple Icestorm (M1 Pro)"},
    {"0x61", "0x025", "Apple Firestorm (M1 Pro)"},
    {"0x61", "0x028", "Apple Icestorm (M1 Max)"},
    {"0x61", "0x029", "Apple Firestorm (M1 Max)"},
    {"0x61", "0x032", "Apple Blizzard (M2)"},
    {"0x61", "0x033", "Apple Avalanche (M2)"},
    {"0x6d", "0xd49", "Microsoft Azure Cobalt 100"},
    {"0xc0", "0xac3", "Ampere-1"},
    {"0xc0", "0xac4", "Ampere-1A"},
});

std::string arm_name(const std::string& implementer, const std::string& part) {
  for (const ArmPart& known : kArmParts) {
    if (known.implementer == implementer && known.part == part) {
      return std::string(known.name);
    }
  }
  return fmt::format("Arm implementer {} part {}", implementer, part);
}

// mvendorid of RISC-V cores. Source: Linux arch/riscv/include/asm/vendorid_list.h.
constexpr std::array kRiscVVendors = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"0x29", "Microchip"},
    {"0x31e", "Andes"},
    {"0x489", "SiFive"},
    {"0x5b7", "T-Head"},
});

using Fields = std::map<std::string, std::string, std::less<>>;

// The first value of every key.
Fields parse_fields(std::string_view cpuinfo) {
  Fields fields;
  while (!cpuinfo.empty()) {
    const std::string_view line = take_line(cpuinfo);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const std::string_view value = trim_blanks(line.substr(colon + 1));
    if (!value.empty()) {
      fields.emplace(trim_blanks(line.substr(0, colon)), value);
    }
  }
  return fields;
}

// Kernels that print no model still print the instruction set, and may print the maker's number.
std::string riscv_name(const Fields& fields, const std::string& isa) {
  std::string maker;
  if (const auto number = fields.find("mvendorid"); number != fields.end()) {
    for (const auto& [known, name] : kRiscVVendors) {
      maker = known == number->second ? fmt::format("{} ", name) : maker;
    }
  }
  return fmt::format("{}RISC-V {}", maker, isa.substr(0, isa.find('_')));
}

// Of every design that the file names, the one of the first CPU first.
std::string arm_names(std::string_view cpuinfo) {
  std::vector<std::string> names;
  for (const auto& [cpu, name] : core_designs_in(cpuinfo)) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  return fmt::format("{}", fmt::join(names, " and "));
}

std::optional<std::string> name_in(std::string_view cpuinfo, const Fields& fields) {
  // x86 and some Arm; LoongArch; POWER; MIPS; RISC-V; old 32-bit Arm.
  for (const char* key : {"model name", "Model Name", "cpu", "cpu model", "uarch", "Processor"}) {
    if (const auto field = fields.find(key); field != fields.end()) {
      return field->second;
    }
  }
  const auto implementer = fields.find("CPU implementer");
  const auto part = fields.find("CPU part");
  if (implementer != fields.end() && part != fields.end()) {
    const std::string names = arm_names(cpuinfo);
    return names.empty() ? arm_name(implementer->second, part->second) : names;
  }
  if (const auto isa = fields.find("isa"); isa != fields.end()) {
    return riscv_name(fields, isa->second);
  }
  return std::nullopt;
}

// Whose /proc/cpuinfo this is, by a key that the kernels of no other architecture print.
std::optional<Architecture> architecture_of(const Fields& fields) {
  static constexpr std::array kOwnKeys = std::to_array<std::pair<const char*, Architecture>>({
      {"cpuid level", Architecture::kX86},
      {"CPU implementer", Architecture::kArm},
      {"hart", Architecture::kRiscV},
      {"timebase", Architecture::kPower},
  });
  for (const auto& [key, architecture] : kOwnKeys) {
    if (fields.contains(key)) {
      return architecture;
    }
  }
  return std::nullopt;
}

std::string_view name_of(Architecture architecture) {
  switch (architecture) {
    case Architecture::kX86:
      return "x86";
    case Architecture::kArm:
      return "Arm";
    case Architecture::kPower:
      return "POWER";
    case Architecture::kRiscV:
      return "RISC-V";
    case Architecture::kOther:
      break;
  }
  return "processor";
}

}  // namespace

std::optional<std::string> find_processor_name(const FileRoots& roots,
                                               std::optional<Architecture> built_for) {
  const auto cpuinfo = read_pseudo_file(roots.proc + "/cpuinfo");
  if (!cpuinfo) {
    return std::nullopt;
  }
  const Fields fields = parse_fields(*cpuinfo);
  auto name = name_in(*cpuinfo, fields);
  const auto host = architecture_of(fields);
  if (name && host && built_for && host != built_for) {
    // An emulator of programs (QEMU's user mode) shows the file of the system that it runs on.
    return fmt::format("{}, emulated on {}", name_of(*built_for), *name);
  }
  return name;
}

std::optional<ProcessorId> find_processor_id(const FileRoots& roots, Architecture built_for) {
  if (built_for != Architecture::kX86) {
    return std::nullopt;
  }
  const auto cpuinfo = read_pseudo_file(roots.proc + "/cpuinfo");
  return cpuinfo ? processor_id_in(*cpuinfo) : std::nullopt;
}

std::optional<ProcessorId> processor_id_in(std::string_view cpuinfo) {
  const Fields fields = parse_fields(cpuinfo);
  const auto number = [&](std::string_view key) -> std::optional<int> {
    const auto field = fields.find(key);
    const auto value = field == fields.end() ? std::nullopt : parse_unsigned(field->second);
    constexpr std::uint64_t kMost = 1U << 16U;
    return value && *value < kMost ? std::optional(static_cast<int>(*value)) : std::nullopt;
  };
  const auto vendor = fields.find("vendor_id");
  const auto family = number("cpu family");
  const auto model = number("model");
  if (vendor == fields.end() || !family || !model) {
    return std::nullopt;  // others than x86 may have a vendor, too, but no family
  }
  return ProcessorId{vendor->second, *family, *model, number("stepping").value_or(0)};
}

std::map<int, std::string> core_designs_in(std::string_view cpuinfo) {
  std::map<int, std::string> designs;
  std::optional<int> cpu;
  std::string implementer;
  while (!cpuinfo.empty()) {
    const std::string_view line = take_line(cpuinfo);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const std::string_view key = trim_blanks(line.substr(0, colon));
    const std::string value(trim_blanks(line.substr(colon + 1)));
    constexpr std::uint64_t kMostCpus = 1U << 20U;
    if (key == "processor") {
      const auto number = parse_unsigned(value);
      cpu = number && *number < kMostCpus ? std::optional(static_cast<int>(*number)) : std::nullopt;
    } else if (key == "CPU implementer") {
      implementer = value;
    } else if (key == "CPU part" && cpu) {
      designs.emplace(*cpu, arm_name(implementer, value));
    }
  }
  return designs;
}

std::string core_design_of(std::uint64_t midr) {
  // Arm Architecture Reference Manual, MIDR_EL1: implementer in bits 31 to 24, part in 15 to 4.
  return arm_name(fmt::format("{:#04x}", midr >> 24U & 0xffU),
                  fmt::format("{:#05x}", midr >> 4U & 0xfffU));
}

std::optional<std::string> processor_name_in(std::string_view cpuinfo) {
  return name_in(cpuinfo, parse_fields(cpuinfo));
}

}  // namespace streamgage
