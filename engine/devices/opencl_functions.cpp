#include "devices/opencl_functions.hpp"

#include <string>

#include <fmt/format.h>

#if STREAMGAGE_DLOPEN
#include <dlfcn.h>
#endif

namespace streamgage::engine::opencl {

#if STREAMGAGE_DLOPEN

namespace {

constexpr const char* kLibrary = "libOpenCL.so.1";

template <class Function>
void bind(void* library, const char* name, Function& function, std::string& missing) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr && missing.empty()) {
    missing = name;
  }
}

Result<Functions> find_functions() {
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const why = dlerror();
    return usage_error(
        fmt::format("there is no OpenCL on this system ({}); install the OpenCL of the device's "
                    "driver, or on Debian ocl-icd-libopencl1",
                    why == nullptr ? kLibrary : why));
  }
  Functions all{};
  std::string missing;
#define STREAMGAGE_BIND(name) bind(library, "cl" #name, all.name, missing)
  STREAMGAGE_BIND(GetPlatformIDs);
  STREAMGAGE_BIND(GetPlatformInfo);
  STREAMGAGE_BIND(GetDeviceIDs);
  STREAMGAGE_BIND(GetDeviceInfo);
  STREAMGAGE_BIND(CreateContext);
  STREAMGAGE_BIND(ReleaseContext);
  STREAMGAGE_BIND(CreateCommandQueue);
  STREAMGAGE_BIND(ReleaseCommandQueue);
  STREAMGAGE_BIND(CreateBuffer);
  STREAMGAGE_BIND(ReleaseMemObject);
  STREAMGAGE_BIND(EnqueueReadBuffer);
  STREAMGAGE_BIND(EnqueueWriteBuffer);
  STREAMGAGE_BIND(CreateProgramWithSource);
  STREAMGAGE_BIND(BuildProgram);
  STREAMGAGE_BIND(GetProgramBuildInfo);
  STREAMGAGE_BIND(ReleaseProgram);
  STREAMGAGE_BIND(CreateKernel);
  STREAMGAGE_BIND(ReleaseKernel);
  STREAMGAGE_BIND(GetKernelWorkGroupInfo);
  STREAMGAGE_BIND(SetKernelArg);
  STREAMGAGE_BIND(EnqueueNDRangeKernel);
  STREAMGAGE_BIND(Finish);
  STREAMGAGE_BIND(GetEventProfilingInfo);
  STREAMGAGE_BIND(ReleaseEvent);
#undef STREAMGAGE_BIND
  if (!missing.empty()) {
    return usage_error(
        fmt::format("{} has no function {}, so it is no OpenCL of 1.2 or later; install a newer "
                    "driver of the device",
                    kLibrary, missing));
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

#else

Result<const Functions*> load() {
  return usage_error(
      "this engine is a static program, which loads no driver; use an engine that was built with "
      "shared libraries");
}

#endif

}  // namespace streamgage::engine::opencl
