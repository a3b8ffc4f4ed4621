#include "devices/drivers/hwmon_state.hpp"

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <system_error>

namespace streamgage::engine {
namespace {

// The number in the first of these files that has one.
std::optional<double> number_in(const std::filesystem::path& folder,
                                std::initializer_list<const char*> names) {
  for (const char* const name : names) {
    std::ifstream file(folder / name);
    double value = 0.0;
    if (file >> value) {
      return value;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> hertz_in(const std::filesystem::path& folder, const char* name) {
  const auto value = number_in(folder, {name});
  return value && *value > 0.0 ? std::optional(static_cast<std::uint64_t>(std::llround(*value)))
                               : std::nullopt;
}

std::optional<double> scaled(std::optional<double> value, double unit) {
  return value ? std::optional(*value * unit) : std::nullopt;
}

}  // namespace

// The files and their units are those of the kernel's documentation of amdgpu's hwmon: Hz,
// microwatts and thousandths of a degree.
std::optional<DeviceState> read_hwmon_state(const std::string& pci_address,
                                            const std::string& folder) {
  std::error_code none;
  const std::filesystem::directory_iterator sensors(
      std::filesystem::path(folder) / pci_address / "hwmon", none);
  if (none || sensors == std::filesystem::directory_iterator()) {
    return std::nullopt;
  }
  const std::filesystem::path& found = sensors->path();
  DeviceState state;
  state.core_hertz = hertz_in(found, "freq1_input");
  state.memory_hertz = hertz_in(found, "freq2_input");
  state.watts = scaled(number_in(found, {"power1_average", "power1_input"}), 1e-6);
  state.limit_watts = scaled(number_in(found, {"power1_cap"}), 1e-6);
  state.celsius = scaled(number_in(found, {"temp2_input", "temp1_input"}), 1e-3);
  return state;
}

}  // namespace streamgage::engine
