// GPUs by their own drivers: NVIDIA's by CUDA's driver API, AMD's by HIP. Both have the same
// functions; see gpu_functions.hpp.
#pragma once

#include <memory>
#include <vector>

#include "devices/device.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine::gpu {

// What the driver says of all devices that it shows to this process; none is opened. They are
// numbered as it lists them, which CUDA_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES change.
Result<std::vector<DeviceFacts>> list_cuda();
Result<std::vector<DeviceFacts>> list_hip();

Result<std::unique_ptr<Device>> open_cuda(unsigned number);
Result<std::unique_ptr<Device>> open_hip(unsigned number);

}  // namespace streamgage::engine::gpu
