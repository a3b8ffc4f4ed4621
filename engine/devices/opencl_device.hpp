// Devices by OpenCL: GPUs, and processors for which there is a driver, such as PoCL.
#pragma once

#include <memory>

#include "devices/device.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine::opencl {

// Opens one device; they are numbered through, platform by platform, as the drivers list them.
Result<std::unique_ptr<Device>> open(unsigned number);

}  // namespace streamgage::engine::opencl
