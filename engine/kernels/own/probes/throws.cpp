// A user's kernel for tests that throws an exception.
#include <stdexcept>

#include "streamgage/kernel.h"

namespace {

double run(const streamgage_call* /*call*/) { throw std::runtime_error("too bad"); }

constexpr streamgage_array kArrays[] = {{"a", "double", STREAMGAGE_WRITE}};

}  // namespace

STREAMGAGE_KERNEL(.name = "own-throws", .formula = "a = 0", .arrays = kArrays, .array_count = 1,
                  .run = &run)
