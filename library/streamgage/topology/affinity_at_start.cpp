#include "streamgage/topology/affinity_at_start.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstddef>

namespace streamgage {
namespace {

constexpr std::size_t kMostCpusAtStart = 1 << 16;
constexpr std::size_t kBitsPerWord = sizeof(unsigned long) * CHAR_BIT;

struct MaskAtStart {
  long bytes = 0;  // what the kernel wrote; less than 1 where it was not asked or refused
  std::array<unsigned long, kMostCpusAtStart / kBitsPerWord> words{};
};

constinit MaskAtStart mask_at_start;

}  // namespace

// A bare system call and no sanitizer: see early_mask.cpp.
__attribute__((no_sanitize("address", "undefined"))) void keep_mask_at_start() {
  mask_at_start.bytes =
      syscall(SYS_sched_getaffinity, 0, kMostCpusAtStart / CHAR_BIT, &mask_at_start.words);
}

std::optional<CpuList> affinity_mask_at_start() {
  if (mask_at_start.bytes <= 0) {
    return std::nullopt;
  }
  CpuList cpus;
  const auto count = static_cast<std::size_t>(mask_at_start.bytes) * CHAR_BIT;
  for (std::size_t cpu = 0; cpu < count; ++cpu) {
    if ((mask_at_start.words[cpu / kBitsPerWord] >> (cpu % kBitsPerWord) & 1U) != 0) {
      cpus.push_back(static_cast<int>(cpu));
    }
  }
  return cpus;
}

}  // namespace streamgage
