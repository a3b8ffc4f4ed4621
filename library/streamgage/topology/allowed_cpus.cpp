#include "streamgage/topology/allowed_cpus.hpp"

#include <sched.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <tl/expected.hpp>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/affinity_at_start.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {
namespace {

constexpr int kLargestMask = 1 << 20;

// Whether GNU OpenMP was asked to bind threads; it does so to the initial one, before main.
bool openmp_binds() {
  const char* binds = std::getenv("OMP_PROC_BIND");
  const bool refuses = binds != nullptr && std::tolower(static_cast<unsigned char>(*binds)) == 'f';
  return !refuses && (binds != nullptr || std::getenv("OMP_PLACES") != nullptr ||
                      std::getenv("GOMP_CPU_AFFINITY") != nullptr);
}

struct FreeMask {
  void operator()(cpu_set_t* mask) const noexcept { CPU_FREE(mask); }
};

// The mask, or why the kernel refuses it. It refuses a mask that is shorter than its own, which may
// be longer than cpu_set_t.
tl::expected<CpuList, int> ask_kernel() {
  int error = EINVAL;
  for (int size = CPU_SETSIZE; size <= kLargestMask && error == EINVAL; size *= 2) {
    const std::unique_ptr<cpu_set_t, FreeMask> mask(CPU_ALLOC(size));
    const std::size_t bytes = CPU_ALLOC_SIZE(size);
    if (mask == nullptr) {
      return tl::unexpected(ENOMEM);
    }
    CPU_ZERO_S(bytes, mask.get());
    if (sched_getaffinity(0, bytes, mask.get()) == 0) {
      CpuList cpus;
      for (int cpu = 0; cpu < size; ++cpu) {
        if (CPU_ISSET_S(cpu, bytes, mask.get())) {
          cpus.push_back(cpu);
        }
      }
      return cpus;
    }
    error = errno;
  }
  return tl::unexpected(error);
}

std::optional<CpuList> read_mask() {
  const auto status = read_pseudo_file(FileRoots().proc + "/thread-self/status");
  std::string_view rest = status ? std::string_view(*status) : std::string_view();
  while (!rest.empty()) {
    std::string_view line = take_line(rest);
    if (take_word(line) == "Cpus_allowed_list:") {
      auto cpus = parse_cpu_list(trim_blanks(line));
      return cpus && !cpus->empty() ? std::optional(*cpus) : std::nullopt;
    }
  }
  return std::nullopt;
}

Result<CpuList> mask_before_openmp() {
  if (openmp_binds()) {
    if (auto mask = affinity_mask_at_start()) {
      return std::move(*mask);
    }
  }
  return affinity_mask();
}

}  // namespace

Result<CpuList> affinity_mask() {
  auto mask = ask_kernel();
  if (mask) {
    return std::move(*mask);
  }
  if (auto read = read_mask()) {
    return std::move(*read);
  }
  return failure(fmt::format(
      "the kernel does not report which CPUs this process may use ({}): let it call "
      "sched_getaffinity, which a container's seccomp filter may forbid, or mount /proc",
      std::generic_category().message(mask.error())));
}

bool kernel_reports_affinity() { return ask_kernel().has_value(); }

Result<CpuList> find_allowed_cpus(const Topology& topology) {
  if (!topology.is_this_system) {
    return topology.allowed_cpus;
  }
  STREAMGAGE_TRY(auto mask, mask_before_openmp());
  const CpuList& online = topology.online_cpus;
  CpuList allowed;
  std::set_intersection(mask.begin(), mask.end(), online.begin(), online.end(),
                        std::back_inserter(allowed));
  if (allowed.empty()) {
    return failure(
        fmt::format("this process may use {}, but the topology has only {}; check that /sys is "
                    "this system's, and unset HWLOC_* variables",
                    name_cpus(mask), format_cpu_list(online)));
  }
  return allowed;
}

}  // namespace streamgage
