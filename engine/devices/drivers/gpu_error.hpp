// What a driver's answer means, in words.
#pragma once

#include <string>

#include "devices/drivers/gpu_functions.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine::gpu {

// "its memory is full (CUDA_ERROR_OUT_OF_MEMORY)".
std::string reason_of(const Functions& api, Code code);

// Of the device `id`, which could not do `what`.
Error error_of(const Functions& api, const std::string& id, const std::string& what, Code code);

// That error, unless the code is that of success.
Result<void> checked(const Functions& api, const std::string& id, const char* what, Code code);

}  // namespace streamgage::engine::gpu
