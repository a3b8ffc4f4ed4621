// Sessions whose memory is bound to NUMA nodes.
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/session.hpp"
#include "measure/testing/record_list.hpp"
#include "measure/testing/small_session.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

using testing::HasSubstr;

Machine machine_with_a_small_node() {
  Machine machine = small_machine();
  machine.numa_nodes = {{0, {0}, kGiB, kGiB, kGiB}, {9, {}, kGiB, 2 * kMiB, 2 * kMiB}};
  machine.allowed_nodes = {0, 9};
  return machine;
}

TEST(Session, ArraysThatTheirNodeDoesNotHoldAreRefusedWithItsName) {
  RecordList kept;
  Plan plan = small_plan();
  plan.memory_nodes = CpuList{9};
  plan.array_bytes = 8 * kMiB;
  const auto outcome = run_session(machine_with_a_small_node(), plan, kept);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().status, ExitStatus::kUsage);
  EXPECT_THAT(outcome.error().message, HasSubstr("2 MiB are free on node 9"));
}

TEST(Session, BoundMemoryIsRecordedWithItsNodesAndWhatLiesElsewhereIsRemote) {
  if (syscall(SYS_get_mempolicy, nullptr, nullptr, 0, nullptr, 0) != 0) {
    ASSERT_TRUE(errno == ENOSYS || errno == EPERM) << errno;  // no NUMA, or a container
    return;
  }
  const auto here = discover_machine();
  ASSERT_TRUE(here) << here.error().message;
  const auto with_memory =
      std::find_if(here->numa_nodes.begin(), here->numa_nodes.end(), [&](const NumaNode& node) {
        return node.bytes != 0 && std::find(here->allowed_nodes.begin(), here->allowed_nodes.end(),
                                            node.os_index) != here->allowed_nodes.end();
      });
  ASSERT_NE(with_memory, here->numa_nodes.end());
  const int near = with_memory->os_index;  // 0 on most machines, but not where that has no memory
  const int far = near + 1;
  RecordList kept;
  Plan plan = small_plan();
  plan.memory_nodes = CpuList{near};
  Machine machine = small_machine();
  machine.numa_nodes = {{near, {0}, kGiB, kGiB, kGiB}, {far, {}, kGiB, 2 * kMiB, 2 * kMiB}};
  machine.allowed_nodes = {near, far};
  machine.allowed.front().node = far;  // a thread far from the memory that is asked for
  const auto outcome = run_session(machine, plan, kept);
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->exit_status, 0);
  EXPECT_EQ(kept.of("plan").front()["memory_nodes"], Json::array({near}));
  const Json memory = kept.of("memory").front();
  EXPECT_EQ(memory["nodes"], Json::array({near}));
  for (const Json& array : memory["arrays"]) {
    EXPECT_EQ(array["remote_pages"], 0) << array;
  }
}

TEST(Session, WithoutNodesTheRecordsNameNone) {
  RecordList kept;
  ASSERT_TRUE(run_session(small_machine(), small_plan(), kept));
  EXPECT_TRUE(kept.of("plan").front()["memory_nodes"].is_null());
  EXPECT_TRUE(kept.of("memory").front()["nodes"].is_null());
}

}  // namespace
}  // namespace streamgage::engine
