// One array: its own mapping, aligned to huge pages, never touched until a thread uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage {

// The size of a huge page on x86-64, and on AArch64 with pages of 4 KiB.
inline constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20U;

// The pages of 1 GiB that an administrator reserves; on x86-64, and on AArch64 with pages of 4 KiB.
inline constexpr std::uint64_t kGiantPage = std::uint64_t{1} << 30U;

// The pages that memory is asked for in.
enum class PageSize {
  kSystem,  // no advice: the system's default, as malloc gets it
  kSmall,   // advised against huge pages
  kHuge,    // huge pages where the kernel gives them
  kGiant,   // of 1 GiB, or an error
};

// Returns "system", "4k", "2m" or "1g".
std::string_view name_of(PageSize pages);

// Can be moved, not copied; frees its memory when destroyed.
class Array {
 public:
  // Reserves address space; no page of it exists before its first touch. The kernel is advised to
  // back it with such pages. Pages of 1 GiB are claimed at once; it is an error if not enough of
  // them are free. Inaccessible pages on both sides keep the mapping apart from its neighbours and
  // catch any overrun. With NUMA nodes, pages come from these alone, and a process that touches
  // more than they hold is killed. With an alignment, a power of two, the first byte lies at a
  // multiple of that and of no greater power of two: so far behind a boundary of 2 MiB (or a page
  // of 1 GiB), or of twice the alignment where that is more. Neighbours below the first and behind
  // the last page are inaccessible all the same.
  static Result<Array> reserve(std::uint64_t bytes, PageSize pages, const CpuList& nodes = {},
                               std::optional<std::uint64_t> alignment = std::nullopt);

  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  Array(Array&& other) noexcept;
  Array& operator=(Array&& other) noexcept;
  ~Array();

  // Return the first byte, and the number of bytes.
  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::span<const std::byte> memory() const { return {data_, bytes_}; }

 private:
  Array(void* reservation, std::uint64_t reserved, std::byte* data, std::uint64_t bytes)
      : reservation_(reservation), reserved_(reserved), data_(data), bytes_(bytes) {}

  void* reservation_ = nullptr;
  std::uint64_t reserved_ = 0;
  std::byte* data_ = nullptr;
  std::uint64_t bytes_ = 0;
};

// Returns the greatest power of two of which the address is a multiple.
std::uint64_t alignment_of(const std::byte* address);

}  // namespace streamgage
