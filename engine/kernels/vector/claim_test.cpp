#include "kernels/vector/claim.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(Claim, ZeroesExactlyTheBlockThatHoldsTheAddress) {
  const auto& claim = claim_instruction();
  if (!claim) {
    EXPECT_THAT(claim.error(), testing::Not(testing::IsEmpty()));
    return;  // a processor without one; that it says so is tested in the next test
  }
  alignas(4096) std::array<unsigned char, 4096> page{};
  page.fill(0xa5);
  const auto block = static_cast<std::size_t>(claim->bytes);
  claim_block(page.data() + 2 * block + block / 2);
  for (std::size_t i = 0; i < page.size(); ++i) {
    EXPECT_EQ(page[i], i / block == 2 ? 0 : 0xa5) << i;
  }
}

#if defined(__x86_64__)
TEST(Claim, IsClzeroWhereTheKernelListsIt) {
  std::ifstream file("/proc/cpuinfo");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const bool listed = text.find(" clzero ") != std::string::npos;
  EXPECT_EQ(claim_instruction().has_value(), listed);
  if (listed) {
    EXPECT_EQ(claim_instruction()->name, "CLZERO");
    EXPECT_EQ(claim_instruction()->bytes, 64);
  } else {
    EXPECT_THAT(claim_instruction().error(), testing::HasSubstr("no CLZERO"));
  }
}
#elif defined(__aarch64__)
TEST(Claim, BlockIsTheOneThatTheProcessorNames) {
  std::uint64_t id = 0;
  asm("mrs %0, dczid_el0" : "=r"(id));
  EXPECT_EQ(claim_instruction()->bytes, 4 << (id & 0xfU));
}
#elif defined(__powerpc64__)
TEST(Claim, IsDcbzOf128Bytes) { EXPECT_EQ(claim_instruction()->bytes, 128); }
#endif

}  // namespace
}  // namespace streamgage::engine
