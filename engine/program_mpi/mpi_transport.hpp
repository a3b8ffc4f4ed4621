// Messages of MPI. Every wait looks now and then and sleeps in between, so that a rank that waits
// takes no turns from those that measure; only the barrier spins.
#pragma once

#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "world/transport.hpp"

namespace streamgage::engine {

class MpiTransport final : public Transport {
 public:
  // After MPI_Init. Once the run is `ending` a rank is not waited for much longer: a launcher that
  // has lost one informs the others by a signal.
  explicit MpiTransport(std::function<bool()> ending);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  Attended<std::string> broadcast(std::string message, double seconds) override;
  Attended<std::vector<std::string>> gather(std::string part, double seconds) override;
  Attended<void> barrier(double seconds) override;

 private:
  Attended<std::string> receive_order(double seconds);
  [[nodiscard]] std::vector<int> missing(std::vector<MPI_Request>& here) const;
  Attended<std::vector<std::string>> collect(std::string own, double seconds);

  std::function<bool()> ending_;
  MPI_Comm world_ = MPI_COMM_WORLD;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace streamgage::engine
