// The drivers that the engine knows.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/device.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

struct Backend {
  std::string_view word;  // before the number of a device: "cuda" in "cuda:0"
  Result<std::unique_ptr<Device>> (*open)(unsigned number);
  Result<std::vector<DeviceFacts>> (*list)();  // opens none
};

// Of a device that several of them list, the first one counts.
std::span<const Backend> backends();

// Opens the device of that name, such as "opencl:0". An error names it and says what there is
// instead: no driver, no device, no permission, or devices of other numbers.
Result<std::unique_ptr<Device>> open_device(const std::string& id);

}  // namespace streamgage::engine
