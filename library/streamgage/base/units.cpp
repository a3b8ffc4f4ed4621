#include "streamgage/base/units.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace streamgage {

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array<std::pair<std::uint64_t, const char*>, 4> kUnits{
      {{kGiB * kKiB, "TiB"}, {kGiB, "GiB"}, {kMiB, "MiB"}, {kKiB, "KiB"}}};
  for (const auto& [unit, name] : kUnits) {
    if (bytes < unit || (bytes % unit != 0 && bytes < 10 * unit)) {
      continue;
    }
    const double tenths =
        std::round(static_cast<double>(bytes) * 10.0 / static_cast<double>(unit)) / 10.0;
    return tenths == std::floor(tenths) ? fmt::format("{:.0f} {}", tenths, name)
                                        : fmt::format("{:.1f} {}", tenths, name);
  }
  return fmt::format("{} B", bytes);
}

}  // namespace streamgage
