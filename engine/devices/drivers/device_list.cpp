#include "devices/drivers/device_list.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "devices/device_record.hpp"
#include "devices/drivers/device_backends.hpp"
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

// By its driver and number, by its UUID, or by its PCI address, with a domain or without.
bool is_named(const DeviceFacts& device, const std::string& name) {
  const auto is = [&name](const std::string& text) {
    return !text.empty() &&
           std::equal(text.begin(), text.end(), name.begin(), name.end(), [](char one, char other) {
             return std::tolower(static_cast<unsigned char>(one)) ==
                    std::tolower(static_cast<unsigned char>(other));
           });
  };
  constexpr std::string_view kFirstDomain = "0000:";
  const bool has_domain = device.pci_address.substr(0, kFirstDomain.size()) != kFirstDomain;
  return device.id == name || is(device.uuid) || is(device.pci_address) ||
         (!has_domain && is(device.pci_address.substr(kFirstDomain.size())));
}

// "cuda:0 (Tesla V100), opencl:0 (...)".
std::string described(const std::vector<DeviceFacts>& devices) {
  std::vector<std::string> names;
  names.reserve(devices.size());
  for (const DeviceFacts& each : devices) {
    names.push_back(fmt::format("{} ({})", each.id, each.name));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// Whether it is none of the names that a driver with a number has.
bool is_of_one_device(const std::string& name) {
  return name.rfind("GPU-", 0) == 0 || name.rfind("MIG-", 0) == 0 ||
         (name.find(':') != std::string::npos && name.find('.') != std::string::npos);
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
      [&](const DeviceFacts& each) { return gpus ? each.kind == "gpu" : is_named(each, name); });
  if (!list.devices.empty()) {
    take_each_once(list.devices);
    return list;
  }
  if (!gpus && is_of_one_device(name)) {
    return usage_error(fmt::format(
        "there is no device {}; {}{}", name,
        all.empty() ? fmt::format("{}", fmt::join(list.reasons, "; "))
                    : fmt::format("there is {}", described(all)),
        name.rfind("MIG-", 0) == 0 ? "; CUDA shows a process few slices of a GPU: set "
                                     "CUDA_VISIBLE_DEVICES to this one's UUID, and name it cuda:0"
                                   : ""));
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
  return usage_error(fmt::format("none of the devices is a GPU: there is {}", described(all)));
}

Json devices_record(const std::string& name, const DeviceList& list) {
  record::Devices written{.name = name, .devices = {}, .reasons = list.reasons};
  for (const DeviceFacts& each : list.devices) {
    written.devices.push_back(record_of(each));
  }
  return to_json(written);
}

}  // namespace streamgage::engine
