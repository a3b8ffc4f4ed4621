#include "devices/drivers/kfd_node.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

using Properties = std::map<std::string, std::uint64_t>;

// Lines of a name and a number.
Properties read_properties(const std::filesystem::path& file) {
  Properties found;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) {
    std::istringstream words(line);
    std::string name;
    std::uint64_t value = 0;
    if (words >> name >> value) {
      found[name] = value;
    }
  }
  return found;
}

std::uint64_t value_of(const Properties& properties, const char* name) {
  const auto found = properties.find(name);
  return found == properties.end() ? 0 : found->second;
}

std::vector<std::filesystem::path> folders_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  std::error_code ignored;
  for (std::filesystem::directory_iterator entry(folder, ignored), end; entry != end;
       entry.increment(ignored)) {
    found.push_back(entry->path());
    if (ignored) {
      break;
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

// Domain, and bus, device and function as KFD's "location_id" has them.
struct Place {
  std::uint64_t domain = 0;
  std::uint64_t location = 0;
};

// "0000:c1:00.0"; nothing if it is no such address.
std::optional<Place> place_of(std::string_view address) {
  std::vector<std::uint64_t> parts;
  while (!address.empty()) {
    std::uint64_t value = 0;
    const auto [last, error] =
        std::from_chars(address.data(), address.data() + address.size(), value, 16);
    if (error != std::errc{}) {
      return std::nullopt;
    }
    parts.push_back(value);
    address.remove_prefix(static_cast<std::size_t>(last - address.data()));
    address.remove_prefix(std::min<std::size_t>(address.size(), 1));
  }
  if (parts.size() != 4) {
    return std::nullopt;
  }
  return Place{parts[0], parts[1] << 8U | parts[2] << 3U | parts[3]};
}

// 90402 is gfx942, 90010 is gfx90a: the last two are hexadecimal digits.
std::string architecture_of(std::uint64_t version) {
  return version == 0
             ? ""
             : fmt::format("gfx{}{:x}{:x}", version / 10000, version / 100 % 100, version % 100);
}

}  // namespace

std::optional<KfdNode> find_kfd_node(const std::string& pci_address, const std::string& folder) {
  const auto place = place_of(pci_address);
  if (!place) {
    return std::nullopt;
  }
  for (const auto& node : folders_in(folder)) {
    const Properties properties = read_properties(node / "properties");
    if (value_of(properties, "simd_count") == 0 ||
        value_of(properties, "location_id") != place->location ||
        value_of(properties, "domain") != place->domain) {
      continue;
    }
    KfdNode found;
    found.architecture = architecture_of(value_of(properties, "gfx_target_version"));
    for (const auto& cache : folders_in(node / "caches")) {
      const std::uint64_t bytes = value_of(read_properties(cache / "properties"), "size") * kKiB;
      found.cache_bytes = std::max(found.cache_bytes, bytes);
    }
    return found;
  }
  return std::nullopt;
}

}  // namespace streamgage::engine
