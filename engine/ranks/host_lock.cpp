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
constexpr double kLeastPauseSeconds = 0.3;
constexpr double kMostPauseSeconds = 0.9;
constexpr double kSecondsBetweenHostSigns = 10.0;

struct Looked {
  std::vector<LockState> states;       // one a rank
  std::optional<std::string> held_by;  // where another measurement is in the way
};

orders::Lock lock_order(const Crew& crew) {
  orders::Lock order;
  for (const std::vector<int>& ranks : ranks_by_host(crew.members())) {
    order.firsts.push_back(ranks.front());
  }
  return order;
}

bool is_refused(const LockState& state) { return state.other.has_value(); }

// Whether one of the ranks itself has the lock that this one was refused.
bool is_own(const LockState& refused, const std::vector<LockState>& states) {
  return !refused.holder.empty() &&
         std::any_of(states.begin(), states.end(), [&](const LockState& one) {
           return !is_refused(one) && one.holder == refused.holder;
         });
}

Result<Looked> look(Crew& crew) {
  Looked looked;
  STREAMGAGE_TRY(looked.states, crew.order(lock_order(crew)));
  if (std::any_of(looked.states.begin(), looked.states.end(), &is_refused)) {
    // A second look: by now all that have a lock have also written their names into its file.
    STREAMGAGE_TRY(looked.states, crew.order(lock_order(crew)));
  }
  for (std::size_t rank = 0; rank < looked.states.size() && !looked.held_by; ++rank) {
    const LockState& state = looked.states[rank];
    if (is_refused(state) && !is_own(state, looked.states)) {
      looked.held_by = fmt::format("on host {} {}", crew.members()[rank].host, *state.other);
    }
  }
  return looked;
}

void note_defects(const Crew& crew, const Looked& looked, const LockWish& wish) {
  for (std::size_t rank = 0; rank < looked.states.size(); ++rank) {
    if (const auto& defect = looked.states[rank].defect) {
      wish.note(fmt::format("on host {} {}", crew.members()[rank].host, *defect));
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
      note_defects(crew, looked, wish);
      return HostsLocked{waited, 0};
    }
    if (!wish.wait) {
      return tl::unexpected<Error>(lock_refused(*looked.held_by));
    }
    if (!waited) {
      wish.note("waiting: " + *looked.held_by);
    } else if (seconds_between(last_sign, now()) >= kSecondsBetweenHostSigns) {
      wish.still_waiting();
      last_sign = now();
    }
    const double pause = draw_pause();
    STREAMGAGE_TRY(crew.order(orders::Unlock{pause}, pause));
    if (const int signal = stop_signal(); signal != 0) {
      return HostsLocked{true, signal};
    }
  }
}

}  // namespace streamgage::engine
