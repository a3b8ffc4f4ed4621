#include "streamgage/counters/source/perf_opener.hpp"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>

#include "streamgage/counters/pmu/pmu.hpp"
#include "streamgage/counters/source/open_failure.hpp"
#include "streamgage/topology/allowed_cpus.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

// Reads it until the kernel has counted for a while; another event may have the hardware at first.
// Whether it counted anything within a second.
bool counts(OpenCounter& counter) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  const auto before = counter.read();
  auto after = counter.read();
  while (before && after && after->count == before->count &&
         after->enabled < before->enabled + kSecond) {
    after = counter.read();
  }
  EXPECT_TRUE(before) << before.error().message();
  EXPECT_TRUE(after) << after.error().message();
  if (!before || !after || after->count == before->count) {
    return false;
  }
  EXPECT_GT(after->count, before->count);
  EXPECT_GT(after->running, before->running);
  EXPECT_LE(after->running, after->enabled);
  return true;
}

// The time stamp counter is a PMU of sysfs as a memory controller is, and opens in many guests.
TEST(PerfOpener, CountsByARealPmuOfSysfs) {
  const auto msr = read_pmu({}, "msr");
  if (!msr) {
    GTEST_SKIP() << "NOT TESTED: this kernel shows no PMU 'msr': " << msr.error().message;
  }
  const auto tsc = event_by_alias(*msr, "tsc");
  ASSERT_TRUE(tsc) << tsc.error().message;
  const int cpu = find_online_cpus({}).front();
  PerfOpener opener;
  const auto counter = opener.open({"msr", "tsc", tsc->terms, msr->type, tsc->words, cpu});
  if (!counter) {
    GTEST_SKIP() << "NOT TESTED: msr/tsc/ cannot be opened: " << counter.error().message();
  }
  EXPECT_TRUE(counts(**counter));
}

struct OpenedCycles {
  std::unique_ptr<OpenCounter> counter;
  std::string refusal;  // where there is no counter
};

// A core's PMU, whatever its name, is one with an event of the core's cycles that it counts on that
// CPU; a machine with several kinds of core has several.
OpenedCycles open_cycles(int cpu) {
  OpenedCycles opened{nullptr, "this kernel shows no PMU of the processor's cores"};
  for (const std::string& name : pmu_names({})) {
    const auto pmu = read_pmu({}, name);
    if (!pmu || pmu->events.count("cpu_cycles") + pmu->events.count("cpu-cycles") == 0) {
      continue;
    }
    const std::string alias = pmu->events.count("cpu_cycles") > 0 ? "cpu_cycles" : "cpu-cycles";
    const auto cycles = event_by_alias(*pmu, alias);
    EXPECT_TRUE(cycles) << cycles.error().message;
    if (!cycles) {
      continue;
    }
    auto counter = PerfOpener().open({name, alias, cycles->terms, pmu->type, cycles->words, cpu});
    if (counter) {
      return {std::move(*counter), ""};
    }
    opened.refusal = name + "/" + alias + "/ cannot be opened: " + counter.error().message();
  }
  return opened;
}

// On the CPU on which this thread stays meanwhile, so that the core is never idle. Some hypervisors
// show a PMU whose counters stand still; that ours is not the cause is seen in the emulated machine
// of scripts/test_guest_pmu, where this test may not be skipped.
TEST(PerfOpener, CountsTheCyclesOfACore) {
  const int cpu = affinity_mask().value().front();
  OpenedCycles cycles;
  std::thread([&] {
    cpu_set_t only{};
    CPU_SET(cpu, &only);
    ASSERT_EQ(sched_setaffinity(0, sizeof only, &only), 0);
    cycles = open_cycles(cpu);
    if (cycles.counter && !counts(*cycles.counter)) {
      cycles = {nullptr, "the core's PMU opens, and counted no cycle within a second"};
    }
  }).join();
  if (!cycles.counter) {
    GTEST_SKIP() << "NOT TESTED: " << cycles.refusal;
  }
}

// Ends a new process of a user without rights with the error that it gets, 0 where it gets none.
int error_for_nobody(const CounterRequest& request) {
  constexpr uid_t kNobody = 65534;
  const pid_t child = fork();
  if (child == 0) {
    if (setgid(kNobody) != 0 || setuid(kNobody) != 0) {
      _exit(ECHILD);
    }
    const auto counter = PerfOpener().open(request);
    _exit(counter ? 0 : counter.error().value());
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(PerfOpener, IsRefusedToAUserWithoutRights) {
  const auto msr = read_pmu({}, "msr");
  const auto level = read_paranoid_level({});
  if (!msr || !level || *level < 1) {
    GTEST_SKIP() << "NOT TESTED: no PMU 'msr', or a kernel.perf_event_paranoid that allows it";
  }
  if (geteuid() != 0) {
    GTEST_SKIP() << "NOT TESTED: only root can become another user";
  }
  const int error = error_for_nobody({"msr", "tsc", "", msr->type, {}, 0});
  if (error == ENOSYS) {
    GTEST_SKIP() << "EMULATED: the emulator does not know perf_event_open";
  }
  EXPECT_TRUE(error == EACCES || error == EPERM) << error;
  EXPECT_NE(explain_open_failure({error, std::generic_category()}, level).remedy, "");
}

TEST(PerfOpener, SaysWhyAPmuThatIsNotThereCannotBeOpened) {
  PerfOpener opener;
  const auto counter = opener.open({"gone", "x", "x", 0x7fff'fff0, {}, 0});
  ASSERT_FALSE(counter);
  EXPECT_NE(counter.error(), std::error_code());
}

TEST(PerfOpener, RefusesAWordThatTheKernelDoesNotTake) {
  PerfOpener opener;
  const auto counter = opener.open({"pmu", "x", "x", 0, {0, 0, 0, 1}, 0});
  ASSERT_FALSE(counter);
  EXPECT_EQ(counter.error(), std::errc::not_supported);
}

}  // namespace
}  // namespace streamgage
