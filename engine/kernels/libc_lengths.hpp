// The length from which on the C library's memcpy and memset store in another way.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace streamgage::engine {

// Returns the least length, in bytes, from which on memcpy or memset of this process may use
// non-temporal stores. Nothing if it is not known: only glibc's loader tells it, since 2.33.
std::optional<std::uint64_t> non_temporal_length();

// Reads it from what the loader prints for --list-tunables.
std::optional<std::uint64_t> read_non_temporal_length(std::string_view tunables);

}  // namespace streamgage::engine
