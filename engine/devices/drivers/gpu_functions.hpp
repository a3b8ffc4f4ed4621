// The functions of a GPU's driver that are used. CUDA's driver API and HIP have them under names of
// their own, with the same parameters. They are declared here and found at run time: the engine
// builds without their headers, and starts where there are none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "streamgage/base/error.hpp"

namespace streamgage::engine::gpu {

// CUdevice, hipDevice_t and so on.
using DeviceNumber = int;
using Context = struct ContextTag*;
using Module = struct ModuleTag*;
using Function = struct FunctionTag*;
using Event = struct EventTag*;
using Stream = struct StreamTag*;
using Address = std::uintptr_t;
using Uuid = std::array<unsigned char, 16>;
using Code = int;

// Values of cuda.h; hip_runtime_api.h has the same.
constexpr Code kSuccess = 0, kOutOfMemory = 2, kStubLibrary = 34, kUnavailable = 46,
               kNoDevice = 100, kInvalidImage = 200, kNoBinaryForGpu = 209, kEccError = 214,
               kNoPeerAccess = 217, kInvalidPtx = 218, kNoJitCompiler = 221, kUnsupportedPtx = 222,
               kNoJitAllowed = 223, kOperatingSystem = 304, kIllegalAddress = 700,
               kOutOfResources = 701, kPeerAccessEnabled = 704, kTooManyPeers = 711,
               kLaunchFailed = 719, kNotPermitted = 800, kNotReady = 802, kDriverMismatch = 803,
               kNoForwardCompatibility = 804;
constexpr int kModeProhibited = 2;
constexpr int kFunctionGroupItems = 0;
constexpr int kErrorLog = 5, kErrorLogBytes = 6;
constexpr unsigned kUsualPinned = 0;
// A stream of this kind waits for what was started without one, such as the end of a write.
constexpr unsigned kWaitsForOthers = 0;

// By the names of CUDA's, without "cu" and the number of a version.
struct Functions {
  Code (*Init)(unsigned);
  Code (*DriverGetVersion)(int*);
  Code (*DeviceGetCount)(int*);
  Code (*DeviceGet)(DeviceNumber*, int);
  Code (*DeviceGetName)(char*, int, DeviceNumber);
  Code (*DeviceTotalMem)(std::size_t*, DeviceNumber);
  Code (*DeviceGetAttribute)(int*, int, DeviceNumber);
  Code (*DeviceGetPCIBusId)(char*, int, DeviceNumber);
  Code (*DeviceGetUuid)(Uuid*, DeviceNumber);         // null: the driver is too old for it
  Code (*DeviceGetUuidOfSlice)(Uuid*, DeviceNumber);  // of CUDA since 11.4; else null
  Code (*CtxSynchronize)();
  Code (*MemAlloc)(Address*, std::size_t);
  Code (*MemFree)(Address);
  Code (*MemcpyDtoH)(void*, Address, std::size_t);
  Code (*MemcpyHtoD)(Address, const void*, std::size_t);
  Code (*MemHostAlloc)(void**, std::size_t, unsigned);
  Code (*MemFreeHost)(void*);
  Code (*MemcpyDtoHAsync)(void*, Address, std::size_t, Stream);
  Code (*MemcpyHtoDAsync)(Address, const void*, std::size_t, Stream);
  Code (*StreamCreate)(Stream*, unsigned);
  Code (*StreamDestroy)(Stream);
  Code (*StreamSynchronize)(Stream);
  Code (*DeviceCanAccessPeer)(int*, DeviceNumber, DeviceNumber);
  Code (*ModuleLoadDataEx)(Module*, const void*, unsigned, int*, void**);
  Code (*ModuleUnload)(Module);
  Code (*ModuleGetFunction)(Function*, Module, const char*);
  Code (*FuncGetAttribute)(int*, int, Function);
  Code (*LaunchKernel)(Function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                       unsigned, Stream, void**, void**);
  Code (*EventCreate)(Event*, unsigned);
  Code (*EventDestroy)(Event);
  Code (*EventRecord)(Event, Stream);
  Code (*EventElapsedTime)(float*, Event, Event);

  // CUDA alone: a device is used by its context.
  Code (*DevicePrimaryCtxRetain)(Context*, DeviceNumber);
  Code (*DevicePrimaryCtxRelease)(DeviceNumber);
  Code (*CtxSetCurrent)(Context);
  Code (*CtxEnablePeerAccess)(Context, unsigned);
  Code (*MemcpyPeerAsync)(Address, Context, Address, Context, std::size_t, Stream);
  Code (*GetErrorName)(Code, const char**);
  // HIP alone.
  Code (*SetDevice)(DeviceNumber);
  Code (*EnablePeerAccessByNumber)(DeviceNumber, unsigned);
  Code (*MemcpyPeerAsyncByNumber)(Address, DeviceNumber, Address, DeviceNumber, std::size_t,
                                  Stream);
  const char* (*NameOfError)(Code);
};

// Each loads its library once; it stays. An error says what to install.
Result<const Functions*> load_cuda();
Result<const Functions*> load_hip();

}  // namespace streamgage::engine::gpu
