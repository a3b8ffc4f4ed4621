#include "kernels/own/fault.hpp"

#include <ucontext.h>

namespace streamgage::engine {

#if defined(__linux__) && defined(__x86_64__)

Fault fault_of(const void* context) {
  constexpr unsigned long long kWriteBit = 2;  // of the page fault's error code
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  const auto code = static_cast<unsigned long long>(registers[REG_ERR]);
  return {static_cast<std::uintptr_t>(registers[REG_RIP]),
          (code & kWriteBit) != 0 ? FaultKind::kWrite : FaultKind::kRead};
}

bool knows_instructions() { return true; }

#elif defined(__linux__) && defined(__aarch64__)

Fault fault_of(const void* context) {
  return {static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc),
          FaultKind::kUnknown};
}

bool knows_instructions() { return true; }

#elif defined(__linux__) && defined(__riscv)

Fault fault_of(const void* context) {
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.__gregs;
  return {static_cast<std::uintptr_t>(registers[REG_PC]), FaultKind::kUnknown};
}

bool knows_instructions() { return true; }

#elif defined(__linux__) && defined(__powerpc64__)

Fault fault_of(const void* context) {
  constexpr int kNextInstruction = 32;  // PT_NIP of asm/ptrace.h
  const auto& registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gp_regs;
  return {static_cast<std::uintptr_t>(registers[kNextInstruction]), FaultKind::kUnknown};
}

bool knows_instructions() { return true; }

#else

Fault fault_of(const void* /*context*/) { return {}; }

bool knows_instructions() { return false; }

#endif

}  // namespace streamgage::engine
