// NVML for tests, libnvidia-ml.so.1: a GPU at its power limit, or as STREAMGAGE_TEST_GPU asks by
// nvml=CODE, nvml_old=CODE, nvml_new=CODE, reasons=BITS, processes=N and nvml_memory_megahertz=N.
#include <cstdio>
#include <cstring>

#include "devices/probes/host_compiler.hpp"

using streamgage::probes::number_asked_for;

extern "C" {

int nvmlInit_v2() { return static_cast<int>(number_asked_for("nvml", 0)); }

int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** gpu) {
  static int one = 0;
  *gpu = &one;
  return std::strcmp(address, "ffff:17:00.0") == 0 ? 0 : 6;  // NVML_ERROR_NOT_FOUND
}

int nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
  std::snprintf(text, bytes, "550.54.15");
  return 0;
}

int nvmlDeviceGetClockInfo(void* /*gpu*/, int which, unsigned* megahertz) {
  *megahertz = which == 2 ? 2619 : 1755;
  return 0;
}

int nvmlDeviceGetMaxClockInfo(void* /*gpu*/, int /*which*/, unsigned* megahertz) {
  *megahertz = static_cast<unsigned>(number_asked_for("nvml_memory_megahertz", 2619));
  return 0;
}

int nvmlDeviceGetMemoryBusWidth(void* /*gpu*/, unsigned* bits) {
  *bits = 5120;
  return 0;
}

int nvmlDeviceGetPowerUsage(void* /*gpu*/, unsigned* milliwatts) {
  *milliwatts = 698'500;
  return 0;
}

// As a driver does where the GPU has no such thing.
int nvmlDeviceGetEnforcedPowerLimit(void* /*gpu*/, unsigned* /*milliwatts*/) {
  return 3;  // NVML_ERROR_NOT_SUPPORTED
}

// The functions of NVML 13, and those before them; 13: NVML_ERROR_FUNCTION_NOT_FOUND.
int nvmlDeviceGetTemperatureV(void* /*gpu*/, unsigned* temperature) {
  if (temperature[0] != (12U | 1U << 24U)) {
    return 25;  // NVML_ERROR_ARGUMENT_VERSION_MISMATCH
  }
  temperature[2] = 61;
  return static_cast<int>(number_asked_for("nvml_new", 0));
}

int nvmlDeviceGetTemperature(void* /*gpu*/, int /*sensor*/, unsigned* celsius) {
  *celsius = 61;
  return static_cast<int>(number_asked_for("nvml_old", 0));
}

int nvmlDeviceGetCurrentClocksEventReasons(void* /*gpu*/, unsigned long long* reasons) {
  *reasons = static_cast<unsigned long long>(number_asked_for("reasons", 0x4));
  return static_cast<int>(number_asked_for("nvml_new", 0));
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void* /*gpu*/, unsigned long long* reasons) {
  *reasons = static_cast<unsigned long long>(number_asked_for("reasons", 0x4));
  return static_cast<int>(number_asked_for("nvml_old", 0));
}

// One of them is the process that asks.
int nvmlDeviceGetComputeRunningProcesses_v3(void* /*gpu*/, unsigned* count, void* /*processes*/) {
  const unsigned room = *count;
  *count = static_cast<unsigned>(number_asked_for("processes", 1));
  return *count > room ? 7 : 0;  // NVML_ERROR_INSUFFICIENT_SIZE
}

}  // extern "C"
