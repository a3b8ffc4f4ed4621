// Decides when to read the counters: at evenly spaced times, or at once from a recording.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// The kinds of the next reading.
enum class Beat {
  kNext,  // one of several to come
  kLast,  // the rest of the time until somebody asked for an end
  kOver,  // there is none
};

class Pace {
 public:
  Pace() = default;
  Pace(const Pace&) = delete;
  Pace& operator=(const Pace&) = delete;
  Pace(Pace&&) = delete;
  Pace& operator=(Pace&&) = delete;
  virtual ~Pace() = default;

  // Returns when the next reading is due.
  virtual Beat await() = 0;

  // Returns the seconds since the first reading. Nothing if only the counters know.
  [[nodiscard]] virtual std::optional<double> elapsed() const = 0;
};

constexpr double kLeastInterval = 0.01;
constexpr double kLongestInterval = 3600.0;

// Converts seconds. It is an error if they are outside the bounds above.
Result<std::chrono::nanoseconds> interval_of(double seconds);

// Returns the first of `start + interval`, `start + 2 interval`, ... after `now`. So the times do
// not drift, and those that a sleeping machine missed are left out.
std::chrono::steady_clock::time_point next_due(std::chrono::steady_clock::time_point start,
                                               std::chrono::nanoseconds interval,
                                               std::chrono::steady_clock::time_point now);

// A pace of even intervals from now on, until SIGINT or SIGTERM. Requires the handlers of
// watch_stop_signals(). While the object lives, these signals reach the thread only while it waits.
class EvenPace final : public Pace {
 public:
  explicit EvenPace(std::chrono::nanoseconds interval);
  EvenPace(const EvenPace&) = delete;
  EvenPace& operator=(const EvenPace&) = delete;
  EvenPace(EvenPace&&) = delete;
  EvenPace& operator=(EvenPace&&) = delete;
  ~EvenPace() override;

  Beat await() override;
  [[nodiscard]] std::optional<double> elapsed() const override;

 private:
  std::chrono::nanoseconds interval_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// Takes as many readings as a recording has, without waiting.
class RecordedPace final : public Pace {
 public:
  explicit RecordedPace(std::size_t readings) : left_(readings == 0 ? 0 : readings - 1) {}

  Beat await() override;
  [[nodiscard]] std::optional<double> elapsed() const override { return std::nullopt; }

 private:
  std::size_t left_;  // after the first reading
};

}  // namespace streamgage::engine
