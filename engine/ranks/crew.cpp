#include "ranks/crew.hpp"

#include <fmt/format.h>

namespace streamgage::engine {

Result<std::vector<Json>> Crew::broken(const Error& error) {
  broken_ = true;
  return tl::unexpected<Error>(error);
}

Result<std::vector<Json>> Crew::order(const Json& order, double more_seconds) {
  if (const auto sent = world_.order(order); !sent) {
    return broken(sent.error());
  }
  const Json own = own_.answer(order);
  if (own_.barrier_error()) {
    return broken(*own_.barrier_error());
  }
  auto answers = world_.answers(own, more_seconds);
  if (!answers) {
    return broken(answers.error());
  }
  for (std::size_t rank = 0; rank < answers->size(); ++rank) {
    const Json& answer = (*answers)[rank];
    if (answer.contains("error")) {
      const auto said = answer.at("error").get<std::string>();
      const auto status = static_cast<ExitStatus>(answer.at("status").get<int>());
      // A request that cannot be met is the user's, not that rank's.
      const bool of_all = rank == 0 && status == ExitStatus::kUsage;
      return tl::unexpected<Error>(
          Error{of_all ? said : fmt::format("{}: {}", name(static_cast<int>(rank)), said), status});
    }
  }
  return answers;
}

void Crew::dismiss() {
  if (!broken_) {
    broken_ = !world_.order({{"do", "end"}}).has_value();
  }
}

}  // namespace streamgage::engine
