#include "node/rate_words.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "contract/units.hpp"

namespace streamgage::engine {

std::string format_rate(double gbps) {
  if (gbps > 0.0 && gbps < kLeastGbps) {
    const double mbps = 1e3 * gbps;
    const double shown = std::stod(fmt::format("{:.2e}", mbps));
    const int digits = std::max(0, 2 - static_cast<int>(std::floor(std::log10(shown))));
    return fmt::format("{:.{}f} MB/s", mbps, digits);
  }
  return fmt::format("{:.{}f}", gbps,
                     gbps < kTwoDecimalsBelow  ? 2
                     : gbps < kOneDecimalBelow ? 1
                                               : 0);
}

std::string format_gbps(double gbps) {
  const std::string rate = format_rate(gbps);
  return rate.ends_with("MB/s") ? rate : rate + " GB/s";
}

std::string format_share(double share) {
  const double percent = 100 * share;
  const bool is_whole = percent >= kNoDecimalsFrom || percent == std::nearbyint(percent);
  return fmt::format("{:.{}f} %", percent, is_whole ? 0 : 1);
}

std::string format_ratio(double ratio) {
  return ratio >= kOneDecimalFrom ? fmt::format("{:.1f}x", ratio) : fmt::format("{:.2g}x", ratio);
}

}  // namespace streamgage::engine
