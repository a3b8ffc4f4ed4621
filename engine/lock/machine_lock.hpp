// One measurement at a time on a machine: two would each measure what the other leaves.
//
// An advisory lock (flock) on a file that every user can open. The kernel gives it back however its
// process ends, so none is ever stale; the file stays, and holds the name of its last holder.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Held until it is destroyed. A process has one; what it forks or starts does not share it.
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

// What one look at a lock came to.
struct LockAttempt {
  MachineLock lock;    // held, unless one of the sentences says why not
  std::string holder;  // distinguishes this holder from any other; empty where it is unknown
  std::optional<std::string> other;   // another measurement holds it: which; no full stop
  std::optional<std::string> defect;  // why there can be no lock
};

// The error is for a path at which there is something else than a lock, which is left as it is: a
// link, a folder, a file that is neither empty nor holds a holder's line.
Result<LockAttempt> try_lock(const std::string& path);

// For a lock that another holds where waiting was not wanted.
Error lock_refused(const std::string& other);

struct LockRequest {
  std::optional<std::string> path;                      // nothing: no lock is wanted
  bool wait = true;                                     // until the lock is free, or refuse
  std::function<int()> stop_signal = [] { return 0; };  // of a signal that came, or 0
  // Takes a sentence without its full stop: whom is waited for, or why there is no lock.
  std::function<void(const std::string&)> note = [](const std::string&) {};
};

// The lock; one that holds nothing where no lock is wanted or none is available, which is noted and
// costs no measurement. `signal`: the one that ended the waiting, or 0.
struct TakenLock {
  MachineLock lock;
  int signal = 0;
};

// The error is for a lock that another holds where waiting was not wanted, or that of try_lock().
Result<TakenLock> take_lock(const LockRequest& request);

// What the user's STREAMGAGE_LOCK (null or empty: not set) says: a path, or "none" for no lock. By
// default the lock is in the first of /run/lock and /tmp that every user can write to, so that all
// users of the machine agree on one.
std::optional<std::string> lock_path(const char* variable);

}  // namespace streamgage::engine
