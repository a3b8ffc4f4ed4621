// Users' kernels are watched from outside: they run in a process of their own, and this one waits
// with a deadline.
//
// Whatever a kernel does to its process (it hangs in a constructor or a destructor, stops, exits,
// forks, blocks signals, closes files), this process finds out, ends all that is left of it, and
// says in one sentence which kernel it was. It sleeps until a deadline or a signal, and takes no
// time from what is measured.
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

// Calls `work` in a process of its own, and returns its exit status, which `work` returns. The
// error is for a kernel that had to be ended or has ended its process; its record is written.
// SIGINT and SIGTERM are passed on; a kernel that then does not return within two seconds is ended.
// No process that a kernel has started outlives this call. Call it before there are threads.
Result<int> supervise(const Supervision& asked, const std::function<int()>& work);

}  // namespace streamgage::engine
