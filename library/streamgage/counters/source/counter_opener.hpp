// Opens single counters: by the kernel's call, or from a recording.
#pragma once

#include <memory>
#include <system_error>

#include <tl/expected.hpp>

#include "streamgage/counters/source/traffic.hpp"

namespace streamgage {

// A counter that counts from when it was opened until it is destroyed.
class OpenCounter {
 public:
  OpenCounter() = default;
  OpenCounter(const OpenCounter&) = delete;
  OpenCounter& operator=(const OpenCounter&) = delete;
  OpenCounter(OpenCounter&&) = delete;
  OpenCounter& operator=(OpenCounter&&) = delete;
  virtual ~OpenCounter() = default;

  // Returns the state of the counter, or why it reports none.
  virtual tl::expected<Tally, std::error_code> read() = 0;
};

// A counter, or why it cannot be opened.
using OpenedCounter = tl::expected<std::unique_ptr<OpenCounter>, std::error_code>;

// Opens counters one by one.
class CounterOpener {
 public:
  CounterOpener() = default;
  CounterOpener(const CounterOpener&) = delete;
  CounterOpener& operator=(const CounterOpener&) = delete;
  CounterOpener(CounterOpener&&) = delete;
  CounterOpener& operator=(CounterOpener&&) = delete;
  virtual ~CounterOpener() = default;

  // Opens one counter.
  virtual OpenedCounter open(const CounterRequest& request) = 0;
  // Returns whether its counters are played back.
  [[nodiscard]] virtual bool is_replay() const = 0;
};

}  // namespace streamgage
