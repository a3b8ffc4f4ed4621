// One structure of an SMBIOS table (DMTF DSP0134, section 6.1): a formatted area and its strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "streamgage/base/error.hpp"

namespace streamgage {

class SmbiosStructure {
 public:
  // Removes the first structure from `rest` and returns it. It is an error if `rest` is too short
  // for it.
  static Result<SmbiosStructure> take(std::span<const std::uint8_t>& rest);

  [[nodiscard]] int type() const { return formatted_[0]; }
  [[nodiscard]] std::size_t length() const { return formatted_.size(); }

  // Returns the little-endian number of 1, 2 or 4 bytes at the offset. Nothing if the structure
  // ends before it, as in older versions.
  [[nodiscard]] std::optional<std::uint32_t> number(std::size_t offset, std::size_t bytes) const;

  // Returns the string whose index is at the offset, without blanks around it. Nothing if it is
  // absent or empty.
  [[nodiscard]] std::optional<std::string> text(std::size_t offset) const;

 private:
  SmbiosStructure(std::span<const std::uint8_t> formatted, std::span<const std::uint8_t> strings)
      : formatted_(formatted), strings_(strings) {}

  std::span<const std::uint8_t> formatted_;
  std::span<const std::uint8_t> strings_;  // each ends with a NUL
};

}  // namespace streamgage
