#include "streamgage/counters/controllers/controller_table.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace streamgage {
namespace {

using std::string_view;

// Numbers of models: Linux arch/x86/include/asm/intel-family.h.
bool is_intel(const ProcessorModel& processor, std::initializer_list<int> models) {
  return processor.maker == Maker::kIntel && processor.family == 6 &&
         std::find(models.begin(), models.end(), processor.model) != models.end();
}

// Sandy Bridge-EP, Ivy Bridge-EP, Haswell-EP, Broadwell-EP and -DE, Skylake-SP with Cascade Lake.
bool is_older_server(const ProcessorModel& processor) {
  return is_intel(processor, {0x2d, 0x3e, 0x3f, 0x4f, 0x56, 0x55});
}

bool is_ice_lake_server(const ProcessorModel& processor) {
  return is_intel(processor, {0x6a, 0x6c});
}

bool is_sapphire_rapids(const ProcessorModel& processor) {
  return is_intel(processor, {0x8f, 0xcf});  // and Emerald Rapids
}

bool is_granite_rapids(const ProcessorModel& processor) {
  return is_intel(processor, {0xad, 0xae});
}

// From Sandy Bridge to Rocket Lake.
bool is_older_client(const ProcessorModel& processor) {
  return is_intel(processor, {0x2a, 0x3a, 0x3c, 0x45, 0x46, 0x3d, 0x47, 0x4e, 0x5e, 0x8e, 0x9e,
                              0xa5, 0xa6, 0x7d, 0x7e, 0xa7});
}

// Tiger Lake, Alder Lake, Raptor Lake, Meteor Lake, Lunar Lake, Arrow Lake.
bool is_newer_client(const ProcessorModel& processor) {
  return is_intel(processor, {0x8c, 0x8d, 0x97, 0x9a, 0xbe, 0xb7, 0xba, 0xbf, 0xaa, 0xac, 0xbd,
                              0xb5, 0xc5, 0xc6});
}

// Family 17h, and the models of family 19h that are Zen 3: Linux arch/x86/kernel/cpu/amd.c.
bool is_zen_1_to_3(const ProcessorModel& processor) {
  if (processor.maker != Maker::kAmd) {
    return false;
  }
  const int model = processor.model;
  return processor.family == 0x17 ||
         (processor.family == 0x19 && (model <= 0x0f || (model >= 0x20 && model <= 0x5f)));
}

bool is_zen_4_or_later(const ProcessorModel& processor) {
  return processor.maker == Maker::kAmd && processor.family >= 0x19 && !is_zen_1_to_3(processor);
}

bool is_no_x86(const ProcessorModel& processor) { return processor.maker == Maker::kOther; }

constexpr std::array<string_view, 1> kImc{"uncore_imc_#"};
constexpr std::array<string_view, 1> kClientImc{"uncore_imc"};
constexpr std::array<string_view, 1> kFreeRunning{"uncore_imc_free_running_#"};
constexpr std::array<string_view, 1> kUmc{"amd_umc_#"};
constexpr std::array<string_view, 1> kDataFabric{"amd_df"};
constexpr std::array<string_view, 1> kGrace{"nvidia_scf_pmu_#"};
constexpr std::array<string_view, 1> kHiSilicon{"hisi_sccl#_ddrc#"};
constexpr std::array<string_view, 1> kDmc620{"arm_dmc620_@"};
constexpr std::array<string_view, 2> kPower{"nest_mcs01_imc", "nest_mcs23_imc"};

constexpr std::array kOlderServerEvents = std::to_array<ControllerEvent>({
    {Direction::kRead, "cas_count_read", "event=0x04,umask=0x03", 64.0},
    {Direction::kWrite, "cas_count_write", "event=0x04,umask=0x0c", 64.0},
});

constexpr std::array kIceLakeEvents = std::to_array<ControllerEvent>({
    {Direction::kRead, "cas_count_read", "event=0x04,umask=0x0f", 64.0},
    {Direction::kWrite, "cas_count_write", "event=0x04,umask=0x30", 64.0},
});

constexpr std::array kSapphireRapidsEvents = std::to_array<ControllerEvent>({
    {Direction::kRead, "cas_count_read", "event=0x05,umask=0xcf", 64.0},
    {Direction::kWrite, "cas_count_write", "event=0x05,umask=0xf0", 64.0},
});

constexpr std::array kGraniteRapidsEvents = std::to_array<ControllerEvent>({
    {Direction::kRead, "cas_count_read_sch0", "event=0x05,umask=0xcf", 64.0},
    {Direction::kRead, "cas_count_read_sch1", "event=0x06,umask=0xcf", 64.0},
    {Direction::kWrite, "cas_count_write_sch0", "event=0x05,umask=0xf0", 64.0},
    {Direction::kWrite, "cas_count_write_sch1", "event=0x06,umask=0xf0", 64.0},
});

constexpr std::array kOlderClientEvents = std::to_array<ControllerEvent>({
    {Direction::kRead, "data_reads", "event=0x01", 64.0},
    {Direction::kWrite, "data_writes", "event=0x02", 64.0},
});

// No codes: on servers the same codes count clocks and queue cycles.
constexpr std::array kFreeRunningEvents = std::to_array<ControllerEvent>({
    {Direction::kRead, "data_read", "", 64.0},
    {Direction::kWrite, "data_write", "", 64.0},
});

constexpr std::array kUmcEvents = std::to_array<ControllerEvent>({
    {Direction::kRead, "", "event=0x0a,rdwrmask=1", 64.0},
    {Direction::kWrite, "", "event=0x0a,rdwrmask=2", 64.0},
});

constexpr std::array kDataFabricEvents = std::to_array<ControllerEvent>({
    {Direction::kBoth, "", "event=0x07,umask=0x38", 64.0},
    {Direction::kBoth, "", "event=0x47,umask=0x38", 64.0},
    {Direction::kBoth, "", "event=0x87,umask=0x38", 64.0},
    {Direction::kBoth, "", "event=0xc7,umask=0x38", 64.0},
    {Direction::kBoth, "", "event=0x107,umask=0x38", 64.0},
    {Direction::kBoth, "", "event=0x147,umask=0x38", 64.0},
    {Direction::kBoth, "", "event=0x187,umask=0x38", 64.0},
    {Direction::kBoth, "", "event=0x1c7,umask=0x38", 64.0},
});

constexpr std::array kPowerEvents = std::to_array<ControllerEvent>({
    {Direction::kRead, "PM_MCS*_128B_RD_DISP_PORT*", "", 64.0},
    {Direction::kWrite, "PM_MCS*_128B_WR_DISP_PORT*", "", 64.0},
});

constexpr std::array kDmc620Events = std::to_array<ControllerEvent>({
    {Direction::kBoth, "clkdiv2_rdwr", "event=0x12,clkdiv2=1", 64.0},
});

// No codes: a later version of the controller has others under the same names.
constexpr std::array kHiSiliconEvents = std::to_array<ControllerEvent>({
    {Direction::kRead, "flux_rd", "", 32.0},
    {Direction::kWrite, "flux_wr", "", 32.0},
});

constexpr std::array kGraceEvents = std::to_array<ControllerEvent>({
    {Direction::kRead, "cmem_rd_data", "event=0x1a5", 32.0},
    {Direction::kWrite, "cmem_wr_total_bytes", "event=0x1db", 1.0},
});

constexpr string_view kIntelMissing =
    "load the kernel module intel_uncore (CONFIG_PERF_EVENTS_INTEL_UNCORE)";
constexpr string_view kAmdMissing =
    "load the kernel module amd_uncore (CONFIG_PERF_EVENTS_AMD_UNCORE)";

constexpr std::array kTable = std::to_array<ControllerRow>({
    {.machine = "Intel server, Sandy Bridge to Cascade Lake",
     .source = "perf uncore_imc",
     .pmus = kImc,
     .applies = is_older_server,
     .events = kOlderServerEvents,
     .missing = kIntelMissing},
    {.machine = "Intel server, Ice Lake",
     .source = "perf uncore_imc",
     .pmus = kImc,
     .applies = is_ice_lake_server,
     .events = kIceLakeEvents,
     .ignores_aliases = true,  // kernels before 2022 export wrong unit masks
     .missing = kIntelMissing},
    {.machine = "Intel server, Sapphire and Emerald Rapids",
     .source = "perf uncore_imc",
     .pmus = kImc,
     .applies = is_sapphire_rapids,
     .events = kSapphireRapidsEvents,
     .missing = kIntelMissing},
    {.machine = "Intel server, Granite Rapids",
     .source = "perf uncore_imc",
     .pmus = kImc,
     .applies = is_granite_rapids,
     .events = kGraniteRapidsEvents,
     .missing = kIntelMissing},
    {.machine = "Intel client, Sandy Bridge to Rocket Lake",
     .source = "perf uncore_imc",
     .pmus = kClientImc,
     .applies = is_older_client,
     .events = kOlderClientEvents,
     .counter_bits = 32,
     .missing = kIntelMissing},
    {.machine = "Intel client, Tiger Lake and later",
     .source = "perf uncore_imc_free_running",
     .pmus = kFreeRunning,
     .applies = is_newer_client,
     .events = kFreeRunningEvents,
     .missing = kIntelMissing},
    {.machine = "AMD Zen 4 and later",
     .source = "perf amd_umc",
     .pmus = kUmc,
     .applies = is_zen_4_or_later,
     .events = kUmcEvents,
     .missing = "load the kernel module amd_uncore of Linux 6.7 or later"},
    {.machine = "AMD Zen 1 to 3",
     .source = "perf amd_df",
     .pmus = kDataFabric,
     .applies = is_zen_1_to_3,
     .events = kDataFabricEvents,
     .caveat = "eight events share four counters, which take turns",
     .missing = kAmdMissing},
    {.machine = "NVIDIA Grace",
     .source = "perf nvidia_scf_pmu",
     .pmus = kGrace,
     .applies = is_no_x86,
     .events = kGraceEvents,
     .missing = "load the kernel module nvidia_cspmu"},
    {.machine = "HiSilicon Kunpeng",
     .source = "perf hisi_ddrc",
     .pmus = kHiSilicon,
     .applies = is_no_x86,
     .events = kHiSiliconEvents,
     .scope = DomainScope::kNode,
     .caveat = "it is unconfirmed that a count is 32 bytes",
     .missing = "load the kernel module hisi_uncore_ddrc_pmu"},
    {.machine = "Arm DMC-620",
     .source = "perf arm_dmc620",
     .pmus = kDmc620,
     .applies = is_no_x86,
     .events = kDmc620Events,
     .scope = DomainScope::kMachine,  // any CPU may serve its interrupt
     .missing = "load the kernel module arm_dmc620_pmu"},
    {.machine = "IBM POWER9 and POWER10",
     .source = "perf nest_imc",
     .pmus = kPower,
     .applies = is_no_x86,
     .events = kPowerEvents,
     .missing = "run on bare metal (PowerNV), where the kernel shows it"},
});

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }

}  // namespace

