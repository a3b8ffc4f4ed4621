// The part of OpenCL 1.2 that is used, declared here and found at run time in libOpenCL.so.1: the
// engine builds without its headers, and starts where there is none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "streamgage/base/error.hpp"

namespace streamgage::engine::opencl {

// Khronos' names are cl_platform_id, cl_device_id and so on: opaque pointers.
using Platform = struct ClPlatform*;
using DeviceId = struct ClDevice*;
using Context = struct ClContext*;
using Queue = struct ClQueue*;
using Memory = struct ClMemory*;
using Program = struct ClProgram*;
using Kernel = struct ClKernel*;
using Event = struct ClEvent*;
using Int = std::int32_t;
using Uint = std::uint32_t;
using Bits = std::uint64_t;

// Values of the specification (cl.h).
constexpr Int kSuccess = 0;
constexpr Int kPlatformNotFound = -1001;
constexpr Uint kTrue = 1;
constexpr Bits kTypeCpu = 1U << 1U, kTypeGpu = 1U << 2U, kTypeAccelerator = 1U << 3U;
constexpr Bits kTypeAll = 0xFFFFFFFF;
constexpr Uint kPlatformName = 0x0902, kPlatformVersion = 0x0901;
constexpr Uint kDeviceType = 0x1000, kComputeUnits = 0x1002, kGroupItems = 0x1004,
               kClockMegahertz = 0x100C, kLargestArray = 0x1010, kLineBytes = 0x101D,
               kCacheBytes = 0x101E, kMemoryBytes = 0x101F, kTickNanoseconds = 0x1025,
               kIsAvailable = 0x1027, kHasCompiler = 0x1028, kDeviceName = 0x102B, kVendor = 0x102C,
               kDriverVersion = 0x102D, kDoubles = 0x1032, kSharesMemory = 0x1035;
// Where a device is on the PCI bus: cl_khr_pci_bus_info, cl_nv_device_attribute_query, and
// cl_amd_device_attribute_query, whose kind of place is 1 for PCI.
constexpr Uint kPciKhronos = 0x410F, kPciBusNvidia = 0x4008, kPciSlotNvidia = 0x4009,
               kPciDomainNvidia = 0x400A, kTopologyAmd = 0x4037;
struct PciKhronos {
  Uint domain, bus, device, function;
};
struct TopologyAmd {
  Uint kind;
  std::array<std::uint8_t, 17> unused;
  std::uint8_t bus, device, function;
};
constexpr Bits kQueueProfiling = 1U << 1U;
constexpr Bits kReadWrite = 1U << 0U, kInHostMemory = 1U << 4U;
constexpr Uint kRegion = 0x1220;
struct BufferRegion {
  std::size_t origin, bytes;
};
constexpr Bits kMapRead = 1U << 0U, kMapWrite = 1U << 1U;
constexpr Uint kBuildLog = 0x1183;
constexpr Uint kKernelGroupItems = 0x11B0;
constexpr Uint kEventStart = 0x1282, kEventEnd = 0x1283;

// clNAME as NAME; each returns or sets one of the codes above.
struct Functions {
  Int (*GetPlatformIDs)(Uint, Platform*, Uint*);
  Int (*GetPlatformInfo)(Platform, Uint, std::size_t, void*, std::size_t*);
  Int (*GetDeviceIDs)(Platform, Bits, Uint, DeviceId*, Uint*);
  Int (*GetDeviceInfo)(DeviceId, Uint, std::size_t, void*, std::size_t*);
  Context (*CreateContext)(const std::intptr_t*, Uint, const DeviceId*, void*, void*, Int*);
  Int (*ReleaseContext)(Context);
  Queue (*CreateCommandQueue)(Context, DeviceId, Bits, Int*);
  Int (*ReleaseCommandQueue)(Queue);
  Memory (*CreateBuffer)(Context, Bits, std::size_t, void*, Int*);
  Memory (*CreateSubBuffer)(Memory, Bits, Uint, const void*, Int*);
  Int (*ReleaseMemObject)(Memory);
  Int (*EnqueueReadBuffer)(Queue, Memory, Uint, std::size_t, std::size_t, void*, Uint, const Event*,
                           Event*);
  Int (*EnqueueWriteBuffer)(Queue, Memory, Uint, std::size_t, std::size_t, const void*, Uint,
                            const Event*, Event*);
  void* (*EnqueueMapBuffer)(Queue, Memory, Uint, Bits, std::size_t, std::size_t, Uint, const Event*,
                            Event*, Int*);
  Int (*EnqueueUnmapMemObject)(Queue, Memory, void*, Uint, const Event*, Event*);
  Program (*CreateProgramWithSource)(Context, Uint, const char**, const std::size_t*, Int*);
  Int (*BuildProgram)(Program, Uint, const DeviceId*, const char*, void*, void*);
  Int (*GetProgramBuildInfo)(Program, DeviceId, Uint, std::size_t, void*, std::size_t*);
  Int (*ReleaseProgram)(Program);
  Kernel (*CreateKernel)(Program, const char*, Int*);
  Int (*ReleaseKernel)(Kernel);
  Int (*GetKernelWorkGroupInfo)(Kernel, DeviceId, Uint, std::size_t, void*, std::size_t*);
  Int (*SetKernelArg)(Kernel, Uint, std::size_t, const void*);
  Int (*EnqueueNDRangeKernel)(Queue, Kernel, Uint, const std::size_t*, const std::size_t*,
                              const std::size_t*, Uint, const Event*, Event*);
  Int (*Flush)(Queue);
  Int (*Finish)(Queue);
  Int (*GetEventProfilingInfo)(Event, Uint, std::size_t, void*, std::size_t*);
  Int (*ReleaseEvent)(Event);
};

// Loads the library once; it stays. An error says what to install.
Result<const Functions*> load();

}  // namespace streamgage::engine::opencl
