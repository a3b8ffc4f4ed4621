// The page of memory that the process with the users' kernels shares with the process that watches
// it. A kernel can write anything into it, so its reader trusts no length.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/own/kernel_failure.hpp"

namespace streamgage::engine {

// The reasons for which a user's code is called.
enum class KernelPhase {
  kLoading,  // its constructors and its declaration
  kRunning,  // its functions
  kEnding,   // its destructors, at the end of the program
};

// The longest text of each kind. Longer ones are cut off.
constexpr std::size_t kLongestWatchedName = 128;
constexpr std::size_t kLongestWatchedSource = 4096;
constexpr std::size_t kLongestDeath = 4096;

struct KernelWatch {
  // Nanoseconds of the steady clock; 0: no user's code runs. Written last, and read first.
  std::atomic<std::int64_t> deadline{0};
  std::atomic<std::uint64_t> calls{0};  // so far
  KernelPhase phase = KernelPhase::kRunning;
  double timeout_seconds = 0.0;
  int exit_status = 0;  // that the program ends with, in the phase kEnding
  std::array<char, kLongestWatchedName> name{};
  std::array<char, kLongestWatchedSource> source{};

  std::atomic<bool> has_died{false};  // then these say how, and the process has ended itself
  FailureReason reason = FailureReason::kCrash;
  std::array<char, kLongestDeath> what{};
};

static_assert(std::atomic<std::int64_t>::is_always_lock_free);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// Copies a text into the page, and cuts it off if it is too long. Safe in a signal handler.
template <std::size_t size>
void put_text(std::array<char, size>& field, std::string_view text) {
  const std::size_t length = text.size() < size ? text.size() : size - 1;
  for (std::size_t at = 0; at < length; ++at) {
    field.at(at) = text[at];
  }
  field.at(length) = '\0';
}

template <std::size_t size>
std::string text_in(const std::array<char, size>& field) {
  std::size_t length = 0;
  while (length < size && field.at(length) != '\0') {
    ++length;
  }
  return {field.data(), length};
}

}  // namespace streamgage::engine
