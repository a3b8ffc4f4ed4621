// The library for C as a program has it: through its header and its shared object alone.
#include <sched.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/streamgage.h"

namespace {

using testing::HasSubstr;

template <auto kFree>
struct Freed {
  template <class Handle>
  void operator()(Handle* handle) const {
    kFree(handle);
  }
};

using Machine = std::unique_ptr<streamgage_machine, Freed<streamgage_machine_free>>;
using Placement = std::unique_ptr<streamgage_placement, Freed<streamgage_placement_free>>;
using Team = std::unique_ptr<streamgage_team, Freed<streamgage_team_free>>;
using Buffer = std::unique_ptr<streamgage_buffer, Freed<streamgage_buffer_free>>;
using Region = std::unique_ptr<streamgage_region, Freed<streamgage_region_free>>;
using Sampler = std::unique_ptr<streamgage_sampler, Freed<streamgage_sampler_free>>;

class CInterface : public testing::Test {
 protected:
  // A team binds the thread that runs the tests as well: its mask is put back.
  void SetUp() override {
    ASSERT_EQ(sched_getaffinity(0, sizeof mask_, &mask_), 0);
    machine_.reset(streamgage_machine_discover(&error_));
    ASSERT_NE(machine_, nullptr) << error_.message;
    placement_.reset(streamgage_placement_choose(machine_.get(), nullptr, 0, &error_));
    ASSERT_NE(placement_, nullptr) << error_.message;
    team_.reset(streamgage_team_assemble(placement_.get(), &error_));
    ASSERT_NE(team_, nullptr) << error_.message;
  }
  void TearDown() override { ASSERT_EQ(sched_setaffinity(0, sizeof mask_, &mask_), 0); }

