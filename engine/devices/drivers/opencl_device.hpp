// Devices by OpenCL: GPUs, and processors for which there is a driver, such as PoCL.
#pragma once

#include <memory>
#include <vector>

#include "devices/device.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine::opencl {

// Opens one device; they are numbered through, platform by platform, as the drivers list them.
Result<std::unique_ptr<Device>> open(unsigned number);

// What the drivers say of all of them, in that order. It is an error if there is none.
Result<std::vector<DeviceFacts>> list();

}  // namespace streamgage::engine::opencl
