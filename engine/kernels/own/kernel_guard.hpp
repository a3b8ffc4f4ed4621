// Handles crashes of a user's kernel.
//
// While a kernel's threads measure, a crash ends the process: a signal handler writes the reason
// into the page that supervise() reads, then exits. A single call on the calling thread can be
// survived: try_call() returns how the kernel would have died. Only supervise() handles a kernel
// that does not return or that ends the process. Only one kernel runs at a time.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/own/kernel_failure.hpp"
#include "kernels/own/kernel_watch.hpp"

namespace streamgage::engine {

// An array as the guard knows it, so that an address can be reported by the array's name.
struct WatchedArray {
  std::string name;
  std::uintptr_t data = 0;
  std::int64_t elements = 0;
  std::int64_t element_bytes = 1;
};

// The facts about the kernel that runs. They must not change during a call.
struct WatchedKernel {
  std::string name = {};  // empty where it is not known yet
  std::string source = {};
  std::vector<WatchedArray> arrays = {};
  double timeout_seconds = 60.0;
  KernelPhase phase = KernelPhase::kRunning;
};

// The way in which a kernel died: "writes element 1000 of its array a, which has ...".
struct Death {
  FailureReason reason = FailureReason::kCrash;
  std::string what;
};

// The file behind a descriptor, and how much of it is written; all zero if it is closed.
struct FileState {
  dev_t device = 0;
  ino_t number = 0;
  off_t offset = 0;  // -1: of a pipe
};

// While such an object lives, the kernel may run on any thread; if it dies, the process ends. The
// process also ends if the kernel leaves processes behind, or closes or writes to the file of the
// records. Other threads must call prepare_thread() first, or a stack overflow is not reported.
class GuardedRun {
 public:
  explicit GuardedRun(const WatchedKernel& kernel);
  GuardedRun(const GuardedRun&) = delete;
  GuardedRun& operator=(const GuardedRun&) = delete;
  GuardedRun(GuardedRun&&) = delete;
  GuardedRun& operator=(GuardedRun&&) = delete;
  ~GuardedRun();

 private:
  pid_t process_;
  bool had_children_;
  FileState records_;
};

// From now on, `page` shows which kernel runs. The records are written to `descriptor`.
void share_watch(KernelWatch& page, int descriptor);

// Ends the program, and watches the destructors of the kernels of these sources.
[[noreturn]] void exit_guarded(const std::string& sources, double timeout_seconds, int status);

// Gives the calling thread a stack for signal handlers, if it has none.
void prepare_thread();

// Returns true if it made the address accessible, so that the kernel can go on after a bad access.
// The signal handler calls it with the address and with that of the instruction (0: unknown).
using FaultFilter = bool (*)(std::uintptr_t address, std::uintptr_t instruction);

// Makes the call on this thread, and returns how it died, if it did. Objects that the call has
// constructed are then never destroyed, so it should call the kernel and do little else.
std::optional<Death> try_call(const WatchedKernel& kernel, const std::function<void()>& call,
                              FaultFilter filter = nullptr);

}  // namespace streamgage::engine
