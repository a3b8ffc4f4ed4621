// The team of OpenMP threads that measures: each binds itself, and each sample proves where it ran.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cpu_list.hpp"
#include "base/error.hpp"
#include "clock/clock.hpp"
#include "kernels/kernel_code.hpp"
#include "memory/partition.hpp"
#include "placement/placement.hpp"

namespace streamgage {

// Threads that the OpenMP runtime gives where nobody says how many.
int runtime_thread_count();

// A call of a kernel on operands as the kernel knows them.
struct KernelCall {
  KernelCode run;
  Operands operands;
  double s = 0.0;
  std::int64_t repeats = 1;  // odd: see KernelCode
  std::string region = {};   // its name for LIKWID's markers; only where they are built in
};

// One timed call, every thread on its own range.
struct Timing {
  double seconds = 0.0;  // from the first start of a thread to the last end
  Instant first;
  Instant last;
  double value = 0.0;  // sum over the threads of what one pass returned
  CpuList cpus_start;  // one a thread
  CpuList cpus_end;
  int moved = 0;              // threads that changed CPU meanwhile or were off their bound one
  std::int64_t switches = 0;  // involuntary context switches
};

// The library that provides the OpenMP runtime, by its path; nothing in a static program.
std::optional<std::string> openmp_library();

// Where teams of several processes wait for each other.
using Gate = std::function<void()>;

class Team {
 public:
  // Starts the threads and lets each bind itself to its CPU of the placement. The runtime may give
  // fewer threads than asked for: size() tells. A `gate` is called by the first thread before each
  // timed call, and all threads wait for it to return.
  static Result<Team> assemble(const Placement& placement, Gate gate = {});

  [[nodiscard]] int size() const { return size_; }

  // One a thread, from after the binding: the CPU that it was on, and the CPUs that it may run on.
  [[nodiscard]] const CpuList& cpus() const { return cpus_; }
  [[nodiscard]] const std::vector<CpuList>& masks() const { return masks_; }
  [[nodiscard]] bool bound() const;

  // Calls work(thread) on every thread at once.
  void each(const std::function<void(int)>& work) const;

  // One range a thread.
  [[nodiscard]] Timing time(const KernelCall& call, const std::vector<Range>& ranges) const;

 private:
  Team() = default;

  int size_ = 0;
  Gate gate_;
  CpuList placed_;  // empty where threads are not bound
  CpuList cpus_;
  std::vector<CpuList> masks_;
};

}  // namespace streamgage
