// An array of a user's kernel, with a red zone or inaccessible pages on either side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage::engine {

// The places of inaccessible pages.
enum class Guards {
  kApart,  // behind a red zone of some KiB on either side: the array starts at a huge page
  kStart,  // right before the first element; what is left of the last page is a red zone
  kEnd,    // behind the last element, as near as its alignment to 64 bytes allows
};

class GuardedArray {
 public:
  static Result<GuardedArray> reserve(std::uint64_t bytes, Guards guards, PageSize pages,
                                      const CpuList& nodes = {});

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::span<const std::byte> memory() const { return {data_, bytes_}; }
  // Returns the whole pages that hold the array and its red zones.
  [[nodiscard]] std::span<std::byte> pages() const { return pages_; }

  // Fills the red zones with their pattern.
  void paint() const;

  // Returns the first changed byte of the red zones, counted from the array's first byte.
  [[nodiscard]] std::optional<std::int64_t> damage() const;

 private:
  GuardedArray(Array memory, std::span<std::byte> pages, std::byte* data, std::uint64_t bytes);

  Array memory_;
  std::span<std::byte> pages_;
  std::byte* data_;
  std::uint64_t bytes_;
};

}  // namespace streamgage::engine
