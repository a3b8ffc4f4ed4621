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

std::string format_rate(double bytes_per_second) {
  constexpr double kLeastGbps = 0.9995;
  const double gbps = bytes_per_second * 1e-9;
  if (gbps > 0.0 && gbps < kLeastGbps) {
    const double mbps = std::stod(fmt::format("{:.2e}", 1e3 * gbps));
    const int digits = std::max(0, 2 - static_cast<int>(std::floor(std::log10(mbps))));
    return fmt::format("{:.{}f} MB/s", mbps, digits);
  }
  return fmt::format("{:.{}f}", gbps, gbps < 9.995 ? 2 : gbps < 999.95 ? 1 : 0);
}

std::string format_gbps(double bytes_per_second) {
  const std::string rate = format_rate(bytes_per_second);
  return rate.ends_with("MB/s") ? rate : rate + " GB/s";
}

}  // namespace streamgage
