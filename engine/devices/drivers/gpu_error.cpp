#include "devices/drivers/gpu_error.hpp"

#include <string_view>

#include <fmt/format.h>

namespace streamgage::engine::gpu {
namespace {

std::string_view name_of_code(Code code) {
  switch (code) {
    case kOutOfMemory:
      return "its memory is full";
    case kStubLibrary:
      return "its library is the stub of a toolkit and no driver";
    case kUnavailable:
      return "another program has it for itself";
    case kNoBinaryForGpu:
      return "the kernels are not for this GPU";
    case kEccError:
      return "its memory has an error that it cannot correct";
    case kInvalidPtx:
    case kUnsupportedPtx:
      return "the driver is too old for these kernels";
    case kNoJitCompiler:
      return "the driver's own compiler, libnvidia-ptxjitcompiler.so.1, is missing";
    case kOperatingSystem:
    case kNotPermitted:
      return "the system does not permit it";
    case kIllegalAddress:
      return "it used memory that is not its own";
    case kOutOfResources:
      return "it is out of resources";
    case kLaunchFailed:
      return "it ended in the middle";
    case kNotReady:
      return "it is not ready yet; where GPUs are joined by NVSwitch, start nvidia-fabricmanager";
    case kDriverMismatch:
      return "the driver's library and its kernel module are of different versions";
    case kNoForwardCompatibility:
      return "its library is for forward compatibility (cuda-compat), which a visible GPU does not "
             "support; run without that library, or hide that GPU (CUDA_VISIBLE_DEVICES)";
    case kNoJitAllowed:
      return "CUDA_DISABLE_PTX_JIT forbids the driver to compile";
    default:
      return "the driver refuses it";
  }
}

}  // namespace

std::string reason_of(const Functions& api, Code code) {
  const char* name = nullptr;
  if (api.NameOfError != nullptr) {
    name = api.NameOfError(code);
  } else if (api.GetErrorName(code, &name) != kSuccess) {
    name = nullptr;
  }
  return name == nullptr ? fmt::format("{} (error {})", name_of_code(code), code)
                         : fmt::format("{} ({})", name_of_code(code), name);
}

Error error_of(const Functions& api, const std::string& id, const std::string& what, Code code) {
  return {fmt::format("{}: {}: {}", id, what, reason_of(api, code)), ExitStatus::kFailed};
}

Result<void> checked(const Functions& api, const std::string& id, const char* what, Code code) {
  if (code != kSuccess) {
    return tl::unexpected(error_of(api, id, what, code));
  }
  return {};
}

}  // namespace streamgage::engine::gpu
