// The functions that ranks need from MPI. The library that provides it is opened at run time: see
// open_mpi().
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

class Mpi {
 public:
  // A send, a receive or a barrier that was started. By default it is finished.
  struct Request {
    std::uintptr_t handle = 0;  // the library's own, while it is not done
    bool is_done = true;
  };

  // A message that has arrived and is not received yet.
  struct PendingMessage {
    int from = 0;
    int tag = 0;
    int bytes = 0;
  };

  Mpi() = default;
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  Mpi(Mpi&&) = delete;
  Mpi& operator=(Mpi&&) = delete;
  virtual ~Mpi() = default;

  // "Open MPI v4.1.4 (/opt/openmpi/lib/libmpi.so.40)"
  [[nodiscard]] virtual std::string name() const = 0;

  // Call it before everything below. One thread of several makes the other calls. Many libraries
  // end the process if they cannot start; then one sentence reports this.
  virtual Result<void> start() = 0;
  virtual void finish() = 0;
  // Ends all ranks.
  virtual void abort(int status) = 0;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  // Starts to send a message, which must not move until the request is finished.
  virtual Request send(const std::string& message, int to, int tag) = 0;
  // Sends a message without content.
  virtual Request send_sign(int to, int tag) = 0;
  virtual Request receive_sign(int from, int tag) = 0;
  virtual Request barrier() = 0;

  // Returns whether the request is finished by now.
  virtual bool test(Request& request) = 0;
  // Gives up a request that will finish at some time.
  virtual void forget(Request request) = 0;

  // Looks for a message from a rank, or from any of them.
  virtual std::optional<PendingMessage> probe(std::optional<int> from, int tag) = 0;
  virtual std::string receive(const PendingMessage& found) = 0;
};

}  // namespace streamgage::engine
