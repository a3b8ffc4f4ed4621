// The devices that a name stands for, as the drivers list them; none is opened.
#pragma once

#include <string>
#include <vector>

#include "base/json_lines.hpp"
#include "devices/device.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Names of more than one device: all GPUs, and all devices of any kind.
inline constexpr const char* kGpus = "gpu";
inline constexpr const char* kAllDevices = "all";

struct DeviceList {
  std::vector<DeviceFacts> devices;
  std::vector<std::string> reasons;  // of drivers without a device, why
};

DeviceList list_devices();

// Those that are meant by "gpu", "all" or the name of one: its driver and number, its UUID or its
// PCI address. It is an error if there is none, but not of "all", which is every device that there
// is. One that several drivers list is taken once.
Result<DeviceList> choose_devices(const std::string& name, DeviceList list);

// The record that names them.
Json devices_record(const std::string& name, const DeviceList& list);

}  // namespace streamgage::engine