  cpu_set_t mask_{};
  streamgage_error error_{};
  Machine machine_;
  Placement placement_;
  Team team_;
};

TEST_F(CInterface, ReportsTheMachine) {
  EXPECT_GE(streamgage_machine_packages(machine_.get()), 1);
  EXPECT_GE(streamgage_machine_cores(machine_.get()), 1);
  EXPECT_GE(streamgage_machine_hardware_threads(machine_.get()),
            streamgage_machine_cores(machine_.get()));
  std::vector<int> cpus(streamgage_machine_cpus(machine_.get(), nullptr, 0));
  ASSERT_FALSE(cpus.empty());
  EXPECT_EQ(streamgage_machine_cpus(machine_.get(), cpus.data(), cpus.size()), cpus.size());
  EXPECT_TRUE(CPU_ISSET(static_cast<std::size_t>(cpus.front()), &mask_));
  EXPECT_GE(streamgage_machine_nodes(machine_.get(), nullptr, 0), 1U);
  EXPECT_GT(streamgage_machine_memory(machine_.get()),
            streamgage_machine_memory_available(machine_.get()));
  (void)streamgage_machine_last_level_cache(machine_.get(), cpus.data(), cpus.size());
  const char* processor = streamgage_machine_processor(machine_.get());
  EXPECT_TRUE(processor == nullptr || std::strlen(processor) > 0);
  EXPECT_STREQ(streamgage_version(), (std::to_string(STREAMGAGE_VERSION_MAJOR) + "." +
                                      std::to_string(STREAMGAGE_VERSION_MINOR) + "." +
                                      std::to_string(STREAMGAGE_VERSION_PATCH))
                                         .c_str());
}

TEST_F(CInterface, PlacesByExpressionsAndSaysWhatCannotBeHad) {
  int cpu = -1;
  ASSERT_GE(streamgage_machine_cpus(machine_.get(), &cpu, 1), 1U);
  const Placement first(streamgage_placement_choose(machine_.get(), "L:N:0", 0, &error_));
  ASSERT_NE(first, nullptr) << error_.message;
  EXPECT_EQ(error_.status, STREAMGAGE_OK);
  EXPECT_EQ(streamgage_placement_threads(first.get()), 1);
  int placed = -2;
  EXPECT_EQ(streamgage_placement_cpus(first.get(), &placed, 1), 1U);
  EXPECT_EQ(placed, cpu);

  EXPECT_EQ(streamgage_placement_choose(machine_.get(), "S77:0", 0, &error_), nullptr);
  EXPECT_EQ(error_.status, STREAMGAGE_BAD_REQUEST);
  EXPECT_THAT(error_.message, HasSubstr("S77"));
  EXPECT_EQ(streamgage_placement_choose(machine_.get(), nullptr, -1, &error_), nullptr);
  EXPECT_EQ(streamgage_placement_choose(machine_.get(), "no:thing", 0, nullptr), nullptr);

  const Placement unbound(streamgage_placement_choose_unbound(machine_.get(), 3, &error_));
  ASSERT_NE(unbound, nullptr) << error_.message;
  EXPECT_EQ(streamgage_placement_threads(unbound.get()), 3);
  EXPECT_EQ(streamgage_placement_cpus(unbound.get(), nullptr, 0), 0U);
}

TEST_F(CInterface, ALongErrorIsCutOffInsideItsText) {
  const std::string expression(5000, 'x');
  EXPECT_EQ(streamgage_placement_choose(machine_.get(), expression.c_str(), 0, &error_), nullptr);
  EXPECT_LT(std::strlen(error_.message), sizeof error_.message);
  EXPECT_GT(std::strlen(error_.message), 0U);
}

TEST_F(CInterface, ATeamProvesWhereItRuns) {
  EXPECT_EQ(streamgage_team_prove(team_.get(), &error_), STREAMGAGE_OK) << error_.message;
  EXPECT_EQ(streamgage_team_size(team_.get()), streamgage_placement_threads(placement_.get()));
  const auto count = [](int /*thread*/, void* context) { return *static_cast<double*>(context); };
  double each = 2.0;
  const double sum = 2.0 * streamgage_team_size(team_.get());
  EXPECT_EQ(streamgage_team_run(team_.get(), count, &each), sum);
  const streamgage_timing timing = streamgage_team_time(team_.get(), count, &each);
  EXPECT_EQ(timing.value, sum);
  EXPECT_GT(timing.seconds, 0.0);
  EXPECT_EQ(timing.moved, 0);
}

TEST_F(CInterface, AnUnboundTeamProvesNothing) {
  const Placement unbound(streamgage_placement_choose_unbound(machine_.get(), 1, &error_));
  const Team team(streamgage_team_assemble(unbound.get(), &error_));
  ASSERT_NE(team, nullptr);
  EXPECT_EQ(streamgage_team_prove(team.get(), &error_), STREAMGAGE_FAILED);
}

TEST_F(CInterface, ACpuThatIsNotThereIsAnErrorWithItsNumber) {
  EXPECT_NE(streamgage_bind_this_thread(100'000, &error_), STREAMGAGE_OK);
  EXPECT_THAT(error_.message, HasSubstr("100000"));
  EXPECT_NE(streamgage_bind_this_thread(100'000, nullptr), STREAMGAGE_OK);
}

TEST_F(CInterface, ArraysAreTouchedByTheTeamAndReportWhereTheyAre) {
  constexpr std::int64_t kElements = 1 << 20;
  const Buffer buffer(
      streamgage_buffer_create(kElements * sizeof(double), true, nullptr, 0, &error_));
  ASSERT_NE(buffer, nullptr) << error_.message;
  EXPECT_EQ(streamgage_buffer_bytes(buffer.get()), kElements * sizeof(double));
  EXPECT_EQ(streamgage_buffer_touch(buffer.get(), team_.get(), kElements, 8, &error_),
            STREAMGAGE_OK)
      << error_.message;
  EXPECT_EQ(static_cast<double*>(streamgage_buffer_data(buffer.get()))[kElements - 1], 0.0);
  EXPECT_EQ(streamgage_buffer_touch(buffer.get(), team_.get(), kElements + 1, 8, &error_),
            STREAMGAGE_BAD_REQUEST);
  // What is beyond the elements stays as it is: a buffer may be far larger than the memory.
  static_cast<double*>(streamgage_buffer_data(buffer.get()))[kElements - 1] = 1.0;
  EXPECT_EQ(streamgage_buffer_touch(buffer.get(), team_.get(), 1, 8, &error_), STREAMGAGE_OK);
  EXPECT_EQ(static_cast<double*>(streamgage_buffer_data(buffer.get()))[kElements - 1], 1.0);
  std::vector<int> nodes(16);
  const std::size_t written = streamgage_buffer_nodes(
      buffer.get(), 0, streamgage_buffer_bytes(buffer.get()), nodes.data(), nodes.size(), &error_);
  EXPECT_TRUE(written == 16 || std::strlen(error_.message) > 0);  // forbidden in a container
  EXPECT_EQ(streamgage_buffer_nodes(buffer.get(), 8, 8, nodes.data(), nodes.size(), &error_), 0U);
  EXPECT_EQ(error_.status, STREAMGAGE_BAD_REQUEST);
  EXPECT_LE(streamgage_buffer_huge_share(buffer.get()), 1.0);

  EXPECT_EQ(streamgage_buffer_create(std::uint64_t{1} << 60U, true, nullptr, 0, &error_), nullptr);
  EXPECT_EQ(streamgage_buffer_create(0, true, nullptr, 0, &error_), nullptr);
  const int nowhere = 1000;
  EXPECT_EQ(streamgage_buffer_create(4096, false, &nowhere, 1, &error_), nullptr);
  EXPECT_THAT(error_.message, HasSubstr("node 1000"));
}

TEST_F(CInterface, PartsCoverAllElementsInOrder) {
  std::int64_t next = 0;
  for (int part = 0; part < 3; ++part) {
    const streamgage_range range = streamgage_part(1000, 8, 3, part);
    EXPECT_EQ(range.begin, next);
    next = range.end;
  }
  EXPECT_EQ(next, 1000);
  EXPECT_EQ(streamgage_part(1000, 8, 3, 3).end, 0);
  EXPECT_EQ(streamgage_part(1000, 0, 3, 1).end, 0);
  EXPECT_EQ(streamgage_part(-5, 8, 3, 1).end, 0);
}

TEST_F(CInterface, SizesArraysByStreamsRule) {
  const std::uint64_t bytes =
      streamgage_array_bytes(machine_.get(), placement_.get(), 1, 8, &error_);
  EXPECT_GE(bytes, 8'000'000U) << error_.message;
  EXPECT_EQ(streamgage_array_bytes(machine_.get(), placement_.get(), 0, 8, &error_), 0U);
  EXPECT_EQ(error_.status, STREAMGAGE_BAD_REQUEST);
}

TEST_F(CInterface, ClocksGoOn) {
  const double before = streamgage_now();
  const streamgage_clock clock = streamgage_examine_clock();
  EXPECT_GT(clock.granularity, 0.0);
  EXPECT_GT(clock.overhead, 0.0);
  EXPECT_GT(streamgage_now(), before);
}

TEST_F(CInterface, ARegionCountsOrSaysWhyNot) {
  const Region region(streamgage_region_open(&error_));
  ASSERT_NE(region, nullptr) << error_.message;
  streamgage_region_start(region.get());
  streamgage_region_stop(region.get());
  streamgage_traffic traffic{};
  const auto status = streamgage_region_traffic(region.get(), &traffic, &error_);
  if (streamgage_region_source(region.get()) == nullptr) {
    EXPECT_EQ(status, STREAMGAGE_FAILED);
    EXPECT_STREQ(error_.message, std::string(streamgage_region_reason(region.get()))
                                     .substr(0, sizeof error_.message - 1)
                                     .c_str());
    EXPECT_EQ(streamgage_region_domains(region.get()), 0U);
  } else {
    EXPECT_EQ(status, STREAMGAGE_OK) << error_.message;
    EXPECT_GE(traffic.total, 0.0);  // between two calls, perhaps nothing went to memory
  }
  EXPECT_EQ(streamgage_region_domain_traffic(region.get(), 1000, &traffic, &error_),
            STREAMGAGE_BAD_REQUEST);
}

TEST_F(CInterface, ARecordingThatIsNotThereIsAnError) {
  EXPECT_EQ(streamgage_region_open_replay("/nowhere", "/nowhere/recording", &error_), nullptr);
  EXPECT_THAT(error_.message, HasSubstr("/nowhere/recording"));
}

TEST_F(CInterface, SamplesUntilTheyHaveSettled) {
  const Sampler sampler(streamgage_sampler_create(nullptr, &error_));
  ASSERT_NE(sampler, nullptr);
  streamgage_stop stopped = STREAMGAGE_GO_ON;
  while (stopped == STREAMGAGE_GO_ON) {
    stopped = streamgage_sampler_add(sampler.get(), 0.5);
  }
  EXPECT_EQ(stopped, STREAMGAGE_CONVERGED);
  std::vector<double> seconds(streamgage_sampler_samples(sampler.get(), nullptr, 0));
  EXPECT_EQ(seconds.size(), 30U);
  (void)streamgage_sampler_samples(sampler.get(), seconds.data(), seconds.size());
  streamgage_summary summary{};
  EXPECT_EQ(streamgage_summarize(seconds.data(), seconds.size(), 0.95, &summary, &error_),
            STREAMGAGE_OK);
  EXPECT_EQ(summary.count, 30U);
  EXPECT_EQ(summary.median, 0.5);
  EXPECT_EQ(summary.low, 0.5);
  EXPECT_EQ(summary.deviation, 0.0);

  EXPECT_EQ(streamgage_summarize(nullptr, 0, 0.95, &summary, &error_), STREAMGAGE_OK);
  EXPECT_TRUE(std::isnan(summary.median));
  EXPECT_EQ(streamgage_summarize(nullptr, 0, 1.0, &summary, &error_), STREAMGAGE_BAD_REQUEST);
}

TEST_F(CInterface, ASamplingWithoutSenseIsRefused) {
  streamgage_sampling sampling = streamgage_default_sampling();
  EXPECT_EQ(sampling.min_samples, 20);
  sampling.look_every = 0;
  EXPECT_EQ(streamgage_sampler_create(&sampling, &error_), nullptr);
  EXPECT_EQ(error_.status, STREAMGAGE_BAD_REQUEST);
}

TEST(CInterfaceAlone, TakesNullBack) {
  streamgage_machine_free(nullptr);
  streamgage_placement_free(nullptr);
  streamgage_team_free(nullptr);
  streamgage_buffer_free(nullptr);
  streamgage_region_free(nullptr);
  streamgage_sampler_free(nullptr);
}

}  // namespace
