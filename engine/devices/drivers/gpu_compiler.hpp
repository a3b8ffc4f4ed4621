// The compilers of CUDA C++ and HIP C++ that are libraries: NVRTC of NVIDIA's toolkit, and hipRTC
// of ROCm.
#pragma once

#include <string>

#include "streamgage/base/error.hpp"

namespace streamgage::engine::gpu {

// Such as "NVRTC 12.4". An error says why it is not there, without a name before it.
Result<std::string> nvrtc_version();
Result<std::string> hiprtc_version();

// Compiles for a GPU of that compute capability (90: 9.0): what its driver loads. Machine code, or
// where the library is older than the GPU, PTX. `file`: the name of the source in the compiler's
// log, whose first errors are in an error.
Result<std::string> compile_by_nvrtc(const std::string& source, const std::string& file,
                                     int capability);

// Compiles for the GPU that is in use; it ignores the capability.
Result<std::string> compile_by_hiprtc(const std::string& source, const std::string& file,
                                      int capability);

}  // namespace streamgage::engine::gpu
