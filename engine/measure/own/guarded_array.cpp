#include "measure/own/guarded_array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

constexpr std::uint64_t kAlignment = 64;

// No value that a kernel would write a row of.
std::byte red(const std::byte* at) {
  return static_cast<std::byte>(reinterpret_cast<std::uintptr_t>(at) * 37 + 0xa5);
}

}  // namespace

Result<GuardedArray> GuardedArray::reserve(std::uint64_t bytes, Guards guards, PageSize pages,
                                           const CpuList& nodes) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t before = guards == Guards::kApart ? kHugePage : 0;
  const std::uint64_t behind = guards == Guards::kApart ? page : 0;
  const std::uint64_t usable =
      before + round_up(std::max<std::uint64_t>(round_up(bytes, kAlignment), 1) + behind, page);
  STREAMGAGE_TRY(auto memory, Array::reserve(usable, pages, nodes));
  std::byte* start = memory.data();
  std::byte* data =
      guards == Guards::kEnd ? start + usable - round_up(bytes, kAlignment) : start + before;
  if (before > 0) {
    // Of the huge page before the array, only a small one is ever there.
    (void)madvise(start, before, MADV_NOHUGEPAGE);
    if (mprotect(start, before - page, PROT_NONE) != 0) {
      return failure(fmt::format("the system refused inaccessible pages around an array: {}",
                                 std::strerror(errno)));
    }
    start += before - page;
  }
  const std::span<std::byte> accessible{start, memory.data() + usable};
  return GuardedArray(std::move(memory), accessible, data, bytes);
}

GuardedArray::GuardedArray(Array memory, std::span<std::byte> pages, std::byte* data,
                           std::uint64_t bytes)
    : memory_(std::move(memory)), pages_(pages), data_(data), bytes_(bytes) {}

void GuardedArray::paint() const {
  for (std::byte* at = pages_.data(); at != data_; ++at) {
    *at = red(at);
  }
  for (std::byte* at = data_ + bytes_; at != pages_.data() + pages_.size(); ++at) {
    *at = red(at);
  }
}

std::optional<std::int64_t> GuardedArray::damage() const {
  const auto is_whole = [](const std::byte* at) { return *at == red(at); };
  // From the array outwards, so that what is reported is the nearest.
  for (const std::byte* at = data_; at != pages_.data();) {
    if (!is_whole(--at)) {
      return at - data_;
    }
  }
  for (const std::byte* at = data_ + bytes_; at != pages_.data() + pages_.size(); ++at) {
    if (!is_whole(at)) {
      return at - data_;
    }
  }
  return std::nullopt;
}

}  // namespace streamgage::engine
