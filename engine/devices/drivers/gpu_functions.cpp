#include "devices/drivers/gpu_functions.hpp"

#include <fmt/format.h>

#include "devices/drivers/shared_library.hpp"
#include "devices/drivers/vendor_folders.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine::gpu {
namespace {

// Those that both have, by the names that they have in one.
#define STREAMGAGE_COMMON(bind)                     \
  bind(Init, "Init");                               \
  bind(DriverGetVersion, "DriverGetVersion");       \
  bind(DeviceGet, "DeviceGet");                     \
  bind(DeviceGetName, "DeviceGetName");             \
  bind(DeviceGetAttribute, "DeviceGetAttribute");   \
  bind(DeviceGetPCIBusId, "DeviceGetPCIBusId");     \
  bind(ModuleLoadDataEx, "ModuleLoadDataEx");       \
  bind(ModuleUnload, "ModuleUnload");               \
  bind(ModuleGetFunction, "ModuleGetFunction");     \
  bind(FuncGetAttribute, "FuncGetAttribute");       \
  bind(DeviceCanAccessPeer, "DeviceCanAccessPeer"); \
  bind(StreamSynchronize, "StreamSynchronize");     \
  bind(EventRecord, "EventRecord");                 \
  bind(EventElapsedTime, "EventElapsedTime")

Result<Functions> find_cuda() {
  STREAMGAGE_TRY(can_load_libraries());
  constexpr const char* kLibrary = "libcuda.so.1";
  auto library = SharedLibrary::load({kLibrary}, folders_of_nvidia_driver());
  if (!library) {
    return usage_error(fmt::format(
        "there is no CUDA driver on this system ({}): install NVIDIA's driver of the GPU",
        library.error().message));
  }
  Functions all{};
#define STREAMGAGE_BIND(field, name) library->bind("cu" name, all.field)
  STREAMGAGE_COMMON(STREAMGAGE_BIND);
  STREAMGAGE_BIND(DeviceGetCount, "DeviceGetCount");
  STREAMGAGE_BIND(DeviceTotalMem, "DeviceTotalMem_v2");
  STREAMGAGE_BIND(CtxSynchronize, "CtxSynchronize");
  STREAMGAGE_BIND(MemAlloc, "MemAlloc_v2");
  STREAMGAGE_BIND(MemFree, "MemFree_v2");
  STREAMGAGE_BIND(MemcpyDtoH, "MemcpyDtoH_v2");
  STREAMGAGE_BIND(MemcpyHtoD, "MemcpyHtoD_v2");
  STREAMGAGE_BIND(MemHostAlloc, "MemHostAlloc");
  STREAMGAGE_BIND(MemFreeHost, "MemFreeHost");
  STREAMGAGE_BIND(MemcpyDtoHAsync, "MemcpyDtoHAsync_v2");
  STREAMGAGE_BIND(MemcpyHtoDAsync, "MemcpyHtoDAsync_v2");
  STREAMGAGE_BIND(StreamCreate, "StreamCreate");
  STREAMGAGE_BIND(StreamDestroy, "StreamDestroy_v2");
  STREAMGAGE_BIND(LaunchKernel, "LaunchKernel");
  STREAMGAGE_BIND(EventCreate, "EventCreate");
  STREAMGAGE_BIND(EventDestroy, "EventDestroy_v2");
  STREAMGAGE_BIND(DevicePrimaryCtxRetain, "DevicePrimaryCtxRetain");
  STREAMGAGE_BIND(DevicePrimaryCtxRelease, "DevicePrimaryCtxRelease");
  STREAMGAGE_BIND(CtxSetCurrent, "CtxSetCurrent");
  STREAMGAGE_BIND(CtxEnablePeerAccess, "CtxEnablePeerAccess");
  STREAMGAGE_BIND(MemcpyPeerAsync, "MemcpyPeerAsync");
  STREAMGAGE_BIND(GetErrorName, "GetErrorName");
#undef STREAMGAGE_BIND
  library->bind_if_there("cuDeviceGetUuid", all.DeviceGetUuid);
  library->bind_if_there("cuDeviceGetUuid_v2", all.DeviceGetUuidOfSlice);
  if (!library->missing().empty()) {
    return usage_error(
        fmt::format("{} has no function {}, so the driver is older than CUDA 9; install a newer "
                    "driver of the GPU",
                    kLibrary, library->missing()));
  }
  return all;
}

Result<Functions> find_hip() {
  STREAMGAGE_TRY(can_load_libraries());
  auto library = SharedLibrary::load(
      {"libamdhip64.so", "libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5"},
      folders_of_rocm());
  if (!library) {
    return usage_error(
        fmt::format("there is no HIP on this system ({}): install ROCm's HIP runtime, or "
                    "set ROCM_PATH to the folder of ROCm",
                    library.error().message));
  }
  Functions all{};
#define STREAMGAGE_BIND(field, name) library->bind("hip" name, all.field)
  STREAMGAGE_COMMON(STREAMGAGE_BIND);
  STREAMGAGE_BIND(DeviceGetCount, "GetDeviceCount");
  STREAMGAGE_BIND(DeviceTotalMem, "DeviceTotalMem");
  STREAMGAGE_BIND(CtxSynchronize, "DeviceSynchronize");
  STREAMGAGE_BIND(MemAlloc, "Malloc");
  STREAMGAGE_BIND(MemFree, "Free");
  STREAMGAGE_BIND(MemcpyDtoH, "MemcpyDtoH");
  STREAMGAGE_BIND(MemcpyHtoD, "MemcpyHtoD");
  STREAMGAGE_BIND(MemHostAlloc, "HostMalloc");
  STREAMGAGE_BIND(MemFreeHost, "HostFree");
  STREAMGAGE_BIND(MemcpyDtoHAsync, "MemcpyDtoHAsync");
  STREAMGAGE_BIND(MemcpyHtoDAsync, "MemcpyHtoDAsync");
  STREAMGAGE_BIND(StreamCreate, "StreamCreateWithFlags");
  STREAMGAGE_BIND(StreamDestroy, "StreamDestroy");
  STREAMGAGE_BIND(LaunchKernel, "ModuleLaunchKernel");
  STREAMGAGE_BIND(EventCreate, "EventCreateWithFlags");
  STREAMGAGE_BIND(EventDestroy, "EventDestroy");
  STREAMGAGE_BIND(SetDevice, "SetDevice");
  STREAMGAGE_BIND(EnablePeerAccessByNumber, "DeviceEnablePeerAccess");
  STREAMGAGE_BIND(MemcpyPeerAsyncByNumber, "MemcpyPeerAsync");
  STREAMGAGE_BIND(NameOfError, "GetErrorName");
#undef STREAMGAGE_BIND
  library->bind_if_there("hipDeviceGetUuid", all.DeviceGetUuid);
  if (!library->missing().empty()) {
    return usage_error(
        fmt::format("libamdhip64.so has no function {}, so it is older than ROCm 5; install a "
                    "newer ROCm",
                    library->missing()));
  }
  return all;
}
#undef STREAMGAGE_COMMON

Result<const Functions*> pointer_to(const Result<Functions>& found) {
  if (!found) {
    return tl::unexpected(found.error());
  }
  return &*found;
}

}  // namespace

Result<const Functions*> load_cuda() {
  static const Result<Functions> found = find_cuda();
  return pointer_to(found);
}

Result<const Functions*> load_hip() {
  static const Result<Functions> found = find_hip();
  return pointer_to(found);
}

}  // namespace streamgage::engine::gpu
