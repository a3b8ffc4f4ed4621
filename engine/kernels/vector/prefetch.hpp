// Prefetches of one line, for reading and for writing.
#pragma once

#include <cstdint>

namespace streamgage::engine {

// The line that a prefetch brings. Where lines are longer, one is prefetched several times.
inline constexpr std::int64_t kLineBytes = 64;

// Base RISC-V has no prefetch instruction, and compilers leave it out without a word.
#if defined(__x86_64__) || defined(__aarch64__) || defined(__powerpc64__)
inline constexpr bool kHasPrefetch = true;
#else
inline constexpr bool kHasPrefetch = false;
#endif

// Prefetches the line `ahead` bytes after the address, which need not be valid.
inline void prefetch_to_read(const void* address, std::int64_t ahead) {
  __builtin_prefetch(static_cast<const char*>(address) + ahead, 0, 3);
}

inline void prefetch_to_write(const void* address, std::int64_t ahead) {
#if defined(__x86_64__)
  // If the compiler does not know that the processor has PREFETCHW, it emits a prefetch for
  // reading instead. All x86-64 processors at least decode PREFETCHW.
  asm volatile("prefetchw %0" : : "m"(*(static_cast<const char*>(address) + ahead)));
#else
  __builtin_prefetch(static_cast<const char*>(address) + ahead, 1, 3);
#endif
}

}  // namespace streamgage::engine
