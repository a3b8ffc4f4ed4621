// Whether the system gives as many threads as a team needs. OpenMP runtimes end the program, or let
// it crash, where it does not.
#pragma once

#include <cstddef>
#include <optional>

#include "streamgage/base/error.hpp"

namespace streamgage {

// The bytes of a thread's stack that OMP_STACKSIZE asks for ("64M", " 2 g", "4096": KiB); nothing
// where it asks for none.
std::optional<std::size_t> stack_bytes_asked_for(const char* variable);

// Starts so many threads next to the calling one, which end at once. The error says how many the
// system gave.
Result<void> try_threads(int threads);

// The same before the OpenMP runtime makes a team of so many threads. It keeps those that it has
// started, and no more are tried than it lacks.
Result<void> try_runtime_threads(int threads);

}  // namespace streamgage
