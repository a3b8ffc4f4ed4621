#include "ranks/crew.hpp"

#include <fmt/format.h>

#include "streamgage/base/try.hpp"

namespace streamgage::engine {

Result<std::vector<Json>> Crew::exchange(const Order& order, double more_seconds) {
  auto replies = try_exchange(order, more_seconds);
  broken_ = broken_ || !replies;
  return replies;
}

Result<std::vector<Json>> Crew::try_exchange(const Order& order, double more_seconds) {
  STREAMGAGE_TRY(world_.order(pack(order)));
  const Json own = own_.reply(order);
  STREAMGAGE_TRY(own_.barrier());
  return world_.answers(own, more_seconds);
}

Error Crew::named(const Error& error, std::size_t rank) const {
  // A request that cannot be met is the user's, not that rank's.
  const bool of_all = rank == 0 && error.status == ExitStatus::kUsage;
  return of_all ? error
                : Error{fmt::format("{}: {}", name(static_cast<int>(rank)), error.message),
                        error.status};
}

void Crew::dismiss() {
  if (!broken_) {
    broken_ = !world_.order(pack(Order(orders::End{}))).has_value();
  }
}

}  // namespace streamgage::engine
