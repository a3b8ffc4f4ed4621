// The ranks as the root commands them: an order goes to all, and their answers come back.
#pragma once

#include <vector>

#include "base/json_lines.hpp"
#include "ranks/part.hpp"
#include "streamgage/base/error.hpp"
#include "world/world.hpp"

namespace streamgage::engine {

class Crew {
 public:
  Crew(World& world, Part& own) : world_(world), own_(own) {}

  // One answer a rank. The error is a rank's own, with its name, or says who did not answer; then
  // nothing more can be ordered. `more_seconds`: what the work may need beside the usual wait.
  Result<std::vector<Json>> order(const Json& order, double more_seconds = 0.0);

  // Lets the others end, if they still can be reached.
  void dismiss();

  [[nodiscard]] const std::vector<Member>& members() const { return world_.members(); }
  [[nodiscard]] int size() const { return world_.size(); }
  [[nodiscard]] std::string name(int rank) const { return world_.name(rank); }

  // Some rank does not answer, or answers no longer in turn: the run can only be broken off.
  [[nodiscard]] bool is_broken() const { return broken_; }

 private:
  Result<std::vector<Json>> broken(const Error& error);

  World& world_;
  Part& own_;
  bool broken_ = false;
};

}  // namespace streamgage::engine
