#include "devices/device_list.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "devices/device_backends.hpp"
#include "devices/device_record.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {

namespace {

// Of a device that several drivers list, the first of these counts. One driver may list several
// parts at one address.
void take_each_once(std::vector<DeviceFacts>& devices) {
  std::map<std::string, std::string> listed_by;
  std::erase_if(devices, [&listed_by](const DeviceFacts& each) {
    const std::string driver = each.id.substr(0, each.id.find(':'));
    return !each.pci_address.empty() &&
           listed_by.emplace(each.pci_address, driver).first->second != driver;
  });
}

}  // namespace

DeviceList list_devices() {
  DeviceList list;
  for (const Backend& backend : backends()) {
    if (auto found = backend.list()) {
      std::move(found->begin(), found->end(), std::back_inserter(list.devices));
    } else {
      list.reasons.push_back(std::move(found).error().message);
    }
  }
  return list;
}

Result<DeviceList> choose_devices(const std::string& name, DeviceList list) {
  if (name == kAllDevices) {
    take_each_once(list.devices);
    return list;
  }
  const std::vector<DeviceFacts> all = std::exchange(list.devices, {});
  const bool gpus = name == kGpus;
  std::copy_if(
      all.begin(), all.end(), std::back_inserter(list.devices),
      [&](const DeviceFacts& each) { return gpus ? each.kind == "gpu" : each.id == name; });
  if (!list.devices.empty()) {
    take_each_once(list.devices);
    return list;
  }
  if (!gpus) {
    // It says why, and what there is instead.
    STREAMGAGE_TRY(const auto device, open_device(name));
    list.devices = {device->facts()};
    return list;
  }
  if (all.empty()) {
    return usage_error(fmt::format("there is no GPU: {}", fmt::join(list.reasons, "; ")));
  }
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const DeviceFacts& each : all) {
    names.push_back(fmt::format("{} ({})", each.id, each.name));
  }
  return usage_error(
      fmt::format("none of the devices is a GPU: there is {}", fmt::join(names, ", ")));
}

Json devices_record(const std::string& name, const DeviceList& list) {
  Json devices = Json::array();
  for (const DeviceFacts& each : list.devices) {
    devices.push_back(to_record(each));
  }
  return {{"record", "devices"},
          {"name", name},
          {"devices", std::move(devices)},
          {"reasons", list.reasons}};
}

}  // namespace streamgage::engine
