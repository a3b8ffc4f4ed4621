#include "program_mpi/mpi_transport.hpp"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

enum Tag : int { kOrder = 1, kAnswer = 2, kHere = 3, kAlive = 4 };

// Long enough for the sample that runs.
constexpr double kMostSecondsWhileEnding = 4.0;
constexpr double kSecondsOfSpinning = 50e-6;
constexpr double kLongestSleep = 1e-3;
// Of the time that a wait has taken so far: how much later it may notice its end.
constexpr double kShareAsleep = 0.1;
// Between signs of life of a rank that is kept waiting in a barrier.
constexpr double kSecondsBetweenSigns = 1.0;
constexpr int kLooksBeforeYield = 1000;
constexpr int kLooksPerReading = 64;

// How long a wait has taken, and whether it has taken too long.
class Wait {
 public:
  Wait(const std::function<bool()>& ending, double seconds)
      : ending_(ending), most_(seconds), start_(now()) {}

  [[nodiscard]] double seconds() const { return seconds_between(start_, now()); }

  bool is_over() {
    if (!shortened_ && ending_()) {
      shortened_ = true;
      most_ = std::min(most_, seconds() + kMostSecondsWhileEnding);
    }
    return seconds() > most_;
  }

 private:
  const std::function<bool()>& ending_;
  double most_;
  Instant start_;
  bool shortened_ = false;
};

// Calls done() until it is true; false where the wait is over before.
template <class Done>
bool wait_until(Wait& wait, Done&& done) {
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
std::vector<int> pending(std::vector<MPI_Request>& requests) {
  std::vector<int> numbers;
  for (std::size_t number = 0; number < requests.size(); ++number) {
    int done = 0;
    MPI_Test(&requests[number], &done, MPI_STATUS_IGNORE);
    if (done == 0) {
      numbers.push_back(static_cast<int>(number));
    }
  }
  return numbers;
}

bool all_done(std::vector<MPI_Request>& requests) {
  int done = 0;
  MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
  return done != 0;
}

std::string take_message(const MPI_Status& found, MPI_Comm world) {
  int bytes = 0;
  MPI_Get_count(&found, MPI_BYTE, &bytes);
  std::string message(static_cast<std::size_t>(bytes), '\0');
  MPI_Recv(message.data(), bytes, MPI_BYTE, found.MPI_SOURCE, found.MPI_TAG, world,
           MPI_STATUS_IGNORE);
  return message;
}

// The ranks that have sent a sign of life since the last call.
std::vector<bool> take_signs(MPI_Comm world, int size) {
  std::vector<bool> alive(static_cast<std::size_t>(size));
  for (int found = 1; found != 0;) {
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, kAlive, world, &found, &status);
    if (found != 0) {
      (void)take_message(status, world);
      alive[static_cast<std::size_t>(status.MPI_SOURCE)] = true;
    }
  }
  return alive;
}

bool has_answered(int rank, MPI_Comm world) {
  int found = 0;
  MPI_Iprobe(rank, kAnswer, world, &found, MPI_STATUS_IGNORE);
  return found != 0;
}

}  // namespace

MpiTransport::MpiTransport(std::function<bool()> ending) : ending_(std::move(ending)) {
  MPI_Comm_rank(world_, &rank_);
  MPI_Comm_size(world_, &size_);
}

Attended<std::string> MpiTransport::broadcast(std::string message, double seconds) {
  if (rank_ != 0) {
    return receive_order(seconds);
  }
  std::vector<MPI_Request> requests(static_cast<std::size_t>(size_), MPI_REQUEST_NULL);
  for (int rank = 1; rank < size_; ++rank) {
    MPI_Isend(message.data(), static_cast<int>(message.size()), MPI_BYTE, rank, kOrder, world_,
              &requests[static_cast<std::size_t>(rank)]);
  }
  Wait wait(ending_, seconds);
  if (!wait_until(wait, [&] { return all_done(requests); })) {
    return tl::unexpected<Absence>(Absence{pending(requests), wait.seconds()});
  }
  return message;
}

