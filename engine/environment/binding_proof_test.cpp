#include "environment/binding_proof.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <thread>

#include "streamgage/placement/binding.hpp"
#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage::engine {
namespace {

using testing::IsSupersetOf;
using testing::Not;
using testing::SizeIs;

constexpr double kShortProof = 1e-3;

// As many cores as the machine has, each with one hardware thread.
Machine with_cores(int cores, int allowed) {
  Machine machine;
  machine.cores = cores;
  machine.hardware_threads = cores;
  for (int core = 0; core < allowed; ++core) {
    machine.allowed.push_back({core, core, 0, 0, 0});
  }
  return machine;
}

TEST(BindingProof, AsksForAThreadACoreWhereNothingSaysHowMany) {
  EXPECT_EQ(threads_to_ask(with_cores(8, 8), 8, false), 8);
  EXPECT_EQ(threads_to_ask(with_cores(8, 3), 3, false), 3);
}

TEST(BindingProof, AsksForTwoThreadsOnTheOneCoreThatIsLeft) {
  EXPECT_EQ(threads_to_ask(with_cores(8, 1), 1, false), 2);
  EXPECT_EQ(threads_to_ask(with_cores(8, 8), 1, true), 2);
}

TEST(BindingProof, AsksForOneThreadWhereThereIsOneCore) {
  EXPECT_EQ(threads_to_ask(with_cores(1, 1), 1, false), 1);
}

TEST(BindingProof, AsksForWhatTheEnvironmentSaysWithinReason) {
  EXPECT_EQ(threads_to_ask(with_cores(8, 8), 5, true), 5);
  EXPECT_EQ(threads_to_ask(with_cores(8, 8), 100'000, true), 32);
}

TEST(BindingProof, EveryThreadRanOnCpusOfItsMask) {
  const auto proof = prove_binding(discover_machine().value(), kShortProof);
  ASSERT_TRUE(proof);
  ASSERT_THAT(proof->threads, Not(SizeIs(0)));
  EXPECT_LE(static_cast<int>(proof->threads.size()), proof->asked_threads);
  for (const ThreadTrace& trace : proof->threads) {
    EXPECT_THAT(trace.seen, Not(SizeIs(0)));
    EXPECT_THAT(trace.mask, IsSupersetOf(trace.seen));
  }
  EXPECT_GT(proof->serial_seconds, 0.0);
  EXPECT_GT(proof->parallel_seconds, 0.0);
}

TEST(BindingProof, ThreadsInheritTheMaskOfTheOneThatStartsThem) {
  const Machine machine = discover_machine().value();
  const int cpu = machine.allowed.back().cpu;
  std::thread([&machine, cpu] {
    ASSERT_TRUE(bind_this_thread(cpu));
    const auto proof = prove_binding(machine, kShortProof);
    ASSERT_TRUE(proof);
    for (const ThreadTrace& trace : proof->threads) {
      EXPECT_EQ(trace.mask, CpuList{cpu});
      EXPECT_EQ(trace.seen, CpuList{cpu});
    }
    // A mask alone holds no thread that asks for more.
    ASSERT_TRUE(proof->obtainable);
    EXPECT_THAT(*proof->obtainable, IsSupersetOf(machine.allowed_cpus));
    EXPECT_EQ(affinity_mask().value(), CpuList{cpu});
  }).join();
}

TEST(BindingProof, TheRecordReportsWhatIsNotKnownAsNull) {
  BindingProof proof;
  proof.asked_threads = 2;
  proof.threads = {{{0, 1}, {1}}, {{0, 1}, {0}}};
  const auto record = to_record(proof);
  EXPECT_TRUE(record["inherited_cpus"].is_null());
  EXPECT_TRUE(record["throttled_seconds"].is_null());
  EXPECT_EQ(record["threads"][0]["mask"], "0-1");
  EXPECT_EQ(record["threads"][0]["cpus_seen"], "1");
}

}  // namespace
}  // namespace streamgage::engine
