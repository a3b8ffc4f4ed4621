// The processes that measure together: one, or MPI ranks. Rank 0, the root, decides everything; the
// others receive its orders and answer. They are grouped by host, because ranks of one host share
// its clock, its CPUs and its memory.
#pragma once

#include <string>
#include <vector>

#include "base/json_lines.hpp"
#include "streamgage/base/error.hpp"
#include "world/transport.hpp"

namespace streamgage::engine {

// One rank as the root knows it.
struct Member {
  std::string host;  // its name
  int host_number;   // hosts of one name that are two machines have two numbers
  int pid;
};

// Returns a text that distinguishes a host from any other: its name and the identity of its boot.
std::string host_identity(const std::string& host, const std::string& proc = "/proc");

class World {
 public:
  // `seconds`: how long the root waits for an answer. The others wait longer for its orders, so
  // that the root reports who is missing.
  World(Transport& transport, double seconds) : transport_(transport), seconds_(seconds) {}

  [[nodiscard]] int rank() const { return transport_.rank(); }
  [[nodiscard]] int size() const { return transport_.size(); }
  [[nodiscard]] bool is_root() const { return rank() == 0; }

  // Reports to the root who is on which host. Every rank calls it once, before anything else.
  Result<void> meet(const std::string& host, const std::string& identity);

  // Returns the ranks, on the root after meet().
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  [[nodiscard]] int hosts() const;

  // Returns the root's order on every rank.
  Result<Json> order(const Json& order);

  // Returns every rank's answer on the root, by rank; on the others nothing. `more_seconds`: what
  // the work may need in addition to the usual wait.
  Result<std::vector<Json>> answers(const Json& own, double more_seconds = 0.0);

  // Waits until all ranks have come; all leave together.
  Result<void> barrier();

  // "rank 3 on host node7"; before meet() "rank 3".
  [[nodiscard]] std::string name(int rank) const;

 private:
  [[nodiscard]] Error missing(const Absence& absence) const;
  [[nodiscard]] double patience() const;

  Transport& transport_;
  double seconds_;
  std::vector<Member> members_;
};

// The ranks of each host, hosts in the order of their first rank.
std::vector<std::vector<int>> ranks_by_host(const std::vector<Member>& members);

}  // namespace streamgage::engine
