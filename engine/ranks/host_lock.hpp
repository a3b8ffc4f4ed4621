// One measurement at a time on every host: the first rank of each holds the lock of its machine.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/json_lines.hpp"
#include "lock/machine_lock.hpp"
#include "ranks/crew.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// The root's request for the locks.
struct LockWish {
  bool wait = true;  // until all are free, or refuse
  // Takes a sentence without its full stop: whom is waited for, or why there is no lock.
  std::function<void(const std::string&)> note = [](const std::string&) {};
  std::function<void()> still_waiting = [] {};  // called every few seconds of waiting
};

struct HostsLocked {
  bool waited = false;
  int signal = 0;  // that ended the waiting
};

// Locks all hosts or none: if one is taken, all are released before the next attempt, so that two
// jobs that share hosts cannot wait for each other forever. Hosts that share one lock, such as
// containers of one machine, do not wait for each other. It is an error if another process holds a
// lock and waiting is not wanted, if a file is not a lock, or if a rank is lost.
Result<HostsLocked> lock_hosts(Crew& crew, const LockWish& wish);

}  // namespace streamgage::engine
