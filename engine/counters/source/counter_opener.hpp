// Opens single counters: by the kernel's call, or from a recording.
#pragma once

#include <memory>
#include <system_error>

#include <tl/expected.hpp>

#include "counters/source/traffic.hpp"

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
  virtual tl::expected<Tally, std::error_code> read() = 0;
};

using OpenedCounter = tl::expected<std::unique_ptr<OpenCounter>, std::error_code>;

class CounterOpener {
 public:
  CounterOpener() = default;
  CounterOpener(const CounterOpener&) = delete;
  CounterOpener& operator=(const CounterOpener&) = delete;
  CounterOpener(CounterOpener&&) = delete;
  CounterOpener& operator=(CounterOpener&&) = delete;
  virtual ~CounterOpener() = default;
  virtual OpenedCounter open(const CounterRequest& request) = 0;
  [[nodiscard]] virtual bool is_replay() const = 0;
};

}  // namespace streamgage
