#include "devices/measure/device_copies.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

// Words that are filled or compared at a time.
constexpr std::uint64_t kPieceOfCopy = 16 * kMiB / CopyEnd::kWordBytes;
// Of the words that go to the device, and of those that come from it.
constexpr std::uint64_t kSaltToDevice = 0x243F6A8885A308D3;
constexpr std::uint64_t kSaltFromDevice = 0x13198A2E03707344;
constexpr std::uint64_t kSpoiltWord = 0xA5A5A5A5A5A5A5A5;

// Words that differ from each other: a Weyl sequence.
std::uint64_t word_of_copy(std::uint64_t place, std::uint64_t salt) {
  return salt + place * 0x9E3779B97F4A7C15;
}

}  // namespace

Result<void> CopyEnd::read(std::uint64_t first, std::span<std::uint64_t> to) const {
  if (device_ != nullptr) {
    return device_->read(*memory_, first * kWordBytes, std::as_writable_bytes(to));
  }
  std::memcpy(to.data(), host_.data() + first * kWordBytes, to.size_bytes());
  return {};
}

Result<void> CopyEnd::write(std::uint64_t first, std::span<const std::uint64_t> from) const {
  if (device_ != nullptr) {
    return device_->write(*memory_, first * kWordBytes, std::as_bytes(from));
  }
  std::memcpy(host_.data() + first * kWordBytes, from.data(), from.size_bytes());
  return {};
}

TransferEnd CopyEnd::transfer_end() const {
  return device_ == nullptr ? TransferEnd(host_.data()) : TransferEnd(memory_);
}

Result<DeviceCopies::Side> DeviceCopies::allocate_on(Device& device) {
  std::array<CopyEnd, 2> ends;
  for (CopyEnd& end : ends) {
    STREAMGAGE_TRY(auto memory, device.allocate(words_ * CopyEnd::kWordBytes));
    end = CopyEnd(device, *memory);
    memories_.push_back(std::move(memory));
  }
  return Side{ends[0], ends[1]};
}

Result<void> DeviceCopies::allocate_on_host() {
  const std::uint64_t bytes = words_ * CopyEnd::kWordBytes;
  for (std::size_t number = 0; number < 2; ++number) {
    STREAMGAGE_TRY(pageable_[number], Array::reserve(bytes, PageSize::kSmall));
    STREAMGAGE_TRY(pinned_[number], device_.allocate_pinned(bytes));
  }
  const auto bytes_of = [&](std::optional<Array>& array) {
    return CopyEnd(std::span(array->data(), bytes));
  };
  side_of(OtherMemory::kPageable) = {bytes_of(pageable_[0]), bytes_of(pageable_[1])};
  side_of(OtherMemory::kPinned) = {CopyEnd(pinned_[0]->bytes()), CopyEnd(pinned_[1]->bytes())};
  return {};
}

Result<double> DeviceCopies::renew() {
  const Instant start = now();
  pinned_ = {};
  pageable_ = {};
  memories_.clear();
  STREAMGAGE_TRY(own_, allocate_on(device_));
  std::vector<OtherMemory> others{OtherMemory::kPeer};
  if (peer_ != nullptr) {
    STREAMGAGE_TRY(side_of(OtherMemory::kPeer), allocate_on(*peer_));
  } else {
    STREAMGAGE_TRY(allocate_on_host());
    others = {OtherMemory::kPageable, OtherMemory::kPinned};
  }
  STREAMGAGE_TRY(fill(own_.source, kSaltFromDevice));
  STREAMGAGE_TRY(fill(own_.target, std::nullopt));
  for (const OtherMemory other : others) {
    STREAMGAGE_TRY(fill(side_of(other).source, kSaltToDevice));
    STREAMGAGE_TRY(fill(side_of(other).target, std::nullopt));
  }
  return seconds_between(start, now());
}

