// Finds the arrays that a user's kernel really reads and writes. Their pages are made
// inaccessible, and each access to one is noted before the kernel goes on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/own/kernel_guard.hpp"
#include "kernels/own/own_kernel.hpp"
#include "measure/own/own_arrays.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// The observed accesses to one array.
struct Accesses {
  bool is_read = false;  // before it was written
  bool is_written = false;
};

struct AccessProof {
  std::vector<Accesses> arrays;  // in the order of the declaration
  std::optional<Death> death;
};

// Runs all iterations on this thread, with the arrays filled again.
Result<AccessProof> prove_accesses(const OwnKernel& kernel, const OwnArrays& arrays);

// Returns the first array that is not used as declared: "writes to its array b, which it declares
// as read".
std::optional<std::string> undeclared_access(const OwnKernel& kernel, const AccessProof& proof);

}  // namespace streamgage::engine
