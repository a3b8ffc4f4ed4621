#include "streamgage/memory/memory_nodes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"

namespace streamgage {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Two nodes with CPUs, one without memory, memory alone, and memory that is barred.
Machine five_nodes() {
  Machine machine;
  machine.memory_available_bytes = 20 * kGiB;
  machine.numa_nodes = {{0, {0, 1}, 8 * kGiB, 2 * kGiB, 6 * kGiB},
                        {1, {2, 3}, 8 * kGiB, 1 * kGiB, 5 * kGiB},
                        {2, {4, 5}, 0, 0, 0},
                        {4, {}, 8 * kGiB, 7 * kGiB, 7 * kGiB},
                        {5, {}, 8 * kGiB, 8 * kGiB, 8 * kGiB}};
  machine.allowed_nodes = {0, 1, 2, 4};
  return machine;
}

TEST(MemoryNodes, AreTakenInOrderAndEachOnce) {
  EXPECT_THAT(choose_memory_nodes(five_nodes(), {4, 0, 4}).value(), ElementsAre(0, 4));
  EXPECT_THAT(choose_memory_nodes(five_nodes(), {}).value(), IsEmpty());
}

TEST(MemoryNodes, ThatGiveNoMemoryAreRefusedWithThoseThatDo) {
  for (const auto& [number, why] : {std::pair{3, "there is no such node"},
                                    {2, "it has none"},
                                    {5, "this process may not use it"}}) {
    const auto nodes = choose_memory_nodes(five_nodes(), {0, number});
    ASSERT_FALSE(nodes) << number;
    EXPECT_EQ(nodes.error().status, ExitStatus::kUsage);
    EXPECT_THAT(nodes.error().message, HasSubstr(why));
    EXPECT_THAT(nodes.error().message, HasSubstr("for this process on nodes 0-1,4"));
  }
}

TEST(MemoryNodes, OfUnknownSizeAreTakenToHaveMemory) {
  Machine machine = five_nodes();
  machine.numa_nodes[1].bytes = std::nullopt;
  EXPECT_THAT(choose_memory_nodes(machine, {1}).value(), ElementsAre(1));
}

TEST(MemoryNodes, LimitTheMemoryByWhatTheyHaveAvailable) {
  const MemoryBudget two = memory_budget(five_nodes(), {0, 1});
  EXPECT_EQ(two.nodes_free_bytes, 11 * kGiB);
  EXPECT_THAT(two.nodes, ElementsAre(0, 1));
  EXPECT_EQ(two.available_bytes, 20 * kGiB);
}

TEST(MemoryNodes, DoNotLimitItWhereThereAreNoneOrAllOfThem) {
  EXPECT_FALSE(memory_budget(five_nodes(), {}).nodes_free_bytes);
  EXPECT_FALSE(memory_budget(five_nodes(), {0, 1, 4, 5}).nodes_free_bytes);
  Machine machine = five_nodes();
  machine.numa_nodes[0].available_bytes = std::nullopt;
  EXPECT_FALSE(memory_budget(machine, {0}).nodes_free_bytes);
}

}  // namespace
}  // namespace streamgage
