// Messages of MPI. Every wait looks now and then and sleeps in between, so that a rank that waits
// takes no turns from those that measure; only the barrier spins.
#pragma once

#include <string>
#include <vector>

#include "mpi/mpi.hpp"
#include "world/transport.hpp"

namespace streamgage::engine {

class MpiTransport final : public Transport {
 public:
  // `mpi` must have been started.
  explicit MpiTransport(Mpi& mpi);

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  Attended<std::string> broadcast(std::string message, double seconds) override;
  Attended<std::vector<std::string>> gather(std::string part, double seconds) override;
  Attended<void> barrier(double seconds) override;

 private:
  Attended<std::string> receive_order(double seconds);
  [[nodiscard]] std::vector<int> missing(std::vector<Mpi::Request>& here);
  Attended<std::vector<std::string>> collect(std::string own, double seconds);

  Mpi& mpi_;
  int rank_;
  int size_;
};

}  // namespace streamgage::engine
