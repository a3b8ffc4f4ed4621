#include "streamgage/memory/array.hpp"

#include <linux/mempolicy.h>
#include <linux/mman.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/memory/memory_budget.hpp"

namespace streamgage {
namespace {

constexpr int kLastNode = 4095;  // Linux is built for fewer (CONFIG_NODES_SHIFT)
constexpr std::uint64_t kMostReserved = std::uint64_t{1} << 56U;  // no processor addresses more

// Automatic NUMA balancing unmaps pages again and again, to see at the fault who uses them: in the
// midst of measurements, and some kernels (Linux 6.1) do not report where such a page is. It leaves
// alone what has a policy of its own; this one is the default, first touch, by name. A policy that
// the process was started with, as by numactl, is kept. Kernels without NUMA refuse all this.
void keep_where_first_touched(std::byte* data, std::uint64_t bytes) {
  int policy = MPOL_DEFAULT;
  if (syscall(SYS_get_mempolicy, &policy, nullptr, 0, nullptr, 0) == 0 && policy == MPOL_DEFAULT) {
    (void)syscall(SYS_mbind, data, bytes, MPOL_LOCAL, nullptr, 0, 0);
  }
}

Result<void> bind_to_nodes(std::byte* data, std::uint64_t bytes, const CpuList& nodes) {
  constexpr std::size_t kBits = sizeof(unsigned long) * CHAR_BIT;
  const auto [first, last] = std::minmax_element(nodes.begin(), nodes.end());
  if (*first < 0 || *last > kLastNode) {
    return usage_error(fmt::format("there is no NUMA node {}; name nodes of this machine",
                                   *first < 0 ? *first : *last));
  }
  const auto highest = static_cast<std::size_t>(*last);
  std::vector<unsigned long> mask(highest / kBits + 1);
  for (const int node : nodes) {
    const auto bit = static_cast<std::size_t>(node);
    mask[bit / kBits] |= 1UL << (bit % kBits);
  }
  // The kernel takes one bit fewer than it is given.
  if (syscall(SYS_mbind, data, bytes, MPOL_BIND, mask.data(), mask.size() * kBits + 1, 0) != 0) {
    return failure(fmt::format(
        "the system refused to bind memory to {}: {}; allow this process the system call mbind "
        "(in a container: the capability SYS_NICE), or name no nodes",
        name_nodes(nodes), std::strerror(errno)));
  }
  return {};
}

// Puts pages of 1 GiB in the place of a part of a reservation.
Result<void> claim_giant_pages(std::byte* data, std::uint64_t bytes) {
  constexpr int kLogarithm = 30;  // of the size of a page
  const int flags =
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_HUGETLB | (kLogarithm << MAP_HUGE_SHIFT);
  if (mmap(data, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) != MAP_FAILED) {
    return {};
  }
  const std::uint64_t pages = bytes / kGiantPage;
  return usage_error(fmt::format(
      "an array of this size needs {} of 1 GiB, and the system gave none: {}; reserve them for "
      "all arrays (kernel parameters hugepagesz=1G hugepages=N), or ask for pages of 2m or 4k",
      count_of(static_cast<int>(pages), "free page"), std::strerror(errno)));
}

void advise(std::byte* data, std::uint64_t bytes, PageSize pages) {
  // A kernel without huge pages refuses the advice; what came of it is read back after the touch.
  if (pages == PageSize::kHuge) {
    (void)madvise(data, bytes, MADV_HUGEPAGE);
  } else if (pages == PageSize::kSmall) {
    (void)madvise(data, bytes, MADV_NOHUGEPAGE);
  }
}

}  // namespace

std::string_view name_of(PageSize pages) {
  switch (pages) {
    case PageSize::kSmall:
      return "4k";
    case PageSize::kHuge:
      return "2m";
    case PageSize::kGiant:
      return "1g";
    case PageSize::kSystem:
      break;
  }
  return "system";
}

Result<Array> Array::reserve(std::uint64_t bytes, PageSize pages, const CpuList& nodes,
                             std::optional<std::uint64_t> alignment) {
  if (bytes > kMostReserved) {
    return failure(fmt::format("no system has {} of address space; ask for smaller arrays",
                               format_bytes(bytes)));
  }
  const bool is_giant = pages == PageSize::kGiant;
  const auto page = is_giant ? kGiantPage : static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const std::uint64_t offset = alignment.value_or(0);  // of the first byte behind a boundary
  const std::uint64_t boundary = std::max(is_giant ? kGiantPage : kHugePage, 2 * offset);
  const std::uint64_t into_page = offset % page;
  const std::uint64_t usable = round_up(into_page + bytes, page);
  const std::uint64_t reserved = usable + offset + 2 * boundary;
  void* reservation =
      mmap(nullptr, reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (reservation == MAP_FAILED) {
    return failure(
        fmt::format("the system refused {} of address space for an array: {}; check the memory "
                    "limit (ulimit -v) or ask for smaller arrays",
                    format_bytes(reserved), std::strerror(errno)));
  }
  const auto start = reinterpret_cast<std::uintptr_t>(reservation);
  // At least one page stays inaccessible before the first aligned address.
  const std::uintptr_t aligned = round_up(start + page, boundary) + offset;
  std::byte* first = static_cast<std::byte*>(reservation) + (aligned - start);
  Array array(reservation, reserved, first, bytes);
  std::byte* data = first - into_page;  // of pages
  if (is_giant) {
    STREAMGAGE_TRY(claim_giant_pages(data, usable));
  } else if (mprotect(data, usable, PROT_READ | PROT_WRITE) != 0) {
    return failure(
        fmt::format("the system refused {} of memory for an array: {}; ask for smaller arrays",
                    format_bytes(usable), std::strerror(errno)));
  }
  advise(data, usable, pages);
  if (nodes.empty()) {
    keep_where_first_touched(data, usable);
  } else {
    STREAMGAGE_TRY(bind_to_nodes(data, usable, nodes));
  }
  return array;
}

std::uint64_t alignment_of(const std::byte* address) {
  const auto bits = reinterpret_cast<std::uintptr_t>(address);
  return bits & (~bits + 1);
}

Array::Array(Array&& other) noexcept
    : reservation_(std::exchange(other.reservation_, nullptr)),
      reserved_(std::exchange(other.reserved_, 0)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)) {}

Array& Array::operator=(Array&& other) noexcept {
  std::swap(reservation_, other.reservation_);
  std::swap(reserved_, other.reserved_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Array::~Array() {
  if (reservation_ != nullptr) {
    munmap(reservation_, reserved_);
  }
}

}  // namespace streamgage
