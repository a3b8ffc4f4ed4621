// What happens where the code of a user's kernel crashes.
//
// While a kernel's threads measure, nothing can be saved of the process: a signal handler leaves
// the reason in the page that supervise() reads, and ends it. A single call on the thread that asks
// can be survived: try_call() returns how the kernel would have died. A kernel that does not
// return, or ends the process, is for supervise() alone. Only one kernel runs at a time.
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

// What is known of the kernel that runs. Must stay as it is while calls go on.
struct WatchedKernel {
  std::string name = {};  // empty where it is not known yet
  std::string source = {};
  std::vector<WatchedArray> arrays = {};
  double timeout_seconds = 60.0;
  KernelPhase phase = KernelPhase::kRunning;
};

// How a kernel died: "writes element 1000 of its array a, which has ...".
struct Death {
  FailureReason reason = FailureReason::kCrash;
  std::string what;
};

// Which file a descriptor is, and how far it is written; nothing where it is closed.
struct FileState {
  dev_t device = 0;
  ino_t number = 0;
  off_t offset = 0;  // -1: of a pipe
};

// While one lives, the kernel runs on any threads; if it dies, so does the process. So it does
// where the kernel has left processes behind, or has closed or written to the file of the records.
// Threads other than this one need prepare_thread() for a stack that overflowed to be reported.
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

// From now on `page` shows what runs. `descriptor`: that records are written to.
void share_watch(KernelWatch& page, int descriptor);

// Ends the program, with the destructors of the kernels of these sources watched.
[[noreturn]] void exit_guarded(const std::string& sources, double timeout_seconds, int status);

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
