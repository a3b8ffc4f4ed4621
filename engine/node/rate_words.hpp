// Rates and shares as people read them, with the digits that the front gives them
// (streamgage/units.py).
#pragma once

#include <string>

namespace streamgage::engine {

// Returns a rate in GB/s without the unit, such as "45.8"; below 1 GB/s "92.3 MB/s".
std::string format_rate(double gbps);

// Returns a rate with its unit: "45.8 GB/s" or "92.3 MB/s".
std::string format_gbps(double gbps);

// Returns a share, such as 0.0234, as "2.3 %".
std::string format_share(double share);

// Returns a ratio as "4.0x" or "0.03x", with two digits below 1.
std::string format_ratio(double ratio);

}  // namespace streamgage::engine
