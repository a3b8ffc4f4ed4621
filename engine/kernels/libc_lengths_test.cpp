#include "kernels/libc_lengths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

TEST(NonTemporalLength, IsTheLeastOfTheFunctionsThatTheLoaderNames) {
  EXPECT_EQ(read_non_temporal_length(
                "glibc.rtld.nns: 0x4 (min: 0x1, max: 0x10)\n"
                "glibc.cpu.x86_memset_non_temporal_threshold: 0xc0000 (min: 0x4040, max: 0xff)\n"
                "glibc.cpu.x86_non_temporal_threshold: 0xf000000 (min: 0x4040, max: 0xff)\n"),
            std::uint64_t{0xc0000});
}

TEST(NonTemporalLength, IsUnknownWhereTheLoaderNamesNone) {
  EXPECT_EQ(read_non_temporal_length(""), std::nullopt);
  EXPECT_EQ(read_non_temporal_length("glibc.cpu.x86_non_temporal_threshold: 0x0 (min"),
            std::nullopt);
  EXPECT_EQ(read_non_temporal_length("--list-tunables: error while loading shared libraries"),
            std::nullopt);
}

}  // namespace
}  // namespace streamgage::engine
