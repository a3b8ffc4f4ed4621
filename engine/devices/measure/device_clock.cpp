#include "devices/measure/device_clock.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "contract/device.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/statistics/summary.hpp"

namespace streamgage::engine {
namespace {

constexpr int kLaunchesTried = 21;
constexpr std::int64_t kLaunchesTimed = 3;
// The device's stamps are believed where they and the host's clock agree to that share of the time,
// or to what two launches take.
constexpr double kAgreement = 0.05;
constexpr double kLaunchesOfDoubt = 2.0;

}  // namespace

Json to_record(const DeviceClock& clock) {
  using record::DeviceClockTimedBy;
  return to_json(record::DeviceClock{
      .timed_by = clock.by_events ? DeviceClockTimedBy::kEvents : DeviceClockTimedBy::kHost,
      .tick_seconds = clock.tick_seconds,
      .launch_seconds = clock.launch_seconds,
      .event_seconds = clock.event_seconds,
      .host_seconds = clock.host_seconds});
}

tl::expected<DeviceClock, Stop> try_clock(const DeviceFacts& facts, const ClockTrial& trial,
                                          const std::function<Step()>& go_on) {
  std::vector<double> launches;
  for (int turn = 0; turn < kLaunchesTried; ++turn) {
    STREAMGAGE_TRY(go_on());
    STREAMGAGE_TRY(const LaunchTimes times, trial.nothing());
    launches.push_back(times.host_seconds);
  }
  DeviceClock clock;
  clock.tick_seconds = facts.tick_seconds;
  clock.launch_seconds = median(std::move(launches));
  LaunchTimes tried;
  for (const std::int64_t times : {std::int64_t{1}, kLaunchesTimed}) {  // the first also warms up
    STREAMGAGE_TRY(tried, trial.kernel(times));
  }
  clock.event_seconds = tried.event_seconds;
  clock.host_seconds = tried.host_seconds;
  const double doubt =
      std::max(kAgreement * tried.host_seconds,
               kLaunchesOfDoubt * clock.launch_seconds * static_cast<double>(kLaunchesTimed));
  clock.by_events = tried.event_seconds && *tried.event_seconds > 0.0 &&
                    std::abs(*tried.event_seconds - tried.host_seconds) <= doubt;
  return clock;
}

}  // namespace streamgage::engine
