#include "ranks/host_lock.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "measure/stop_signal.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage::engine {
namespace {

// Not the same for all jobs: two that came at once would go on disturbing each other.
constexpr double kLeastPauseSeconds = 0.5;
constexpr double kMostPauseSeconds = 1.5;
constexpr double kSecondsBetweenSigns = 10.0;

struct Looked {
  std::vector<Json> answers;           // one a rank
  std::optional<std::string> held_by;  // where another measurement is in the way
};

Json lock_order(const Crew& crew) {
  std::vector<bool> first(static_cast<std::size_t>(crew.size()));
  for (const std::vector<int>& ranks : ranks_by_host(crew.members())) {
    first[static_cast<std::size_t>(ranks.front())] = true;
  }
  return {{"do", "lock"}, {"first", first}};
}

bool is_refused(const Json& answer) { return !answer.at("other").is_null(); }

// Whether one of the ranks itself has the lock that this one was refused.
bool is_own(const Json& refused, const std::vector<Json>& answers) {
  const auto holder = refused.at("holder").get<std::string>();
  return !holder.empty() && std::any_of(answers.begin(), answers.end(), [&](const Json& one) {
    return !is_refused(one) && one.at("holder") == holder;
  });
}

Result<Looked> look(Crew& crew) {
  auto answers = crew.order(lock_order(crew));
  if (answers && std::any_of(answers->begin(), answers->end(), &is_refused)) {
    // A second look: by now all that have a lock have also written their names into its file.
    answers = crew.order(lock_order(crew));
  }
  if (!answers) {
    return tl::unexpected<Error>(answers.error());
  }
  Looked looked{std::move(*answers), {}};
  for (std::size_t rank = 0; rank < looked.answers.size() && !looked.held_by; ++rank) {
    const Json& answer = looked.answers[rank];
    if (is_refused(answer) && !is_own(answer, looked.answers)) {
      looked.held_by = fmt::format("on host {} {}", crew.members()[rank].host,
                                   answer.at("other").get<std::string>());
    }
  }
  return looked;
}

void tell_defects(const Crew& crew, const Looked& looked, const LockWish& wish) {
  for (std::size_t rank = 0; rank < looked.answers.size(); ++rank) {
    if (const Json& defect = looked.answers[rank].at("defect"); !defect.is_null()) {
      wish.note(fmt::format("on host {} {}", crew.members()[rank].host, defect.get<std::string>()));
    }
  }
}

double draw_pause() {
  std::random_device device;
  return std::uniform_real_distribution<double>(kLeastPauseSeconds, kMostPauseSeconds)(device);
}

}  // namespace

Result<HostsLocked> lock_hosts(Crew& crew, const LockWish& wish) {
  Instant last_sign = now();
  for (bool waited = false;; waited = true) {
    STREAMGAGE_TRY(const auto looked, look(crew));
    if (!looked.held_by) {
      tell_defects(crew, looked, wish);
      return HostsLocked{waited, 0};
    }
    if (!wish.wait) {
      return tl::unexpected<Error>(lock_refused(*looked.held_by));
    }
    if (!waited) {
      wish.note("waiting: " + *looked.held_by);
    } else if (seconds_between(last_sign, now()) >= kSecondsBetweenSigns) {
      wish.still_waiting();
      last_sign = now();
    }
    const double pause = draw_pause();
    STREAMGAGE_TRY(crew.order({{"do", "unlock"}, {"seconds", pause}}, pause));
    if (const int signal = stop_signal(); signal != 0) {
      return HostsLocked{true, signal};
    }
  }
}

}  // namespace streamgage::engine
