// Has the mask of the start kept. Only a program can do that, so that this object is linked where
// the linker is made to look for its symbol (-u streamgage_early_mask), as it is in programs that
// use the C++ library; a shared library that uses it is linked without it.
#include "streamgage/topology/affinity_at_start.hpp"

namespace {

// Runs before the libraries are initialised, hence no sanitizer.
__attribute__((no_sanitize("address", "undefined"))) void keep_mask(int /*count*/,
                                                                    char** /*arguments*/,
                                                                    char** /*environment*/) {
  streamgage::keep_mask_at_start();
}

using EarlyFunction = void (*)(int, char**, char**);

}  // namespace

// Functions in this section run before any initialiser of a shared library (System V gABI, chapter
// 5, "Initialization and Termination Functions").
extern "C" {
extern EarlyFunction streamgage_early_mask;
__attribute__((section(".preinit_array"), used)) constinit EarlyFunction streamgage_early_mask =
    keep_mask;
}
