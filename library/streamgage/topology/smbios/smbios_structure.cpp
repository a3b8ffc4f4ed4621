#include "streamgage/topology/smbios/smbios_structure.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

constexpr std::size_t kHeaderBytes = 4;
constexpr std::array<std::uint8_t, 2> kEndOfStrings{0, 0};

}  // namespace

Result<SmbiosStructure> SmbiosStructure::take(std::span<const std::uint8_t>& rest) {
  if (rest.size() < kHeaderBytes) {
    return failure("the table is cut off in a structure's header");
  }
  const std::size_t length = rest[1];
  if (length < kHeaderBytes) {
    return failure(
        fmt::format("a structure of type {} claims a length of {} bytes", rest[0], length));
  }
  if (length > rest.size()) {
    return failure(fmt::format("the table is cut off in a structure of type {}", rest[0]));
  }
  const auto formatted = rest.first(length);
  const auto tail = rest.subspan(length);
  const auto end =
      std::search(tail.begin(), tail.end(), kEndOfStrings.begin(), kEndOfStrings.end());
  if (end == tail.end()) {
    return failure(
        fmt::format("the table is cut off in the strings of a structure of type {}", rest[0]));
  }
  const auto strings = static_cast<std::size_t>(end - tail.begin()) + 1;
  rest = tail.subspan(strings + 1);
  return SmbiosStructure(formatted, tail.first(strings));
}

std::optional<std::uint32_t> SmbiosStructure::number(std::size_t offset, std::size_t bytes) const {
  if (offset + bytes > formatted_.size()) {
    return std::nullopt;
  }
  std::uint32_t value = 0;
  for (std::size_t i = bytes; i > 0; --i) {
    value = value << 8U | formatted_[offset + i - 1];
  }
  return value;
}

std::optional<std::string> SmbiosStructure::text(std::size_t offset) const {
  const std::uint32_t index = number(offset, 1).value_or(0);
  auto rest = strings_;
  for (std::uint32_t i = 1; !rest.empty() && index > 0; ++i) {
    const auto end = std::find(rest.begin(), rest.end(), 0);
    const auto size = static_cast<std::size_t>(end - rest.begin());
    if (i == index) {
      const std::string raw(rest.begin(), end);
      const std::string_view trimmed = trim_blanks(raw);
      return trimmed.empty() ? std::nullopt : std::optional<std::string>(trimmed);
    }
    rest = rest.subspan(std::min(size + 1, rest.size()));
  }
  return std::nullopt;
}

}  // namespace streamgage
