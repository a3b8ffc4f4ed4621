// What happens where the code of a user's kernel crashes, ends the process, or does not return.
//
// While a kernel's threads measure, nothing can be saved of the process: a signal handler writes
// the record "kernel-failure" and ends it. A single call on the thread that asks can be survived:
// try_call() returns how the kernel would have died. Only one kernel runs at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/own/kernel_failure.hpp"

namespace streamgage::engine {

// An array as the guard knows it, so that an address can be reported by the array's name.
struct WatchedArray {
  std::string name;
  std::uintptr_t data = 0;
  std::int64_t elements = 0;
  std::int64_t element_bytes = 1;
};

// What is known of the kernel that runs, made ready before it does: a signal handler allocates
// nothing. Must stay as it is while calls go on.
struct WatchedKernel {
  std::string name = {};
  std::string source = {};
  std::vector<WatchedArray> arrays = {};
  double timeout_seconds = 60.0;
  int descriptor = -1;  // that records are written to; -1: to none

  // The part of the record before the reason, and the subject of its sentence, in JSON.
  std::string record_start = {};
  std::string subject = {};
  std::string timeout_text = {};
  // Fills in these three from the others.
  void prepare();
};

// How a kernel died: "writes element 1000 of its array a, which has ...".
struct Death {
  FailureReason reason = FailureReason::kCrash;
  std::string what;
};

// While one lives, the kernel runs on any threads; if it dies, so does the process, with exit
// status 1 and the record written. Threads other than this one need prepare_thread() for a record
// of a stack that overflowed.
class GuardedRun {
 public:
  explicit GuardedRun(const WatchedKernel& kernel);
  GuardedRun(const GuardedRun&) = delete;
  GuardedRun& operator=(const GuardedRun&) = delete;
  GuardedRun(GuardedRun&&) = delete;
  GuardedRun& operator=(GuardedRun&&) = delete;
  ~GuardedRun();
};

// Gives the calling thread a stack for signal handlers, if it has none.
void prepare_thread();

// May let the kernel go on after a bad access: returns true if it made the address accessible.
// Called by the signal handler, with the address and that of the instruction (0: not known).
using FaultFilter = bool (*)(std::uintptr_t address, std::uintptr_t instruction);

// Makes the call on this thread, and returns how it died if it did. What the call had constructed
// is then lost without being destroyed: it is to be a call of the kernel and little else.
std::optional<Death> try_call(const WatchedKernel& kernel, const std::function<void()>& call,
                              FaultFilter filter = nullptr);

}  // namespace streamgage::engine
