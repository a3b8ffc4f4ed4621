// For tests: ranks that are threads of one process. A rank that is to be silent never comes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "world/transport.hpp"

namespace streamgage::engine {

// What the ranks of one world share.
struct Meeting {
  explicit Meeting(int ranks) : size(ranks), parts(static_cast<std::size_t>(ranks)) {}

  int size;
  std::mutex mutex;
  std::condition_variable changed;
  int round = 0;
  std::vector<bool> here = std::vector<bool>(static_cast<std::size_t>(size));
  std::vector<std::string> parts;
  std::vector<std::string> delivered;  // the parts of the last round
};

class ThreadTransport final : public Transport {
 public:
  ThreadTransport(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return meeting_.size; }

  Attended<std::string> broadcast(std::string message, double seconds) override {
    auto parts = meet(rank_ == 0 ? std::move(message) : std::string{}, seconds);
    return parts ? Attended<std::string>(parts->front())
                 : tl::unexpected<Absence>(std::move(parts.error()));
  }

  Attended<std::vector<std::string>> gather(std::string part, double seconds) override {
    auto parts = meet(std::move(part), seconds);
    if (parts && rank_ != 0) {
      parts->clear();
    }
    return parts;
  }

  Attended<void> barrier(double seconds) override {
    auto parts = meet({}, seconds);
    return parts ? Attended<void>() : tl::unexpected<Absence>(std::move(parts.error()));
  }

 private:
  Attended<std::vector<std::string>> meet(std::string part, double seconds) {
    std::unique_lock lock(meeting_.mutex);
    const int round = meeting_.round;
    const auto place = static_cast<std::size_t>(rank_);
    meeting_.parts[place] = std::move(part);
    meeting_.here[place] = true;
    if (absent().empty()) {
      meeting_.delivered = meeting_.parts;
      meeting_.here.assign(meeting_.here.size(), false);
      ++meeting_.round;
      meeting_.changed.notify_all();
      return meeting_.delivered;
    }
    if (!meeting_.changed.wait_for(lock, std::chrono::duration<double>(seconds),
                                   [&] { return meeting_.round != round; })) {
      return tl::unexpected<Absence>(Absence{absent(), seconds});
    }
    return meeting_.delivered;
  }

  [[nodiscard]] std::vector<int> absent() const {
    std::vector<int> ranks;
    for (int rank = 0; rank < meeting_.size; ++rank) {
      if (!meeting_.here[static_cast<std::size_t>(rank)]) {
        ranks.push_back(rank);
      }
    }
    return ranks;
  }

  Meeting& meeting_;
  int rank_;
};

// Calls work(transport) for every rank at once, and returns when all have ended.
inline void with_ranks(int ranks, const std::function<void(Transport&)>& work) {
  Meeting meeting(ranks);
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&meeting, &work, rank] {
      ThreadTransport transport(meeting, rank);
      work(transport);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace streamgage::engine
