// The vector kernels for every instruction set that was compiled, chosen at run time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/range_kernel.h"

namespace streamgage {

enum class VectorStore { kRegular, kStreaming };

// An instruction set that was compiled and that this processor has.
struct VectorTarget {
  std::int64_t id = 0;  // Highway's target bit
  std::string isa;      // "AVX-512", as makers call it
};

// Those that this processor has, best first; never empty.
std::vector<VectorTarget> vector_targets();

// The kernel for that target. A reduction has no store: ask for kRegular.
// Null where the processor has no such target, or no streaming store on it.
streamgage_range_kernel vector_kernel(const VectorTarget& target, KernelId kernel,
                                      VectorStore store, ElementType type);

}  // namespace streamgage