Attended<std::string> MpiTransport::receive_order(double seconds) {
  MPI_Status found;
  Wait wait(ending_, seconds);
  const bool came = wait_until(wait, [&] {
    int here = 0;
    MPI_Iprobe(0, kOrder, world_, &here, &found);
    return here != 0;
  });
  if (!came) {
    return tl::unexpected<Absence>(Absence{{0}, wait.seconds()});
  }
  return take_message(found, world_);
}

Attended<std::vector<std::string>> MpiTransport::gather(std::string part, double seconds) {
  if (rank_ == 0) {
    return collect(std::move(part), seconds);
  }
  std::vector<MPI_Request> requests(1, MPI_REQUEST_NULL);
  MPI_Isend(part.data(), static_cast<int>(part.size()), MPI_BYTE, 0, kAnswer, world_,
            requests.data());
  Wait wait(ending_, seconds);
  if (!wait_until(wait, [&] { return all_done(requests); })) {
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
  Wait wait(ending_, seconds);
  const bool all = wait_until(wait, [&] {
    for (int found = 1; missing > 0 && found != 0;) {
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, kAnswer, world_, &found, &status);
      if (found != 0) {
        const auto rank = static_cast<std::size_t>(status.MPI_SOURCE);
        parts[rank] = take_message(status, world_);
        here[rank] = true;
        --missing;
      }
    }
    return missing == 0;
  });
  if (all) {
    return parts;
  }
  // One that is kept waiting by another, in a barrier which this rank has left, still gives signs.
  const std::vector<bool> alive = take_signs(world_, size_);
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
std::vector<int> MpiTransport::missing(std::vector<MPI_Request>& here) const {
  if (rank_ != 0) {
    return {};
  }
  std::vector<int> ranks = pending(here);
  if (!ranks.empty()) {
    return ranks;
  }
  const std::vector<bool> alive = take_signs(world_, size_);
  for (int rank = 1; rank < size_; ++rank) {
    if (!alive[static_cast<std::size_t>(rank)] && !has_answered(rank, world_)) {
      ranks.push_back(rank);
    }
  }
  return ranks;
}

// A barrier alone does not show who is missing: each rank also reports to the root that it has
// come, and while it waits that it is still there.
Attended<void> MpiTransport::barrier(double seconds) {
  std::vector<MPI_Request> here(rank_ == 0 ? static_cast<std::size_t>(size_) : 1, MPI_REQUEST_NULL);
  if (rank_ == 0) {
    (void)take_signs(world_, size_);  // of earlier barriers
    for (int rank = 1; rank < size_; ++rank) {
      MPI_Irecv(nullptr, 0, MPI_BYTE, rank, kHere, world_, &here[static_cast<std::size_t>(rank)]);
    }
  } else {
    MPI_Isend(nullptr, 0, MPI_BYTE, 0, kHere, world_, here.data());
  }
  MPI_Request together = MPI_REQUEST_NULL;
  MPI_Ibarrier(world_, &together);
  Wait wait(ending_, seconds);
  double next_sign = kSecondsBetweenSigns;
  int left = 0;
  for (int looks = 1; left == 0; ++looks) {
    MPI_Test(&together, &left, MPI_STATUS_IGNORE);
    if (looks > kLooksBeforeYield) {
      sched_yield();  // more ranks than CPUs still get on
    }
    if (left != 0 || looks % kLooksPerReading != 0) {
      continue;
    }
    if (wait.is_over()) {
      return tl::unexpected<Absence>(Absence{missing(here), wait.seconds()});
    }
    if (rank_ != 0 && wait.seconds() > next_sign) {
      MPI_Request sent = MPI_REQUEST_NULL;
      MPI_Isend(nullptr, 0, MPI_BYTE, 0, kAlive, world_, &sent);
      MPI_Request_free(&sent);
      next_sign += kSecondsBetweenSigns;
    }
  }
  // A message of one may be lost that came through to another, and by it the barrier ended.
  if (!wait_until(wait, [&] { return all_done(here); })) {
    return tl::unexpected<Absence>(Absence{missing(here), wait.seconds()});
  }
  return {};
}

}  // namespace streamgage::engine