std::span<const ControllerRow> controller_table() { return kTable; }

bool matches_pmu(string_view pattern, string_view name) {
  while (!pattern.empty()) {
    const char wanted = pattern.front();
    pattern.remove_prefix(1);
    const bool is_number = wanted == '#' || wanted == '@';
    const auto fits = [&](char c) {
      return wanted == '#' ? is_digit(c) : wanted == '@' ? is_hex_digit(c) : c == wanted;
    };
    if (name.empty() || !fits(name.front())) {
      return false;
    }
    do {
      name.remove_prefix(1);
    } while (is_number && !name.empty() && fits(name.front()));
  }
  return name.empty();
}

bool matches_alias(string_view pattern, string_view name) {
  std::size_t star = pattern.find('*');
  if (star == string_view::npos || !name.starts_with(pattern.substr(0, star))) {
    return pattern == name;
  }
  name.remove_prefix(star);
  while (true) {
    pattern.remove_prefix(star + 1);
    star = pattern.find('*');
    if (star == string_view::npos) {
      return name.ends_with(pattern);
    }
    const std::size_t found = name.find(pattern.substr(0, star));
    if (found == string_view::npos) {
      return false;
    }
    name.remove_prefix(found + star);
  }
}

bool counts_only_totals(const ControllerRow& row) {
  return std::all_of(row.events.begin(), row.events.end(), [](const ControllerEvent& event) {
    return event.direction == Direction::kBoth;
  });
}

}  // namespace streamgage
