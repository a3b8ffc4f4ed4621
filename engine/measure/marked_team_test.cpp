#include "measure/likwid/marked_region.hpp"

#ifdef STREAMGAGE_LIKWID

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "measure/kernel_call.hpp"
#include "streamgage/topology/allowed_cpus.hpp"

namespace {

// What was called of liblikwid, by thread and in order.
struct MarkerCalls {
  std::mutex mutex;
  std::map<std::thread::id, std::vector<std::string>> by_thread;

  void add(const std::string& call) {
    const std::lock_guard lock(mutex);
    by_thread[std::this_thread::get_id()].push_back(call);
  }
};

MarkerCalls& marker_calls() {
  static MarkerCalls made;
  return made;
}

}  // namespace

// In this program they take the place of liblikwid's.
extern "C" {
void likwid_markerInit() { marker_calls().add("init"); }
void likwid_markerThreadInit() { marker_calls().add("thread"); }
int likwid_markerStartRegion(const char* name) {
  marker_calls().add(std::string("start ") + name);
  return 0;
}
int likwid_markerStopRegion(const char* name) {
  marker_calls().add(std::string("stop ") + name);
  return 0;
}
void likwid_markerClose() { marker_calls().add("close"); }
}

namespace streamgage::engine {
namespace {

double add_elements(void* a, const void* /*b*/, const void* /*c*/, const void* /*d*/, double /*s*/,
                    std::int64_t begin, std::int64_t end) {
  marker_calls().add("kernel");
  *static_cast<std::atomic<std::int64_t>*>(a) += end - begin;
  return 0.0;
}

// Status 0 where every thread of a team was in the kernel's region while it ran it, and the markers
// were opened and closed once.
[[noreturn]] void run_a_kernel_under_likwid_perfctr() {
  setenv("LIKWID_MODE", "0", 1);  // NOLINT(concurrency-mt-unsafe): before any thread starts
  const auto cpus = affinity_mask().value();
  const auto team = Team::assemble({PlacementKind::kCpus, static_cast<int>(cpus.size()), cpus});
  std::atomic<std::int64_t> elements{0};
  KernelCall call{&add_elements, &elements, nullptr, nullptr, nullptr, 0.0};
  call.region = "triad_plain";
  open_markers();
  const Timing timing = time_call(*team, call, partition(1000, 8, team->size()));
  close_markers();
  const std::vector<std::string> others{"thread", "start triad_plain", "kernel",
                                        "stop triad_plain"};
  std::vector<std::string> own = others;
  own.insert(own.begin(), "init");
  own.emplace_back("close");
  const auto& made = marker_calls().by_thread;
  const bool right =
      timing.seconds > 0.0 && made.size() == cpus.size() &&
      std::all_of(made.begin(), made.end(), [&](const auto& each) {
        return each.second == (each.first == std::this_thread::get_id() ? own : others);
      });
  std::_Exit(right ? 0 : 1);
}

TEST(MarkedTeamDeathTest, StartsAndStopsTheRegionOnEveryThread) {
  // In a process of its own: whether markers are wanted is settled once.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_a_kernel_under_likwid_perfctr(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace streamgage::engine

#endif
