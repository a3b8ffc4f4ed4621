#include "devices/drivers/gpu_facts.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "devices/drivers/device_place.hpp"
#include "devices/drivers/gpu_error.hpp"
#include "devices/drivers/kfd_node.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine::gpu {
namespace {

constexpr std::uint64_t kMajorOfBulkCopies = 9;
// A group has so much without being asked for; several of them share a processor's.
constexpr std::uint64_t kRingBytes = 48 * kKiB;
constexpr std::uint64_t kKilohertz = 1000;

template <class Ask>
std::string text_by(Ask&& ask) {
  std::array<char, 256> text{};
  return ask(text.data(), static_cast<int>(text.size())) == kSuccess ? text.data() : std::string{};
}

// As nvidia-smi and rocm-smi show it. By HIP it is the text itself: the sixteen digits of the
// number that AMD gives to a GPU; one without has "XX" there (info_.uuid_ in rocdevice.cpp of
// ROCm/clr).
std::string uuid_of(const Driver& driver, const Functions& api, DeviceNumber device,
                    bool is_slice) {
  const auto ask = is_slice ? api.DeviceGetUuidOfSlice : api.DeviceGetUuid;
  Uuid uuid{};
  if (ask == nullptr || ask(&uuid, device) != kSuccess) {
    return {};
  }
  if (&driver == &kHip) {
    const bool is_text = std::all_of(uuid.begin(), uuid.end(),
                                     [](unsigned char each) { return std::isxdigit(each) != 0; });
    return is_text ? fmt::format("GPU-{}", std::string(uuid.begin(), uuid.end())) : std::string{};
  }
  std::string text = is_slice ? "MIG" : "GPU";
  constexpr std::array<std::size_t, 5> kGroups{0, 4, 6, 8, 10};
  for (std::size_t number = 0; number < uuid.size(); ++number) {
    const bool begins = std::find(kGroups.begin(), kGroups.end(), number) != kGroups.end();
    text += fmt::format("{}{:02x}", begins ? "-" : "", uuid[number]);
  }
  return text;
}

// What NVIDIA's driver does not say, NVML may.
void add_facts_of_nvml(const nvml::Gpu& gpu, DeviceFacts& facts) {
  if (const std::string driver = nvml::Gpu::driver_version(); !driver.empty()) {
    facts.driver += fmt::format("; driver {}", driver);
  }
  if (facts.shares_host_memory) {
    return;
  }
  if (facts.memory_clock_hertz == 0) {
    facts.memory_clock_hertz = gpu.memory_clock_hertz();
  }
  if (facts.memory_bus_bits == 0) {
    facts.memory_bus_bits = gpu.memory_bus_bits();
  }
}

}  // namespace

int attribute_of(const Functions& api, DeviceNumber device, int attribute) {
  int value = 0;
  const bool is_known =
      attribute >= 0 && api.DeviceGetAttribute(&value, attribute, device) == kSuccess;
  return is_known ? std::max(value, 0) : 0;
}

std::string name_of(const Functions& api, DeviceNumber device) {
  return text_by([&](char* to, int bytes) { return api.DeviceGetName(to, bytes, device); });
}

Result<std::vector<DeviceNumber>> numbers_of(const Driver& driver, const Functions& api) {
  const auto no_device = [&] {
    std::vector<std::string> set;
    for (const char* const name : driver.visible) {
      if (const char* const value = std::getenv(name)) {
        set.push_back(fmt::format("{}={}", name, value));
      }
    }
    return usage_error(fmt::format("the {} driver finds no GPU{}{}{}", driver.interface,
                                   set.empty() ? "" : " with ", fmt::join(set, ", "),
                                   driver.forbidden()));
  };
  if (&driver == &kCuda) {
    // CUDA itself begins with the fastest GPU. In this order a number is mostly nvidia-smi's.
    (void)setenv("CUDA_DEVICE_ORDER", "PCI_BUS_ID", 0);
  }
  const Code code = api.Init(0);
  if (code == kNoDevice) {
    return no_device();
  }
  if (code != kSuccess) {
    return usage_error(fmt::format("the {} driver does not start: {}{}", driver.interface,
                                   reason_of(api, code), driver.forbidden()));
  }
  int count = 0;
  const Code counted = api.DeviceGetCount(&count);
  if (counted != kSuccess) {
    return failure(fmt::format("the {} driver does not list its GPUs: {}", driver.interface,
                               reason_of(api, counted)));
  }
  std::vector<DeviceNumber> devices;
  for (int number = 0; number < count; ++number) {
    DeviceNumber device = 0;
    if (api.DeviceGet(&device, number) == kSuccess) {
      devices.push_back(device);
    }
  }
  if (devices.empty()) {
    return no_device();
  }
  return devices;
}

