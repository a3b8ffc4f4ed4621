#include "environment/compute_loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage::engine {
namespace {

using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;

TEST(ComputeLoop, IsTheSequenceOfItsSeed) {
  EXPECT_EQ(compute(0, 5), 5U);
  EXPECT_EQ(compute(1, 1), 0x40822041U);  // xorshift64 (Marsaglia 2003) with 13, 7, 17
  EXPECT_EQ(compute(3, compute(2, 1)), compute(5, 1));
  EXPECT_NE(compute(100, 0), 0U);
}

TEST(ComputeLoop, IsCalibratedToSomeSteps) { EXPECT_GE(steps_for(1e-3), 64); }

TEST(ComputeLoop, SeesCpusThatTheThreadMayUse) {
  const auto seen = compute_and_look(1 << 16);
  EXPECT_THAT(seen, Not(SizeIs(0)));
  EXPECT_THAT(affinity_mask().value(), IsSupersetOf(seen));
}

}  // namespace
}  // namespace streamgage::engine
