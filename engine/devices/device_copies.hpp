// Copies between the host's memory and a device's, each way and both at once, of memory as programs
// have it and of memory that the device reaches by itself.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "devices/device.hpp"
#include "kernels/catalogue.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage::engine {

// What is copied, in place of a kernel: its row has the bytes, each counted once.
struct Copy {
  Kernel kernel;
  bool pinned = false;
  bool to_device = false;
  bool from_device = false;
};

constexpr Copy copy_row(std::string_view name, std::string_view formula, bool pinned, bool to,
                        bool from, int number) {
  // Both ways an element is read and another one written; else one is moved.
  Kernel row{
      KernelId::kCopyOfHost, name, formula, to && from ? static_cast<unsigned>(kA) : 0U, true, 0};
  row.own_number = number;
  return {row, pinned, to, from};
}

inline constexpr std::array<Copy, 6> kCopies{{
    copy_row("pageable-to-device", "device = pageable memory", false, true, false, 0),
    copy_row("pageable-from-device", "pageable memory = device", false, false, true, 1),
    copy_row("pageable-both-ways", "both at once", false, true, true, 2),
    copy_row("pinned-to-device", "device = pinned memory", true, true, false, 3),
    copy_row("pinned-from-device", "pinned memory = device", true, false, true, 4),
    copy_row("pinned-both-ways", "both at once", true, true, true, 5),
}};

// Two arrays of the device, one for each way, and two of each kind of the host's memory. They hold
// words that differ from place to place; some change from run to run, so that a copy that was left
// out shows.
class DeviceCopies {
 public:
  struct Done {
    double seconds = 0.0;
    bool spot_check_passed = true;
  };

  // `bytes`: of each array, at least three words.
  DeviceCopies(Device& device, std::uint64_t bytes) : device_(device), words_(bytes / kWordBytes) {}

  // Allocates all arrays, those before given back first, and fills the sources. Seconds that took.
  Result<double> renew();

  // So many copies, one after the other; compares the words that change.
  Result<Done> run(const Copy& copy, std::int64_t passes);

  // One copy over targets that were overwritten before, after which every byte is compared.
  Result<Check> run_and_check(const Copy& copy, double& seconds);

 private:
  static constexpr std::uint64_t kWordBytes = 8;
  using Words = std::span<std::uint64_t>;
  // Of one kind of memory.
  struct HostSide {
    Words source;
    Words target;
  };

  [[nodiscard]] const HostSide& side_of(const Copy& copy) const {
    return copy.pinned ? sides_[1] : sides_[0];
  }
  [[nodiscard]] std::array<std::uint64_t, 3> places() const { return {0, words_ / 2, words_ - 1}; }
  Result<void> mark(const Copy& copy);
  Result<double> transfer(const Copy& copy, std::int64_t passes);
  Result<bool> has_marks(const Copy& copy);
  Result<void> spoil(const Copy& copy);
  Result<void> compare_device(Check& check);
  void compare(std::span<const std::uint64_t> found, std::uint64_t first, std::uint64_t salt,
               Check& check) const;
  [[nodiscard]] std::uint64_t expected(std::uint64_t place, std::uint64_t salt) const;

  Device& device_;
  std::uint64_t words_;
  std::uint64_t runs_ = 0;
  std::unique_ptr<DeviceMemory> target_;  // of copies to the device
  std::unique_ptr<DeviceMemory> source_;  // of copies from it
  std::array<std::optional<Array>, 2> pageable_;
  std::array<std::unique_ptr<PinnedMemory>, 2> pinned_;
  std::array<HostSide, 2> sides_;  // of pageable and of pinned memory
};

}  // namespace streamgage::engine
