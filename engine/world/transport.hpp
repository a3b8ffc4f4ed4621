// The communication of ranks: messages between rank 0, the root, and the others, and a barrier.
// Every wait ends after some seconds and then names the ranks that did not come.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace streamgage::engine {

// Ranks that did not answer in time.
struct Absence {
  std::vector<int> ranks;  // empty where that is unknown
  double seconds = 0.0;    // that they were waited for
};

template <class T>
using Attended = tl::expected<T, Absence>;

class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  Transport(Transport&&) = delete;
  Transport& operator=(Transport&&) = delete;
  virtual ~Transport() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;

  // Returns the root's message on every rank; what others pass is ignored.
  virtual Attended<std::string> broadcast(std::string message, double seconds) = 0;

  // Returns every rank's part on the root, by rank; on the others nothing.
  virtual Attended<std::vector<std::string>> gather(std::string part, double seconds) = 0;

  // Waits until all ranks have come; all leave together.
  virtual Attended<void> barrier(double seconds) = 0;
};

}  // namespace streamgage::engine
