// For tests: builds SMBIOS tables byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace streamgage {

using Bytes = std::vector<std::uint8_t>;

// A structure of the given type whose formatted area has `length` bytes, all 0 but its header.
class SmbiosBuilder {
 public:
  SmbiosBuilder(int type, std::size_t length, int handle = 0) : formatted_(length, 0) {
    formatted_[0] = static_cast<std::uint8_t>(type);
    formatted_[1] = static_cast<std::uint8_t>(length);
    number(2, 2, static_cast<std::uint64_t>(handle));
  }

  SmbiosBuilder& number(std::size_t offset, std::size_t bytes, std::uint64_t value) {
    for (std::size_t i = 0; i < bytes; ++i) {
      formatted_.at(offset + i) = static_cast<std::uint8_t>(value >> (8 * i));
    }
    return *this;
  }

  SmbiosBuilder& text(std::size_t offset, const std::string& value) {
    strings_.insert(strings_.end(), value.begin(), value.end());
    strings_.push_back(0);
    return number(offset, 1, ++string_count_);
  }

  void append_to(Bytes& table) const {
    table.insert(table.end(), formatted_.begin(), formatted_.end());
    table.insert(table.end(), strings_.begin(), strings_.end());
    table.insert(table.end(), strings_.empty() ? 2 : 1, 0);
  }

 private:
  Bytes formatted_;
  Bytes strings_;
  std::uint64_t string_count_ = 0;
};

// One populated slot as firmware of SMBIOS 3.2 describes it: 32 GiB of DDR4-3200 run at 2933.
inline SmbiosBuilder ddr4_module(const std::string& locator, int array = 0x1000) {
  SmbiosBuilder device(17, 0x54, 0x1100);
  device.number(0x04, 2, static_cast<std::uint64_t>(array))
      .number(0x08, 2, 72)
      .number(0x0A, 2, 64)
      .number(0x0C, 2, 0x7FFF)
      .text(0x10, locator)
      .text(0x11, "P0 CHANNEL A")
      .number(0x12, 1, 0x1A)
      .number(0x15, 2, 3200)
      .number(0x1C, 4, 32768)
      .number(0x20, 2, 2933);
  return device;
}

inline SmbiosBuilder end_mark() { return {127, 4}; }

inline Bytes table_of(const std::vector<SmbiosBuilder>& structures) {
  Bytes table;
  for (const SmbiosBuilder& structure : structures) {
    structure.append_to(table);
  }
  return table;
}

}  // namespace streamgage
