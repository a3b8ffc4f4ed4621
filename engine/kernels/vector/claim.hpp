// Claiming a line before it is written: the instruction that zeroes whole lines without reading
// them, on processors that have one.
//
// DC ZVA: Arm ARM (DDI 0487), DCZID_EL0. dcbz: Power ISA 3.1, book II. cbo.zero: RISC-V Zicboz.
// CLZERO: AMD64 manual (24594), CPUID Fn8000_0008_EBX[0].
#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

namespace streamgage::engine {

struct ClaimInstruction {
  std::string name;        // as the makers write it
  std::int64_t bytes = 0;  // zeroed at once; a power of two, and the alignment
};

// Returns this processor's instruction, or the reason why it has none. The instruction is tried on
// a scratch page once, and the result is remembered: `bytes` is what it really zeroed.
const tl::expected<ClaimInstruction, std::string>& claim_instruction();

// Zeroes the block that holds the address. Only where claim_instruction() has a value.
inline void claim_block(void* address) {
#if defined(__x86_64__)
  asm volatile("clzero" : : "a"(address) : "memory");
#elif defined(__aarch64__)
  asm volatile("dc zva, %0" : : "r"(address) : "memory");
#elif defined(__powerpc64__)
  asm volatile("dcbz 0, %0" : : "r"(address) : "memory");
#elif defined(__riscv)
  // cbo.zero, written out because assemblers know it only where Zicboz is asked for.
  asm volatile(".insn i 0x0f, 2, x0, %0, 4" : : "r"(address) : "memory");
#else
  static_cast<void>(address);
#endif
}

}  // namespace streamgage::engine
