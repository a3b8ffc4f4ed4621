// Copies between a device's memory and another one, each way and both at once: the host's memory as
// programs have it, the host's memory that the device reaches by itself, or another device's.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "devices/device.hpp"
#include "kernels/catalogue.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage::engine {

// What is at the other end.
enum class OtherMemory { kPageable, kPinned, kPeer };

// What is copied, in place of a kernel: its row has the bytes, each counted once.
struct Copy {
  Kernel kernel;
  OtherMemory other = OtherMemory::kPageable;
  bool to_device = false;
  bool from_device = false;
};

constexpr Copy copy_row(std::string_view name, std::string_view formula, OtherMemory other, bool to,
                        bool from, int number) {
  // Both ways an element is read and another one written; else one is moved.
  Kernel row{
      KernelId::kCopyOfHost, name, formula, to && from ? static_cast<unsigned>(kA) : 0U, true, 0};
  row.own_number = number;
  return {row, other, to, from};
}

inline constexpr std::array<Copy, 6> kCopiesOfHost{{
    copy_row("pageable-to-device", "device = pageable memory", OtherMemory::kPageable, true, false,
             0),
    copy_row("pageable-from-device", "pageable memory = device", OtherMemory::kPageable, false,
             true, 1),
    copy_row("pageable-both-ways", "both at once", OtherMemory::kPageable, true, true, 2),
    copy_row("pinned-to-device", "device = pinned memory", OtherMemory::kPinned, true, false, 3),
    copy_row("pinned-from-device", "pinned memory = device", OtherMemory::kPinned, false, true, 4),
    copy_row("pinned-both-ways", "both at once", OtherMemory::kPinned, true, true, 5),
}};

inline constexpr std::array<Copy, 3> kCopiesOfPeer{{
    copy_row("peer-to-device", "device = other device", OtherMemory::kPeer, true, false, 0),
    copy_row("peer-from-device", "other device = device", OtherMemory::kPeer, false, true, 1),
    copy_row("peer-both-ways", "both at once", OtherMemory::kPeer, true, true, 2),
}};

// A memory at an end of copies, as words.
class CopyEnd {
 public:
  static constexpr std::uint64_t kWordBytes = 8;

  CopyEnd() = default;
  explicit CopyEnd(std::span<std::byte> host) : host_(host) {}
  CopyEnd(Device& device, DeviceMemory& memory) : device_(&device), memory_(&memory) {}

  [[nodiscard]] Result<void> read(std::uint64_t first, std::span<std::uint64_t> to) const;
  [[nodiscard]] Result<void> write(std::uint64_t first, std::span<const std::uint64_t> from) const;
  [[nodiscard]] TransferEnd transfer_end() const;

 private:
  std::span<std::byte> host_;
  Device* device_ = nullptr;
  DeviceMemory* memory_ = nullptr;
};

// Two arrays of each memory, one for each way. They hold words that differ from place to place;
// some change from run to run, so that a copy that was left out shows.
class DeviceCopies {
 public:
  struct Done {
    double seconds = 0.0;
    bool spot_check_passed = true;
  };

  // Copies of the host, or of `peer` where it is not null. `bytes`: of each array, at least three
  // words.
  DeviceCopies(Device& device, Device* peer, std::uint64_t bytes)
      : device_(device), peer_(peer), words_(bytes / CopyEnd::kWordBytes) {}

  // Allocates all arrays, those before given back first, and fills them. Seconds that took.
  Result<double> renew();

  // So many copies, one after the other; compares the words that change.
  Result<Done> run(const Copy& copy, std::int64_t passes);

  // One copy over targets that were overwritten before, after which every byte is compared.
  Result<Check> run_and_check(const Copy& copy, double& seconds);

 private:
  // Of one memory.
  struct Side {
    CopyEnd source;
    CopyEnd target;
  };
  struct Way {
    CopyEnd from;
    CopyEnd to;
    std::uint64_t salt = 0;
  };

  [[nodiscard]] Side& side_of(OtherMemory other) {
    return others_[static_cast<std::size_t>(other)];
  }
  [[nodiscard]] std::vector<Way> ways_of(const Copy& copy);
  [[nodiscard]] std::array<std::uint64_t, 3> places() const { return {0, words_ / 2, words_ - 1}; }
  Result<Side> allocate_on(Device& device);
  Result<void> allocate_on_host();
  [[nodiscard]] Result<void> fill(const CopyEnd& end, std::optional<std::uint64_t> salt) const;
  Result<void> mark(std::span<const Way> ways);
  Result<double> transfer(std::span<const Way> ways, std::int64_t passes);
  [[nodiscard]] Result<bool> has_marks(std::span<const Way> ways) const;
  Result<void> compare(const Way& way, Check& check) const;
  [[nodiscard]] std::uint64_t expected(std::uint64_t place, std::uint64_t salt) const;

  Device& device_;
  Device* peer_;
  std::uint64_t words_;
  std::uint64_t runs_ = 0;
  std::vector<std::unique_ptr<DeviceMemory>> memories_;
  std::array<std::optional<Array>, 2> pageable_;
  std::array<std::unique_ptr<PinnedMemory>, 2> pinned_;
  Side own_;
  std::array<Side, 3> others_;
};

}  // namespace streamgage::engine
