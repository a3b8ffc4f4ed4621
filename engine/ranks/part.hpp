// One rank's part of a measurement: its machine, threads and arrays. It follows the root's orders
// and answers; it decides nothing.
#pragma once

#include <optional>
#include <vector>

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "lock/machine_lock.hpp"
#include "measure/outside_load.hpp"
#include "measure/setup.hpp"
#include "measure/workload.hpp"
#include "ranks/messages.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"
#include "streamgage/topology/machine.hpp"
#include "world/world.hpp"

namespace streamgage::engine {

class Part {
 public:
  Part(World& world, const Machine& machine) : world_(world), machine_(machine) {}

  // Carries out the order, and returns its packed answer, which is a Result.
  Json reply(const Order& order);

  // Returns an error if the ranks could not leave the last barrier together: others are missing,
  // and no answer is due.
  [[nodiscard]] const Result<void>& barrier() const { return barrier_; }

 private:
  Result<Prospect> carry_out(const orders::Look& order);
  Result<PlacedThreads> carry_out(const orders::Place& order);
  Result<LockState> carry_out(const orders::Lock& order);
  Result<Acknowledgement> carry_out(const orders::Unlock& order);
  Result<HostMemory> carry_out(const orders::Survey& order);
  Result<Acknowledgement> carry_out(const orders::Reserve& order);
  Result<PageSurvey> carry_out(const orders::FirstTouch& order);
  Result<PageSurvey> carry_out(const orders::Renew& order);
  Result<RunOutcome> carry_out(const orders::Run& order);
  Result<Check> carry_out(const orders::CheckArray& order);
  Result<CheckedRun> carry_out(const orders::RunAndCheck& order);
  Result<Acknowledgement> carry_out(const orders::Watch& order);
  Result<LoadSeen> carry_out(const orders::TakeLoad& order);
  Result<Acknowledgement> carry_out(const orders::End& order);

  [[nodiscard]] const Variant& variant(int number) const;

  // Returns this rank's entry of a list with an entry for each rank.
  template <class T>
  [[nodiscard]] const T& mine(const std::vector<T>& list) const {
    return list.at(static_cast<std::size_t>(world_.rank()));
  }

  World& world_;
  const Machine& machine_;
  LockAttempt lock_;  // of the machine, held as long as this is there
  Plan plan_;
  Decision decision_;
  std::optional<Team> team_;
  std::optional<Workload> workload_;
  std::optional<OutsideLoad> load_;
  double own_seconds_before_ = 0.0;
  Result<void> barrier_;
};

// Follows the root's orders until it orders the end; any other end is an error.
Result<void> serve(World& world, Part& part);

}  // namespace streamgage::engine
