// Commands the ranks: the root sends an order to all, and each answers.
#pragma once

#include <string>
#include <vector>

#include "base/json_lines.hpp"
#include "ranks/messages.hpp"
#include "ranks/part.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/base/try.hpp"
#include "world/world.hpp"

namespace streamgage::engine {

class Crew {
 public:
  Crew(World& world, Part& own) : world_(world), own_(own) {}

  // Returns one answer per rank. The error is a rank's own, with its name, or says who did not
  // answer; then nothing more can be ordered. `more_seconds`: what the work may need in addition to
  // the usual wait.
  template <class One>
  Result<std::vector<typename One::Answer>> order(const One& order, double more_seconds = 0.0) {
    STREAMGAGE_TRY(const auto replies, exchange(order, more_seconds));
    std::vector<typename One::Answer> answers;
    for (const Json& reply : replies) {
      STREAMGAGE_TRY(auto answer,
                     unpack<Result<typename One::Answer>>(reply).map_error(
                         [&](const Error& error) { return named(error, answers.size()); }));
      answers.push_back(std::move(answer));
    }
    return answers;
  }

  // Tells the other ranks to end, if they can still be reached.
  void dismiss();

  [[nodiscard]] const std::vector<Member>& members() const { return world_.members(); }
  [[nodiscard]] int size() const { return world_.size(); }
  [[nodiscard]] std::string name(int rank) const { return world_.name(rank); }

  // Returns whether a rank did not answer, or answered out of turn. Then the run can only be
  // aborted.
  [[nodiscard]] bool is_broken() const { return broken_; }

 private:
  // Sends the order, and returns the replies of all ranks, by rank.
  Result<std::vector<Json>> exchange(const Order& order, double more_seconds);
  Result<std::vector<Json>> try_exchange(const Order& order, double more_seconds);
  // Returns a rank's own error with the name of the rank, if the rank matters.
  [[nodiscard]] Error named(const Error& error, std::size_t rank) const;

  World& world_;
  Part& own_;
  bool broken_ = false;
};

}  // namespace streamgage::engine
