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

// What the root wishes of the locks.
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

// Locks all hosts, or none: where one is taken all are given back before the next look, so that two
// jobs that share some hosts do not wait for each other for ever. Hosts that share one lock, as
// containers of a machine may, do not wait for each other. The error is for a lock that another
// holds where waiting was not wanted, for a file that is no lock, or for a rank that is lost.
Result<HostsLocked> lock_hosts(Crew& crew, const LockWish& wish);

}  // namespace streamgage::engine
