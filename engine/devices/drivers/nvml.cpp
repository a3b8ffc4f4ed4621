#include "devices/drivers/nvml.hpp"

#include <array>
#include <utility>

#include "devices/drivers/shared_library.hpp"
#include "devices/drivers/vendor_folders.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine::nvml {
namespace {

// Values of nvml.h.
constexpr int kSuccess = 0, kInsufficientSize = 7;
constexpr int kCores = 1, kMemory = 2;  // NVML_CLOCK_SM, NVML_CLOCK_MEM
constexpr int kOfGpu = 0;               // NVML_TEMPERATURE_GPU
constexpr std::uint64_t kMegahertz = 1'000'000;
// nvmlClocksEventReasons; that the GPU is idle is none.
constexpr std::array<std::pair<unsigned long long, const char*>, 8> kReasons{{
    {0x2, "application-clocks"},
    {0x4, "power-cap"},
    {0x8, "hardware-slowdown"},
    {0x10, "sync-boost"},
    {0x20, "software-thermal"},
    {0x40, "hardware-thermal"},
    {0x80, "power-brake"},
    {0x100, "display-clocks"},
}};

// nvmlProcessInfo_t of version 3.
struct ProcessInfo {
  unsigned process;
  unsigned long long memory_bytes;
  unsigned gpu_instance;
  unsigned compute_instance;
};
constexpr unsigned kMostProcesses = 128;

// nvmlTemperature_v1_t.
struct Temperature {
  unsigned version;
  int sensor;
  int celsius;
};
constexpr unsigned kTemperatureVersion = sizeof(Temperature) | 1U << 24U;

// nvmlNAME as NAME, in the version that its name in the library says. Those of a device may be
// null.
struct Functions {
  int (*Init)();
  int (*DeviceGetHandleByPciBusId)(const char*, GpuTag**);
  int (*SystemGetDriverVersion)(char*, unsigned);
  int (*DeviceGetClockInfo)(GpuTag*, int, unsigned*);
  int (*DeviceGetMaxClockInfo)(GpuTag*, int, unsigned*);
  int (*DeviceGetMemoryBusWidth)(GpuTag*, unsigned*);
  int (*DeviceGetPowerUsage)(GpuTag*, unsigned*);
  int (*DeviceGetEnforcedPowerLimit)(GpuTag*, unsigned*);
  int (*DeviceGetTemperatureV)(GpuTag*, Temperature*);
  int (*DeviceGetCurrentClocksEventReasons)(GpuTag*, unsigned long long*);
  // What older drivers have in the place of the last two; deprecated since NVML 13.
  int (*DeviceGetTemperature)(GpuTag*, int, unsigned*);
  int (*DeviceGetCurrentClocksThrottleReasons)(GpuTag*, unsigned long long*);
  int (*DeviceGetComputeRunningProcesses)(GpuTag*, unsigned*, ProcessInfo*);
};

Result<Functions> find_functions() {
  STREAMGAGE_TRY(can_load_libraries());
  STREAMGAGE_TRY(auto library,
                 SharedLibrary::load({"libnvidia-ml.so.1"}, folders_of_nvidia_driver()));
  Functions all{};
  library.bind("nvmlInit_v2", all.Init);
  library.bind("nvmlDeviceGetHandleByPciBusId_v2", all.DeviceGetHandleByPciBusId);
  if (!library.missing().empty() || all.Init() != kSuccess) {
    return failure("NVML does not start");
  }
#define STREAMGAGE_BIND(name) library.bind_if_there("nvml" #name, all.name)
  STREAMGAGE_BIND(SystemGetDriverVersion);
  STREAMGAGE_BIND(DeviceGetClockInfo);
  STREAMGAGE_BIND(DeviceGetMaxClockInfo);
  STREAMGAGE_BIND(DeviceGetMemoryBusWidth);
  STREAMGAGE_BIND(DeviceGetPowerUsage);
  STREAMGAGE_BIND(DeviceGetEnforcedPowerLimit);
  STREAMGAGE_BIND(DeviceGetTemperatureV);
  STREAMGAGE_BIND(DeviceGetCurrentClocksEventReasons);
  STREAMGAGE_BIND(DeviceGetTemperature);
  STREAMGAGE_BIND(DeviceGetCurrentClocksThrottleReasons);
#undef STREAMGAGE_BIND
  library.bind_if_there("nvmlDeviceGetComputeRunningProcesses_v3",
                        all.DeviceGetComputeRunningProcesses);
  return all;
}

// Null where NVML is not there.
const Functions* load() {
  static const Result<Functions> found = find_functions();
  return found ? &*found : nullptr;
}

// What a function writes behind its other arguments; nothing where it is not there or fails.
template <class Value, class Function, class... Arguments>
std::optional<Value> asked(Function function, Arguments... arguments) {
  Value value{};
  if (function == nullptr || function(arguments..., &value) != kSuccess) {
    return std::nullopt;
  }
  return value;
}

std::optional<double> scaled(std::optional<unsigned> value, double unit) {
  return value ? std::optional(*value * unit) : std::nullopt;
}

std::optional<std::uint64_t> hertz(std::optional<unsigned> megahertz) {
  return megahertz ? std::optional(*megahertz * kMegahertz) : std::nullopt;
}

std::optional<double> celsius_of(const Functions& ml, GpuTag* gpu) {
  Temperature temperature{kTemperatureVersion, kOfGpu, 0};
  if (ml.DeviceGetTemperatureV != nullptr &&
      ml.DeviceGetTemperatureV(gpu, &temperature) == kSuccess) {
    return temperature.celsius;
  }
  return scaled(asked<unsigned>(ml.DeviceGetTemperature, gpu, kOfGpu), 1.0);
}

unsigned long long reasons_of(const Functions& ml, GpuTag* gpu) {
  const auto reasons = asked<unsigned long long>(ml.DeviceGetCurrentClocksEventReasons, gpu);
  return reasons
             ? *reasons
             : asked<unsigned long long>(ml.DeviceGetCurrentClocksThrottleReasons, gpu).value_or(0);
}

// This process is one of those that have the GPU open. In a container their numbers are those
// outside, so that it cannot be told from the others by its own. Where NVML counts none, it does
// not even see this one, so the count says nothing. More than there is room for are an error with
// their count.
std::optional<int> others_on(const Functions& ml, GpuTag* gpu) {
  std::array<ProcessInfo, kMostProcesses> processes{};
  unsigned count = processes.size();
  if (ml.DeviceGetComputeRunningProcesses == nullptr) {
    return std::nullopt;
  }
  const int code = ml.DeviceGetComputeRunningProcesses(gpu, &count, processes.data());
  if ((code != kSuccess && code != kInsufficientSize) || count == 0) {
    return std::nullopt;
  }
  return static_cast<int>(count) - 1;
}

}  // namespace

