#include "mpi/mpi_transport.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>
#include <utility>

#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

enum Tag : int { kOrder = 1, kAnswer = 2, kHere = 3, kAlive = 4 };

constexpr double kSecondsOfSpinning = 50e-6;
constexpr double kLongestSleep = 1e-3;
// A wait may notice its end this much late, as a share of the time that it has taken so far.
constexpr double kShareAsleep = 0.1;
// Between signs of life of a rank that is kept waiting in a barrier.
constexpr double kSecondsBetweenSigns = 1.0;
constexpr int kLooksBeforeYield = 1000;
constexpr int kLooksPerReading = 64;

// How long a wait has taken, and whether it has taken too long.
class Wait {
 public:
  explicit Wait(double seconds) : most_(seconds) {}

  [[nodiscard]] double seconds() const { return seconds_between(start_, now()); }
  [[nodiscard]] bool is_over() const { return seconds() > most_; }

 private:
  double most_;
  Instant start_ = now();
};

// Calls done() until it is true; false where the wait is over before.
template <class Done>
bool wait_until(const Wait& wait, Done&& done) {
  while (!done()) {
    if (wait.is_over()) {
      return false;
    }
    const double waited = wait.seconds();
    if (waited > kSecondsOfSpinning) {
      const double sleep = std::clamp(waited * kShareAsleep, kSecondsOfSpinning, kLongestSleep);
      std::this_thread::sleep_for(std::chrono::duration<double>(sleep));
    }
  }
  return true;
}

// The requests that are not done, by their number.
std::vector<int> pending(Mpi& mpi, std::vector<Mpi::Request>& requests) {
  std::vector<int> numbers;
  for (std::size_t number = 0; number < requests.size(); ++number) {
    if (!mpi.test(requests[number])) {
      numbers.push_back(static_cast<int>(number));
    }
  }
  return numbers;
}

// The ranks that have sent a sign of life since the last call.
std::vector<bool> take_signs(Mpi& mpi) {
  std::vector<bool> alive(static_cast<std::size_t>(mpi.size()));
  while (const auto found = mpi.probe(std::nullopt, kAlive)) {
    (void)mpi.receive(*found);
    alive[static_cast<std::size_t>(found->from)] = true;
  }
  return alive;
}

}  // namespace

MpiTransport::MpiTransport(Mpi& mpi) : mpi_(mpi), rank_(mpi.rank()), size_(mpi.size()) {}

Attended<std::string> MpiTransport::broadcast(std::string message, double seconds) {
  if (rank_ != 0) {
    return receive_order(seconds);
  }
  std::vector<Mpi::Request> requests(static_cast<std::size_t>(size_));
  for (int rank = 1; rank < size_; ++rank) {
    requests[static_cast<std::size_t>(rank)] = mpi_.send(message, rank, kOrder);
  }
  const Wait wait(seconds);
  if (!wait_until(wait, [&] { return pending(mpi_, requests).empty(); })) {
    return tl::unexpected<Absence>(Absence{pending(mpi_, requests), wait.seconds()});
  }
  return message;
}

Attended<std::string> MpiTransport::receive_order(double seconds) {
  std::optional<Mpi::PendingMessage> found;
  const Wait wait(seconds);
  if (!wait_until(wait, [&] { return (found = mpi_.probe(0, kOrder)).has_value(); })) {
    return tl::unexpected<Absence>(Absence{{0}, wait.seconds()});
  }
  return mpi_.receive(*found);
}

Attended<std::vector<std::string>> MpiTransport::gather(std::string part, double seconds) {
  if (rank_ == 0) {
    return collect(std::move(part), seconds);
  }
  Mpi::Request request = mpi_.send(part, 0, kAnswer);
  const Wait wait(seconds);
  if (!wait_until(wait, [&] { return mpi_.test(request); })) {
    return tl::unexpected<Absence>(Absence{{0}, wait.seconds()});
  }
  return std::vector<std::string>{};
}

Attended<std::vector<std::string>> MpiTransport::collect(std::string own, double seconds) {
  std::vector<std::string> parts(static_cast<std::size_t>(size_));
  std::vector<bool> here(parts.size());
  parts.front() = std::move(own);
  here.front() = true;
  int missing = size_ - 1;
  const Wait wait(seconds);
  const bool all = wait_until(wait, [&] {
    while (missing > 0) {
      const auto found = mpi_.probe(std::nullopt, kAnswer);
      if (!found) {
        return false;
      }
      const auto rank = static_cast<std::size_t>(found->from);
      parts[rank] = mpi_.receive(*found);
      here[rank] = true;
      --missing;
    }
    return true;
  });
  if (all) {
    return parts;
  }
  // One that is kept waiting by another, in a barrier which this rank has left, still gives signs.
  const std::vector<bool> alive = take_signs(mpi_);
  Absence absence{{}, wait.seconds()};
  std::vector<int> silent;
  for (int rank = 0; rank < size_; ++rank) {
    const auto at = static_cast<std::size_t>(rank);
    if (!here[at]) {
      absence.ranks.push_back(rank);
      if (!alive[at]) {
        silent.push_back(rank);
      }
    }
  }
  if (!silent.empty()) {
    absence.ranks = silent;
  }
  return tl::unexpected<Absence>(absence);
}

// Of a barrier that did not end: the ranks that have not come to it, or else those that neither
// gave a sign of life in it nor have left it and answered.
std::vector<int> MpiTransport::missing(std::vector<Mpi::Request>& here) {
  if (rank_ != 0) {
    return {};
  }
  std::vector<int> ranks = pending(mpi_, here);
  if (!ranks.empty()) {
    return ranks;
  }
  const std::vector<bool> alive = take_signs(mpi_);
  for (int rank = 1; rank < size_; ++rank) {
    if (!alive[static_cast<std::size_t>(rank)] && !mpi_.probe(rank, kAnswer)) {
      ranks.push_back(rank);
    }
  }
  return ranks;
}

// A barrier alone does not show who is missing: each rank also reports to the root that it has
// come, and while it waits that it is still there.
Attended<void> MpiTransport::barrier(double seconds) {
  std::vector<Mpi::Request> here(static_cast<std::size_t>(size_));
  if (rank_ == 0) {
    (void)take_signs(mpi_);  // of earlier barriers
    for (int rank = 1; rank < size_; ++rank) {
      here[static_cast<std::size_t>(rank)] = mpi_.receive_sign(rank, kHere);
    }
  } else {
    here.front() = mpi_.send_sign(0, kHere);
  }
  Mpi::Request together = mpi_.barrier();
  const Wait wait(seconds);
  double next_sign = kSecondsBetweenSigns;
  bool has_left = false;
  for (int looks = 1; !has_left; ++looks) {
    has_left = mpi_.test(together);
    if (looks > kLooksBeforeYield) {
      sched_yield();  // more ranks than CPUs still get on
    }
    if (has_left || looks % kLooksPerReading != 0) {
      continue;
    }
    if (wait.is_over()) {
      return tl::unexpected<Absence>(Absence{missing(here), wait.seconds()});
    }
    if (rank_ != 0 && wait.seconds() > next_sign) {
      mpi_.forget(mpi_.send_sign(0, kAlive));
      next_sign += kSecondsBetweenSigns;
    }
  }
  // A message of one may be lost that came through to another, and by it the barrier ended.
  if (!wait_until(wait, [&] { return pending(mpi_, here).empty(); })) {
    return tl::unexpected<Absence>(Absence{missing(here), wait.seconds()});
  }
  return {};
}

}  // namespace streamgage::engine
