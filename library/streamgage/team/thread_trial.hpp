// Tests whether the system gives as many threads as a team needs. If it does not, OpenMP runtimes
// end the program, or let it crash.
#pragma once

#include <cstddef>
#include <optional>

#include "streamgage/base/error.hpp"

namespace streamgage {

// Returns the bytes of a thread's stack that OMP_STACKSIZE requests ("64M", " 2 g", "4096": KiB).
// Nothing if it requests none.
std::optional<std::size_t> stack_bytes_asked_for(const char* variable);

// Starts this number of threads besides the calling one, which end at once. The error says how
// many the system gave.
Result<void> try_threads(int threads);

// Does the same before the OpenMP runtime makes a team of this size. The runtime keeps threads
// that it has started, so only the missing ones are tried.
Result<void> try_runtime_threads(int threads);

}  // namespace streamgage
