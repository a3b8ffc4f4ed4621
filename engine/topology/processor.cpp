#include "topology/processor.hpp"

#include <hwloc/cpukinds.h>

#include <array>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

struct ArmPart {
  std::string_view implementer;
  std::string_view part;
  std::string_view name;
};

// MIDR_EL1 of server and HPC processors; aarch64 kernels print numbers only. Source: the
// processors' technical reference manuals, as in Linux arch/arm64/include/asm/cputype.h.
constexpr std::array kArmParts = std::to_array<ArmPart>({
    {"0x41", "0xd03", "Arm Cortex-A53"},
    {"0x41", "0xd08", "Arm Cortex-A72"},
    {"0x41", "0xd0b", "Arm Cortex-A76"},
    {"0x41", "0xd0c", "Arm Neoverse N1"},
    {"0x41", "0xd40", "Arm Neoverse V1"},
    {"0x41", "0xd49", "Arm Neoverse N2"},
    {"0x41", "0xd4f", "Arm Neoverse V2"},
    {"0x41", "0xd84", "Arm Neoverse V3"},
    {"0x41", "0xd8e", "Arm Neoverse N3"},
    {"0x43", "0x0a1", "Cavium ThunderX"},
    {"0x43", "0x0af", "Marvell ThunderX2"},
    {"0x46", "0x001", "Fujitsu A64FX"},
    {"0x48", "0xd01", "HiSilicon Kunpeng 920"},
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

// The first value of every key.
std::map<std::string, std::string, std::less<>> parse_fields(std::string_view cpuinfo) {
  std::map<std::string, std::string, std::less<>> fields;
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

struct FreeBitmap {
  void operator()(hwloc_bitmap_s* bitmap) const noexcept { hwloc_bitmap_free(bitmap); }
};

std::optional<CoreKind> core_kind(const HwlocTopology& topology, unsigned index) {
  const std::unique_ptr<hwloc_bitmap_s, FreeBitmap> cpus(hwloc_bitmap_alloc());
  int efficiency = -1;
  unsigned info_count = 0;
  hwloc_info_s* infos = nullptr;
  if (cpus == nullptr || hwloc_cpukinds_get_info(topology.get(), index, cpus.get(), &efficiency,
                                                 &info_count, &infos, 0) != 0) {
    return std::nullopt;
  }
  CoreKind kind;
  kind.cpus = cpus_in(cpus.get());
  if (efficiency >= 0) {
    kind.efficiency = efficiency;
  }
  for (unsigned i = 0; i < info_count; ++i) {
    if (std::string_view(infos[i].name) == "CoreType") {
      kind.name = infos[i].value;
    }
  }
  return kind;
}

}  // namespace

std::optional<std::string> find_processor_name(const HwlocTopology& topology,
                                               const FileRoots& roots) {
  for (const auto type : {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_MACHINE}) {
    for (hwloc_obj* object : topology.objects(type)) {
      if (auto name = info_of(object, "CPUModel")) {
        return name;
      }
    }
  }
  if (!topology.is_this_system()) {
    return std::nullopt;
  }
  const auto cpuinfo = read_pseudo_file(roots.proc + "/cpuinfo");
  return cpuinfo ? processor_name_in(*cpuinfo) : std::nullopt;
}

std::optional<std::string> processor_name_in(std::string_view cpuinfo) {
  const auto fields = parse_fields(cpuinfo);
  // x86 and some Arm; LoongArch; POWER; MIPS; RISC-V; old 32-bit Arm.
  for (const char* key : {"model name", "Model Name", "cpu", "cpu model", "uarch", "Processor"}) {
    if (const auto field = fields.find(key); field != fields.end()) {
      return field->second;
    }
  }
  const auto implementer = fields.find("CPU implementer");
  const auto part = fields.find("CPU part");
  if (implementer != fields.end() && part != fields.end()) {
    return arm_name(implementer->second, part->second);
  }
  return std::nullopt;
}

std::vector<CoreKind> find_core_kinds(const HwlocTopology& topology) {
  std::vector<CoreKind> kinds;
  const int count = hwloc_cpukinds_get_nr(topology.get(), 0);
  for (int index = 0; index < count; ++index) {
    auto kind = core_kind(topology, static_cast<unsigned>(index));
    if (kind && !kind->cpus.empty()) {
      kinds.push_back(std::move(*kind));
    }
  }
  if (kinds.size() < 2) {
    kinds.clear();
  }
  return kinds;
}

}  // namespace streamgage