// With words of that salt, or with the spoilt one.
Result<void> DeviceCopies::fill(const CopyEnd& end, std::optional<std::uint64_t> salt) const {
  std::vector<std::uint64_t> piece(std::min(kPieceOfCopy, words_), kSpoiltWord);
  for (std::uint64_t first = 0; first < words_; first += piece.size()) {
    piece.resize(std::min<std::uint64_t>(piece.size(), words_ - first));
    for (std::uint64_t number = 0; salt && number < piece.size(); ++number) {
      piece[number] = word_of_copy(first + number, *salt);
    }
    STREAMGAGE_TRY(end.write(first, piece));
  }
  return {};
}

std::vector<DeviceCopies::Way> DeviceCopies::ways_of(const Copy& copy) {
  const Side& other = side_of(copy.other);
  std::vector<Way> ways;
  if (copy.to_device) {
    ways.push_back({other.source, own_.target, kSaltToDevice});
  }
  if (copy.from_device) {
    ways.push_back({own_.source, other.target, kSaltFromDevice});
  }
  return ways;
}

std::uint64_t DeviceCopies::expected(std::uint64_t place, std::uint64_t salt) const {
  const auto marked = places();
  const bool is_marked = std::find(marked.begin(), marked.end(), place) != marked.end();
  return is_marked ? word_of_copy(place, salt) ^ runs_ : word_of_copy(place, salt);
}

// Each run has a number of its own in some words.
Result<void> DeviceCopies::mark(std::span<const Way> ways) {
  ++runs_;
  for (const Way& way : ways) {
    for (const std::uint64_t place : places()) {
      const std::array<std::uint64_t, 1> word{expected(place, way.salt)};
      STREAMGAGE_TRY(way.from.write(place, word));
    }
  }
  return {};
}

Result<double> DeviceCopies::transfer(std::span<const Way> ways, std::int64_t passes) {
  std::vector<Transfer> transfers;
  transfers.reserve(ways.size());
  for (const Way& way : ways) {
    transfers.push_back(
        {way.from.transfer_end(), way.to.transfer_end(), words_ * CopyEnd::kWordBytes});
  }
  return device_.transfer(transfers, passes);
}

Result<bool> DeviceCopies::has_marks(std::span<const Way> ways) const {
  bool right = true;
  for (const Way& way : ways) {
    for (const std::uint64_t place : places()) {
      std::array<std::uint64_t, 1> word{};
      STREAMGAGE_TRY(way.to.read(place, word));
      right = right && word.front() == expected(place, way.salt);
    }
  }
  return right;
}

Result<DeviceCopies::Done> DeviceCopies::run(const Copy& copy, std::int64_t passes) {
  const std::vector<Way> ways = ways_of(copy);
  STREAMGAGE_TRY(mark(ways));
  Done done;
  STREAMGAGE_TRY(done.seconds, transfer(ways, passes));
  STREAMGAGE_TRY(done.spot_check_passed, has_marks(ways));
  return done;
}

Result<void> DeviceCopies::compare(const Way& way, Check& check) const {
  std::vector<std::uint64_t> piece;
  for (std::uint64_t first = 0; first < words_; first += piece.size()) {
    piece.resize(std::min(kPieceOfCopy, words_ - first));
    STREAMGAGE_TRY(way.to.read(first, piece));
    for (std::uint64_t number = 0; number < piece.size(); ++number) {
      const std::uint64_t wanted = expected(first + number, way.salt);
      if (piece[number] != wanted && check.wrong++ == 0) {
        check.first_wrong = static_cast<std::int64_t>(first + number);
        check.expected = static_cast<double>(wanted);
        check.found = static_cast<double>(piece[number]);
      }
    }
    check.checked += static_cast<std::int64_t>(piece.size());
  }
  return {};
}

Result<Check> DeviceCopies::run_and_check(const Copy& copy, double& seconds) {
  const std::vector<Way> ways = ways_of(copy);
  for (const Way& way : ways) {
    STREAMGAGE_TRY(fill(way.to, std::nullopt));
  }
  STREAMGAGE_TRY(mark(ways));
  STREAMGAGE_TRY(seconds, transfer(ways, 1));
  Check check;
  for (const Way& way : ways) {
    STREAMGAGE_TRY(compare(way, check));
  }
  return check;
}

}  // namespace streamgage::engine
