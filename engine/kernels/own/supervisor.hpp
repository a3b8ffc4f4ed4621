// Watches users' kernels from outside: they run in a separate process, and this one waits with a
// deadline.
//
// A kernel may hang in a constructor or a destructor, stop, exit, fork, block signals or close
// files. This process notices it, ends everything that is left of the kernel, and reports in one
// sentence which kernel it was. It sleeps until a deadline or a signal, so it takes no time from
// the measurement.
#pragma once

#include <functional>
#include <string>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

struct Supervision {
  int descriptor = -1;          // that the records are written to
  std::string sources = {};     // of all kernels: "a.c", "one of a.c, b.c"
  double timeout_seconds = 60;  // of a call of a kernel
};

// Calls `work` in a separate process, and returns the exit status that `work` returns. It is an
// error if a kernel had to be ended or ended its process; its record is then written. SIGINT and
// SIGTERM are passed on; a kernel that does not return within two seconds after that is ended. No
// process that a kernel has started outlives this call. Requires that no threads have started.
Result<int> supervise(const Supervision& supervision, const std::function<int()>& work);

}  // namespace streamgage::engine
