#include "kernels/vector/claim.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <csetjmp>
#include <csignal>
#include <optional>

#include <fmt/format.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace streamgage::engine {
namespace {

// Larger than any block that one instruction is known to zero.
constexpr std::size_t kScratchBytes = 8192;

struct Candidate {
  std::string_view name;
  std::optional<std::string> reason;  // why it must not be tried
};

Candidate candidate() {
#if defined(__x86_64__)
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  const bool has = __get_cpuid(0x80000008U, &eax, &ebx, &ecx, &edx) != 0 && (ebx & 1U) != 0;
  if (!has) {
    return {"CLZERO", "this processor has no CLZERO (CPUID 8000_0008 EBX[0])"};
  }
  return {"CLZERO", std::nullopt};
#elif defined(__aarch64__)
  std::uint64_t id = 0;
  asm("mrs %0, dczid_el0" : "=r"(id));
  if ((id & 0x10U) != 0) {
    return {"DC ZVA", "DC ZVA is prohibited here (DCZID_EL0.DZP)"};
  }
  return {"DC ZVA", std::nullopt};
#elif defined(__powerpc64__)
  return {"dcbz", std::nullopt};
#elif defined(__riscv)
  return {"cbo.zero", std::nullopt};
#else
  return {"", "this architecture has no known instruction that claims a line"};
#endif
}

// Only RISC-V has no other sure way to ask, but a hypervisor or an emulator may lack any of them.
// Signal handlers have no argument to carry the place to return to.
sigjmp_buf after_illegal_instruction;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void leave_illegal_instruction(int /*signal*/) { siglongjmp(after_illegal_instruction, 1); }

bool can_execute(void* address) {
  struct sigaction action {};
  action.sa_handler = &leave_illegal_instruction;
  sigemptyset(&action.sa_mask);
  struct sigaction before {};
  if (sigaction(SIGILL, &action, &before) != 0) {
    return false;
  }
  volatile bool executed = false;
  if (sigsetjmp(after_illegal_instruction, 1) == 0) {  // NOLINT(cert-err52-cpp)
    claim_block(address);
    executed = true;
  }
  sigaction(SIGILL, &before, nullptr);
  return executed;
}

tl::expected<ClaimInstruction, std::string> look() {
  const Candidate wanted = candidate();
  if (wanted.reason) {
    return tl::unexpected(*wanted.reason);
  }
  alignas(kScratchBytes) static std::array<unsigned char, kScratchBytes> scratch;
  scratch.fill(0xff);
  if (!can_execute(scratch.data())) {
    return tl::unexpected(
        fmt::format("this processor does not execute {} (illegal instruction)", wanted.name));
  }
  auto* const first_left =
      std::find_if(scratch.begin(), scratch.end(), [](unsigned char byte) { return byte != 0; });
  const auto zeroed = static_cast<std::size_t>(first_left - scratch.begin());
  const bool rest_is_whole =
      std::all_of(first_left, scratch.end(), [](unsigned char byte) { return byte == 0xff; });
  if (!std::has_single_bit(zeroed) || zeroed < 16 || zeroed == kScratchBytes || !rest_is_whole) {
    return tl::unexpected(fmt::format(
        "{} zeroed {} bytes here, which is not a whole number of lines", wanted.name, zeroed));
  }
  return ClaimInstruction{std::string(wanted.name), static_cast<std::int64_t>(zeroed)};
}

}  // namespace

const tl::expected<ClaimInstruction, std::string>& claim_instruction() {
  static const auto found = look();
  return found;
}

}  // namespace streamgage::engine