Found found_at(const Driver& driver, const Functions& api, const std::vector<DeviceNumber>& all,
               std::size_t number) {
  Found found{all[number], fmt::format("{}:{}", driver.word, number), "", std::nullopt};
  found.pci_address =
      text_by([&](char* to, int bytes) { return api.DeviceGetPCIBusId(to, bytes, found.number); });
  if (&driver == &kCuda) {
    found.nvml = nvml::Gpu::find(found.pci_address);
  }
  return found;
}

DeviceFacts facts_of(const Driver& driver, const Functions& api, const Found& found) {
  const Attributes& attributes = driver.attributes;
  const auto value_of = [&](int which) {
    return static_cast<std::uint64_t>(attribute_of(api, found.number, which));
  };
  DeviceFacts facts;
  facts.id = found.id;
  facts.interface = driver.interface;
  facts.name = name_of(api, found.number);
  facts.vendor = driver.vendor;
  facts.language = DeviceLanguage::kCudaCpp;
  int version = 0;
  (void)api.DriverGetVersion(&version);
  facts.driver = driver.version(version);
  facts.kind = "gpu";
  const std::size_t slice = facts.name.find("MIG ");
  facts.slice = slice == std::string::npos ? "" : facts.name.substr(slice);
  facts.compute_units = value_of(attributes.processors);
  facts.clock_hertz = value_of(attributes.clock_kilohertz) * kKilohertz;
  std::size_t bytes = 0;
  facts.memory_bytes = api.DeviceTotalMem(&bytes, found.number) == kSuccess ? bytes : 0;
  facts.cache_bytes = value_of(attributes.cache_bytes);
  facts.most_group_items = value_of(attributes.group_items);
  facts.most_items = driver.most_items;
  facts.widest_vector_bytes = driver.widest_vector_bytes;
  facts.shares_host_memory = value_of(attributes.is_integrated) != 0;
  // Of an integrated GPU the driver's numbers are not those of the memory: for a Jetson AGX Orin,
  // whose memory has 204.8 GB/s, 612 MHz and 256 bits. The backend for CUDA of intel/llvm replaces
  // them, too (its pull request 8418).
  if (!facts.shares_host_memory) {
    facts.memory_clock_hertz = value_of(attributes.memory_kilohertz) * kKilohertz;
    facts.memory_bus_bits = value_of(attributes.memory_bus_bits);
  }
  if (attributes.ecc >= 0) {
    facts.has_ecc = value_of(attributes.ecc) != 0;
  }
  facts.has_double = true;
  facts.tick_seconds = driver.tick_seconds;
  facts.pci_address = found.pci_address;
  std::transform(facts.pci_address.begin(), facts.pci_address.end(), facts.pci_address.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  const std::string place = address_of_gpu(facts.pci_address);
  facts.numa_node = numa_node_of(place);
  facts.uuid = uuid_of(driver, api, found.number, !facts.slice.empty());
  if (&driver == &kCuda) {
    facts.architecture =
        fmt::format("sm_{}{}", value_of(attributes.major), value_of(attributes.minor));
    facts.ring_bytes = value_of(attributes.major) >= kMajorOfBulkCopies ? kRingBytes : 0;
    if (found.nvml) {
      add_facts_of_nvml(*found.nvml, facts);
    }
  } else {
    facts.slice = partition_of(place);
    // HIP knows the second level alone, and an Infinity Cache is larger: without KFD it is not
    // known.
    const auto node = find_kfd_node(found.pci_address);
    facts.cache_bytes =
        node && node->cache_bytes > 0 ? std::max(node->cache_bytes, facts.cache_bytes) : 0;
    facts.architecture = node ? node->architecture : "";
  }
  return facts;
}

}  // namespace streamgage::engine::gpu
