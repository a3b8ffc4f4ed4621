#include "streamgage/placement/binding.hpp"

#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage {
namespace {

constexpr int kCpuNumbers = 1 << 20;
constexpr int kMostCpusOfLinux = 8192;  // Linux is built for no more (CONFIG_NR_CPUS)

// Masks are sized at run time: a fixed cpu_set_t ends at 1,024 CPUs.
class CpuMask {
 public:
  explicit CpuMask(int cpus)
      : bytes_(CPU_ALLOC_SIZE(cpus)), set_(CPU_ALLOC(static_cast<std::size_t>(cpus))) {
    CPU_ZERO_S(bytes_, set_.get());
  }

  void add(int cpu) { CPU_SET_S(static_cast<std::size_t>(cpu), bytes_, set_.get()); }
  [[nodiscard]] cpu_set_t* get() const { return set_.get(); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(cpu_set_t* set) const { CPU_FREE(set); }
  };

  std::size_t bytes_;
  std::unique_ptr<cpu_set_t, Free> set_;
};

}  // namespace

Result<void> bind_this_thread(int cpu) {
  if (cpu < 0 || cpu >= kCpuNumbers) {
    return failure(
        fmt::format("a thread cannot be bound to CPU {}: no system has such a CPU", cpu));
  }
  CpuMask mask(cpu + 1);
  mask.add(cpu);
  if (sched_setaffinity(0, mask.bytes(), mask.get()) != 0) {
    return failure(
        fmt::format("a thread cannot be bound to CPU {}: {}; measure with unbound threads "
                    "(placement none, --cpus none), or permit binding here",
                    cpu, std::strerror(errno)));
  }
  return {};
}

Result<void> bind_this_thread(const CpuList& cpus) {
  CpuMask mask(*std::max_element(cpus.begin(), cpus.end()) + 1);
  for (const int cpu : cpus) {
    mask.add(cpu);
  }
  if (sched_setaffinity(0, mask.bytes(), mask.get()) != 0) {
    return failure(fmt::format("a thread cannot be given CPUs {}: {}; permit binding here",
                               format_cpu_list(cpus), std::strerror(errno)));
  }
  return {};
}

std::optional<CpuList> obtainable_cpus() {
  std::optional<CpuList> cpus;
  std::thread([&cpus] {
    CpuMask all(kMostCpusOfLinux);
    for (int cpu = 0; cpu < kMostCpusOfLinux; ++cpu) {
      all.add(cpu);
    }
    if (sched_setaffinity(0, all.bytes(), all.get()) != 0) {
      return;
    }
    if (auto mask = affinity_mask()) {
      cpus = std::move(*mask);
    }
  }).join();
  return cpus;
}

}  // namespace streamgage
