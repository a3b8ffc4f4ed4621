// One rank's part of a measurement: its machine, threads and arrays. It does what the root orders
// and answers in JSON; it decides nothing.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "lock/machine_lock.hpp"
#include "measure/outside_load.hpp"
#include "measure/setup.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"
#include "streamgage/topology/machine.hpp"
#include "world/world.hpp"

namespace streamgage::engine {

class Part {
 public:
  Part(World& world, const Machine& machine) : world_(world), machine_(machine) {}

  // What became of the order: what was asked for, or {"error", "status"}.
  Json answer(const Json& order);

  // Why the ranks could not leave the last barrier together, if so: others are missing, and no
  // answer is due.
  [[nodiscard]] const std::optional<Error>& barrier_error() const { return barrier_error_; }

 private:
  using Work = Result<Json> (Part::*)(const Json& order);
  static const std::map<std::string, Work>& works();

  Result<Json> look(const Json& order);
  Result<Json> place(const Json& order);
  Result<Json> lock(const Json& order);
  Result<Json> unlock(const Json& order);
  Result<Json> survey(const Json& order);
  Result<Json> reserve(const Json& order);
  Result<Json> touch(const Json& order);
  Result<Json> renew(const Json& order);
  Result<Json> run(const Json& order);
  Result<Json> check_array(const Json& order);
  Result<Json> check(const Json& order);
  Result<Json> watch(const Json& order);
  Result<Json> load(const Json& order);

  [[nodiscard]] const Variant& variant(const Json& order) const;
  // What the order holds for this rank, out of a list with an entry a rank.
  [[nodiscard]] const Json& mine(const Json& order, const char* key) const;

  World& world_;
  const Machine& machine_;
  LockAttempt lock_;  // of the machine, held as long as this is there
  Plan plan_;
  Decision decision_;
  std::optional<Team> team_;
  std::optional<Workload> workload_;
  std::optional<OutsideLoad> load_;
  double own_seconds_before_ = 0.0;
  std::optional<Error> barrier_error_;
};

// Does the root's orders until it orders the end; whatever else ends it is an error.
Result<void> serve(World& world, Part& part);

}  // namespace streamgage::engine
