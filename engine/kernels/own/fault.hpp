// A bad access as the processor reports it to a signal handler.
#pragma once

#include <cstdint>

namespace streamgage::engine {

enum class FaultKind { kUnknown, kRead, kWrite };

struct Fault {
  std::uintptr_t instruction = 0;  // its address; 0 where that is not known
  FaultKind kind = FaultKind::kUnknown;
};

// Reads the third argument of a signal handler; safe to call in one.
Fault fault_of(const void* context);

// Returns whether this system reports the address of the instruction.
bool knows_instructions();

}  // namespace streamgage::engine
