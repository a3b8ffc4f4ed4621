// What is known of GPUs before they are opened.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "devices/device.hpp"
#include "devices/drivers/gpu_functions.hpp"
#include "devices/drivers/gpu_interface.hpp"
#include "devices/drivers/nvml.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine::gpu {

// 0: the driver does not say it, or is not asked.
int attribute_of(const Functions& api, DeviceNumber device, int attribute);

std::string name_of(const Functions& api, DeviceNumber device);

// All devices that the driver shows to this process.
Result<std::vector<DeviceNumber>> numbers_of(const Driver& driver, const Functions& api);

// A device, with the other sources of what is known of it.
struct Found {
  DeviceNumber number = 0;
  std::string id;
  std::string pci_address;
  std::optional<nvml::Gpu> nvml;
};

Found found_at(const Driver& driver, const Functions& api, const std::vector<DeviceNumber>& all,
               std::size_t number);

DeviceFacts facts_of(const Driver& driver, const Functions& api, const Found& found);

}  // namespace streamgage::engine::gpu
