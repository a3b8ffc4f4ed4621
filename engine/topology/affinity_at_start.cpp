#include "topology/affinity_at_start.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstddef>

namespace streamgage {
namespace {

constexpr std::size_t kMostCpus = 1 << 16;
constexpr std::size_t kBitsPerWord = sizeof(unsigned long) * CHAR_BIT;

struct MaskAtStart {
  long bytes = 0;  // what the kernel wrote; less than 1 where it was not asked or refused
  std::array<unsigned long, kMostCpus / kBitsPerWord> words{};
};

constinit MaskAtStart mask_at_start;

// Runs before the libraries are initialised, hence a bare system call and no sanitizer.
__attribute__((no_sanitize("address", "undefined"))) void keep_mask(int /*count*/,
                                                                    char** /*arguments*/,
                                                                    char** /*environment*/) {
  mask_at_start.bytes =
      syscall(SYS_sched_getaffinity, 0, kMostCpus / CHAR_BIT, &mask_at_start.words);
}

// Functions in this section run before any initialiser of a shared library (System V gABI, chapter
// 5, "Initialization and Termination Functions").
using EarlyFunction = void (*)(int, char**, char**);
__attribute__((section(".preinit_array"), used)) constinit EarlyFunction early_function = keep_mask;

}  // namespace

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
