// Allows one measurement at a time on a machine, because two would disturb each other.
//
// An advisory lock (flock) on a file that every user can open. The kernel releases it however its
// process ends, so it is never stale. The file stays, and holds the name of its last holder.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// A lock that is held until this object is destroyed. A process has one lock. Its children do not
// share it.
class MachineLock {
 public:
  MachineLock() = default;  // holds nothing
  // Takes over an open file that is locked.
  explicit MachineLock(int descriptor);

  MachineLock(const MachineLock&) = delete;
  MachineLock& operator=(const MachineLock&) = delete;
  MachineLock(MachineLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  MachineLock& operator=(MachineLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~MachineLock();

  [[nodiscard]] bool held() const { return descriptor_ >= 0; }

 private:
  int descriptor_ = -1;
};

// The result of one attempt to take a lock.
struct LockAttempt {
  MachineLock lock;    // held, unless one of the sentences says why not
  std::string holder;  // distinguishes this holder from any other; empty where it is unknown
  std::optional<std::string> other;   // another measurement holds it: which; no full stop
  std::optional<std::string> defect;  // why there can be no lock
};

// Tries to take the lock once. It is an error if the path holds something other than a lock: a
// link, a folder, or a file that is not empty and holds no holder's line. That is left unchanged.
Result<LockAttempt> try_lock(const std::string& path);

// Returns the error for a lock that another process holds, if the caller does not want to wait.
Error lock_refused(const std::string& other);

struct LockRequest {
  std::optional<std::string> path;                      // nothing: no lock is wanted
  bool wait = true;                                     // until the lock is free, or refuse
  std::function<int()> stop_signal = [] { return 0; };  // of a signal that came, or 0
  // Takes a sentence without its full stop: whom is waited for, or why there is no lock.
  std::function<void(const std::string&)> note = [](const std::string&) {};
};

// The result of take_lock(). The lock holds nothing if none is wanted or available; the latter is
// noted, and the measurement goes on. `signal` is the signal that ended the waiting, or 0.
struct TakenLock {
  MachineLock lock;
  int signal = 0;
};

// Takes the lock, and waits for it if that is wanted. It is an error if another process holds it
// and waiting is not wanted, or if try_lock() fails.
Result<TakenLock> take_lock(const LockRequest& request);

// Returns what STREAMGAGE_LOCK says (null or empty: not set): a path, or "none" for no lock. By
// default the lock is in /run/lock if every user can write to it, else in /tmp, so that all users
// of the machine agree on one.
std::optional<std::string> lock_path(const char* variable);

}  // namespace streamgage::engine
