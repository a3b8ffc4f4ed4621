// A user's kernel in OpenCL C or CUDA C++: the text of a file, and what its first lines declare.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "base/plan.hpp"
#include "devices/device.hpp"
#include "kernels/own/own_kernel.hpp"

namespace streamgage::engine {

inline constexpr const char* kOwnRun = "run";
inline constexpr const char* kOwnFill = "fill";
inline constexpr const char* kOwnCheck = "check";

struct DeviceOwnKernel {
  SharedOwnKernel facts;  // its functions cannot be called
  OwnProgram program;
  bool fills = false;   // it has a kernel named kOwnFill
  bool checks = false;  // it has a kernel named kOwnCheck
};

// Reads the lines of a text that begin with "// streamgage:":
//
//   name NAME
//   formula TEXT
//   array NAME TYPE read|write|read-write [per_iteration=N] [extra=N] [bytes=N]
//   flops N
//
// as streamgage/kernel.h explains these. `number`: its place among the users' kernels.
tl::expected<DeviceOwnKernel, KernelFailure> parse_device_kernel(const std::string& text,
                                                                 const OwnKernelFile& file,
                                                                 int number);

// The same of the file that a plan names.
tl::expected<DeviceOwnKernel, KernelFailure> load_device_kernel(const OwnKernelFile& file,
                                                                int number);

// Of the scalar s that its kernels take: that of its first floating-point array; without one,
// double where the device has it.
ElementType scalar_type(const OwnKernel& kernel, const DeviceFacts& device);

}  // namespace streamgage::engine
