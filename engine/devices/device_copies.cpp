#include "devices/device_copies.hpp"

#include <algorithm>
#include <vector>

#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

// What is read back or overwritten at a time.
constexpr std::uint64_t kPieceOfCopy = 16 * kMiB;
// Of the words that go to the device, and of those that come from it.
constexpr std::uint64_t kSaltOfHost = 0x243F6A8885A308D3;
constexpr std::uint64_t kSaltOfDevice = 0x13198A2E03707344;
constexpr std::uint64_t kSpoiltWord = 0xA5A5A5A5A5A5A5A5;

// Words that differ from each other: a Weyl sequence.
std::uint64_t word_of_copy(std::uint64_t place, std::uint64_t salt) {
  return salt + place * 0x9E3779B97F4A7C15;
}

std::span<std::uint64_t> words_of_copy(std::byte* bytes, std::uint64_t words) {
  return {reinterpret_cast<std::uint64_t*>(bytes), words};
}

}  // namespace

Result<double> DeviceCopies::renew() {
  const Instant start = now();
  pinned_ = {};
  pageable_ = {};
  source_.reset();
  target_.reset();
  const std::uint64_t bytes = words_ * kWordBytes;
  STREAMGAGE_TRY(target_, device_.allocate(bytes));
  STREAMGAGE_TRY(source_, device_.allocate(bytes));
  for (std::size_t number = 0; number < 2; ++number) {
    STREAMGAGE_TRY(pageable_[number], Array::reserve(bytes, false));
    STREAMGAGE_TRY(pinned_[number], device_.allocate_pinned(bytes));
  }
  sides_[0] = {words_of_copy(pageable_[0]->data(), words_),
               words_of_copy(pageable_[1]->data(), words_)};
  sides_[1] = {words_of_copy(pinned_[0]->bytes().data(), words_),
               words_of_copy(pinned_[1]->bytes().data(), words_)};
  // The device's source by way of a target, whose pages exist from then on.
  for (std::uint64_t place = 0; place < words_; ++place) {
    sides_[0].target[place] = word_of_copy(place, kSaltOfDevice);
  }
  STREAMGAGE_TRY(device_.write(*source_, 0, std::as_bytes(sides_[0].target)));
  for (const HostSide& side : sides_) {
    std::fill(side.target.begin(), side.target.end(), kSpoiltWord);
    for (std::uint64_t place = 0; place < words_; ++place) {
      side.source[place] = word_of_copy(place, kSaltOfHost);
    }
  }
  return seconds_between(start, now());
}

std::uint64_t DeviceCopies::expected(std::uint64_t place, std::uint64_t salt) const {
  const auto marked = places();
  const bool is_marked = std::find(marked.begin(), marked.end(), place) != marked.end();
  return is_marked ? word_of_copy(place, salt) ^ runs_ : word_of_copy(place, salt);
}

// Each run has a number of its own in some words.
Result<void> DeviceCopies::mark(const Copy& copy) {
  ++runs_;
  for (const std::uint64_t place : places()) {
    if (copy.to_device) {
      side_of(copy).source[place] = expected(place, kSaltOfHost);
    }
    if (copy.from_device) {
      const std::array<std::uint64_t, 1> word{expected(place, kSaltOfDevice)};
      STREAMGAGE_TRY(device_.write(*source_, place * kWordBytes, std::as_bytes(std::span(word))));
    }
  }
  return {};
}

Result<double> DeviceCopies::transfer(const Copy& copy, std::int64_t passes) {
  std::vector<Transfer> transfers;
  if (copy.to_device) {
    transfers.push_back({target_.get(), std::as_writable_bytes(side_of(copy).source), true});
  }
  if (copy.from_device) {
    transfers.push_back({source_.get(), std::as_writable_bytes(side_of(copy).target), false});
  }
  return device_.transfer(transfers, passes);
}

Result<bool> DeviceCopies::has_marks(const Copy& copy) {
  bool right = true;
  for (const std::uint64_t place : places()) {
    if (copy.to_device) {
      std::array<std::uint64_t, 1> word{};
      STREAMGAGE_TRY(
          device_.read(*target_, place * kWordBytes, std::as_writable_bytes(std::span(word))));
      right = right && word.front() == expected(place, kSaltOfHost);
    }
    right = right &&
            (!copy.from_device || side_of(copy).target[place] == expected(place, kSaltOfDevice));
  }
  return right;
}

Result<DeviceCopies::Done> DeviceCopies::run(const Copy& copy, std::int64_t passes) {
  STREAMGAGE_TRY(mark(copy));
  Done done;
  STREAMGAGE_TRY(done.seconds, transfer(copy, passes));
  STREAMGAGE_TRY(done.spot_check_passed, has_marks(copy));
  return done;
}

Result<void> DeviceCopies::spoil(const Copy& copy) {
  if (copy.from_device) {
    std::fill(side_of(copy).target.begin(), side_of(copy).target.end(), kSpoiltWord);
  }
  if (copy.to_device) {
    const std::vector<std::uint64_t> piece(std::min(kPieceOfCopy / kWordBytes, words_),
                                           kSpoiltWord);
    for (std::uint64_t first = 0; first < words_; first += piece.size()) {
      const std::uint64_t count = std::min<std::uint64_t>(piece.size(), words_ - first);
      STREAMGAGE_TRY(device_.write(*target_, first * kWordBytes,
                                   std::as_bytes(std::span(piece).first(count))));
    }
  }
  return {};
}

void DeviceCopies::compare(std::span<const std::uint64_t> found, std::uint64_t first,
                           std::uint64_t salt, Check& check) const {
  for (std::uint64_t number = 0; number < found.size(); ++number) {
    const std::uint64_t wanted = expected(first + number, salt);
    if (found[number] != wanted && check.wrong++ == 0) {
      check.first_wrong = static_cast<std::int64_t>(first + number);
      check.expected = static_cast<double>(wanted);
      check.found = static_cast<double>(found[number]);
    }
  }
  check.checked += static_cast<std::int64_t>(found.size());
}

Result<void> DeviceCopies::compare_device(Check& check) {
  std::vector<std::uint64_t> piece;
  for (std::uint64_t first = 0; first < words_; first += kPieceOfCopy / kWordBytes) {
    piece.resize(std::min(kPieceOfCopy / kWordBytes, words_ - first));
    STREAMGAGE_TRY(
        device_.read(*target_, first * kWordBytes, std::as_writable_bytes(std::span(piece))));
    compare(piece, first, kSaltOfHost, check);
  }
  return {};
}

Result<Check> DeviceCopies::run_and_check(const Copy& copy, double& seconds) {
  STREAMGAGE_TRY(spoil(copy));
  STREAMGAGE_TRY(mark(copy));
  STREAMGAGE_TRY(seconds, transfer(copy, 1));
  Check check;
  if (copy.from_device) {
    compare(side_of(copy).target, 0, kSaltOfDevice, check);
  }
  if (copy.to_device) {
    STREAMGAGE_TRY(compare_device(check));
  }
  return check;
}

}  // namespace streamgage::engine
