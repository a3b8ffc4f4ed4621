// The vector kernels for every instruction set that was compiled, chosen at run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/vector/vector_task.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

enum class VectorStore { kRegular, kStreaming, kClaim };

// An instruction set that was compiled.
struct VectorTarget {
  std::int64_t id = 0;  // Highway's target bit
  std::string isa;      // "AVX-512", as makers call it
  int vector_bytes = 0;
};

// Returns the targets that this processor has, best first. Never empty.
std::vector<VectorTarget> vector_targets();

// Returns the target of that name, or an error that lists those that this processor has.
Result<VectorTarget> find_vector_target(const std::string& isa);

// Returns the kernel for that target and number of streams (1, 2, 4, 8). A reduction has no store:
// ask for kRegular. Null if the target has no such store, or if the kernel does not exist with it.
VectorKernel vector_kernel(const VectorTarget& target, KernelId kernel, VectorStore store,
                           int streams, ElementType type);

// Returns the non-temporal store of that target, e.g. "VMOVNTPD". Nothing if it has none.
std::optional<std::string> streaming_instruction(const VectorTarget& target, ElementType type);

}  // namespace streamgage::engine
