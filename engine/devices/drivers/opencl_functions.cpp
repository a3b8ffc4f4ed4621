#include "devices/drivers/opencl_functions.hpp"

#include <fmt/format.h>

#include "devices/drivers/shared_library.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine::opencl {

namespace {

constexpr const char* kLibrary = "libOpenCL.so.1";

Result<Functions> find_functions() {
  STREAMGAGE_TRY(can_load_libraries());
  auto library = SharedLibrary::load({kLibrary});
  if (!library) {
    return usage_error(
        fmt::format("there is no OpenCL on this system ({}): install the OpenCL of the device's "
                    "driver, or on Debian ocl-icd-libopencl1",
                    library.error().message));
  }
  Functions all{};
#define STREAMGAGE_BIND(name) library->bind("cl" #name, all.name)
  STREAMGAGE_BIND(GetPlatformIDs);
  STREAMGAGE_BIND(GetPlatformInfo);
  STREAMGAGE_BIND(GetDeviceIDs);
  STREAMGAGE_BIND(GetDeviceInfo);
  STREAMGAGE_BIND(CreateContext);
  STREAMGAGE_BIND(ReleaseContext);
  STREAMGAGE_BIND(CreateCommandQueue);
  STREAMGAGE_BIND(ReleaseCommandQueue);
  STREAMGAGE_BIND(CreateBuffer);
  STREAMGAGE_BIND(CreateSubBuffer);
  STREAMGAGE_BIND(ReleaseMemObject);
  STREAMGAGE_BIND(EnqueueReadBuffer);
  STREAMGAGE_BIND(EnqueueWriteBuffer);
  STREAMGAGE_BIND(EnqueueMapBuffer);
  STREAMGAGE_BIND(EnqueueUnmapMemObject);
  STREAMGAGE_BIND(CreateProgramWithSource);
  STREAMGAGE_BIND(BuildProgram);
  STREAMGAGE_BIND(GetProgramBuildInfo);
  STREAMGAGE_BIND(ReleaseProgram);
  STREAMGAGE_BIND(CreateKernel);
  STREAMGAGE_BIND(ReleaseKernel);
  STREAMGAGE_BIND(GetKernelWorkGroupInfo);
  STREAMGAGE_BIND(SetKernelArg);
  STREAMGAGE_BIND(EnqueueNDRangeKernel);
  STREAMGAGE_BIND(Flush);
  STREAMGAGE_BIND(Finish);
  STREAMGAGE_BIND(GetEventProfilingInfo);
  STREAMGAGE_BIND(ReleaseEvent);
#undef STREAMGAGE_BIND
  if (!library->missing().empty()) {
    return usage_error(
        fmt::format("{} has no function {}, so it is no OpenCL of 1.2 or later; install a newer "
                    "driver of the device",
                    kLibrary, library->missing()));
  }
  return all;
}

}  // namespace

Result<const Functions*> load() {
  static const Result<Functions> found = find_functions();
  if (!found) {
    return tl::unexpected(found.error());
  }
  return &*found;
}

}  // namespace streamgage::engine::opencl