std::optional<Gpu> Gpu::find(const std::string& pci_address) {
  const Functions* const ml = load();
  GpuTag* handle = nullptr;
  if (ml == nullptr || ml->DeviceGetHandleByPciBusId(pci_address.c_str(), &handle) != kSuccess) {
    return std::nullopt;
  }
  return Gpu(handle);
}

DeviceState Gpu::state() const {
  const Functions& ml = *load();
  DeviceState state;
  state.core_hertz = hertz(asked<unsigned>(ml.DeviceGetClockInfo, handle_, kCores));
  state.memory_hertz = hertz(asked<unsigned>(ml.DeviceGetClockInfo, handle_, kMemory));
  state.watts = scaled(asked<unsigned>(ml.DeviceGetPowerUsage, handle_), 1e-3);
  state.limit_watts = scaled(asked<unsigned>(ml.DeviceGetEnforcedPowerLimit, handle_), 1e-3);
  state.celsius = celsius_of(ml, handle_);
  state.other_processes = others_on(ml, handle_);
  const unsigned long long reasons = reasons_of(ml, handle_);
  for (const auto& [bit, name] : kReasons) {
    if ((reasons & bit) != 0) {
      state.slowed_by.emplace_back(name);
    }
  }
  return state;
}

std::uint64_t Gpu::memory_clock_hertz() const {
  return hertz(asked<unsigned>(load()->DeviceGetMaxClockInfo, handle_, kMemory)).value_or(0);
}

std::uint64_t Gpu::memory_bus_bits() const {
  return asked<unsigned>(load()->DeviceGetMemoryBusWidth, handle_).value_or(0);
}

std::string Gpu::driver_version() {
  const Functions* const ml = load();
  std::array<char, 96> text{};
  if (ml == nullptr || ml->SystemGetDriverVersion == nullptr ||
      ml->SystemGetDriverVersion(text.data(), text.size()) != kSuccess) {
    return {};
  }
  return text.data();
}

}  // namespace streamgage::engine::nvml
