#include "measure/session.hpp"

#include <algorithm>
#include <utility>

#include "clock/clock.hpp"
#include "counters/likwid/marked_region.hpp"
#include "latency/latency.hpp"
#include "measure/block_order.hpp"
#include "measure/course.hpp"
#include "measure/ending.hpp"
#include "measure/outside_load.hpp"
#include "measure/setup.hpp"
#include "measure/stop_signal.hpp"
#include "measure/stopping_rule.hpp"
#include "measure/team.hpp"
#include "measure/thread_series.hpp"
#include "measure/traffic/counting.hpp"
#include "measure/tuning/choose_shapes.hpp"
#include "measure/workload.hpp"

namespace streamgage {
namespace {

constexpr double kLeastDisturbanceSeconds = 1.0;
// Arrays are not allocated afresh more often than lets their touch be a small part of the time.
constexpr double kEpochOverTouch = 10.0;
constexpr int kSeriesRounds = 11;

class Session {
 public:
  Session(const Machine& machine, const Plan& plan, Decision decision, Team team, Workload workload,
          std::optional<CountersFound> counters, RecordSink& sink)
      : machine_(machine),
        plan_(plan),
        decision_(std::move(decision)),
        team_(std::move(team)),
        workload_(std::move(workload)),
        counting_(std::move(counters)),
        sink_(sink) {}

  Outcome run() {
    const Instant start = now();
    const std::optional<Stop> stop = measure();
    const bool invalid = std::any_of(courses_.begin(), courses_.end(),
                                     [](const Course& course) { return course.valid == false; });
    const Ending ending = ending_of(stop, invalid);
    const auto written =
        sink_.write(end_record(ending, stopped_by_, spent_, seconds_between(start, now())));
    Outcome outcome;
    outcome.exit_status = ending.exit_status;
    outcome.message = ending.message;
    outcome.elements = decision_.size.elements;
    outcome.threads = team_.size();
    if (!written && !outcome.message) {
      outcome.message = written.error().message;
      outcome.exit_status = static_cast<int>(written.error().status);
    }
    for (Course& course : courses_) {
      for (double& seconds : course.seconds) {
        seconds /= static_cast<double>(course.passes);
      }
      outcome.variants.push_back(
          {std::move(course.variant), std::move(course.seconds), course.valid});
    }
    return outcome;
  }

 private:
  std::optional<Stop> measure() {
    if (auto stop = describe()) {
      return stop;
    }
    if (auto stop = choose_variants_and_shapes()) {
      return stop;
    }
    if (auto stop = look_for_traffic()) {
      return stop;
    }
    auto stop = measure_blocks();
    if (const auto disturbance = load_->since_last(block_, 0.0);
        disturbance && !stop_is_error(stop)) {
      if (auto failed = write(to_record(*disturbance))) {
        return failed;
      }
    }
    if (!stop && plan_.checks) {
      stop = measure_series();
    }
    return stop ? stop : validate();
  }

  static bool stop_is_error(const std::optional<Stop>& stop) { return stop && stop->error; }

  // Everything that is known before the first sample; the arrays are touched on the way.
  std::optional<Stop> describe() {
    std::vector<Json> records{to_record(machine_), plan_record(plan_, decision_, team_.size()),
                              placement_record(machine_, decision_.placement, team_)};
    if (auto stop = write_all(records)) {
      return stop;
    }
    if (auto stop = measure_idle_latency()) {
      return stop;
    }
    records = {touch_arrays()};
    records.push_back(to_record(examine_clock()));
    const Kernel* last = nullptr;
    for (const Variant& variant : decision_.choice.variants) {
      if (variant.kernel != last) {
        last = variant.kernel;
        records.push_back(to_record(*last));
      }
    }
    return write_all(records);
  }

  // Before the arrays are touched, so that the memory for it need not be there beside theirs. Where
  // it cannot be had, the checks do without; a plan that asks for it by name has failed.
  std::optional<Stop> measure_idle_latency() {
    if (!plan_.checks && !plan_.idle_latency) {
      return std::nullopt;
    }
    const auto request = latency_request(machine_, team_.cpus().front(), decision_.memory_nodes);
    const auto latency =
        request ? measure_latency(*request) : tl::unexpected<Error>(request.error());
    if (latency) {
      return write(to_record(*latency));
    }
    return plan_.idle_latency ? std::optional(Stop{0, latency.error()}) : std::nullopt;
  }

  // The first touch; the record of where the pages are.
  Json touch_arrays() {
    const Touch touch = workload_.touch(team_);
    epoch_touch_seconds_ = touch.seconds;
    spent_.touch_seconds += touch.seconds;
    return memory_record(machine_, decision_, workload_, touch, epoch_);
  }

  std::optional<Stop> choose_variants_and_shapes() {
    const Instant start = now();
    std::optional<Stop> failed;
    const bool chosen = choose_shapes(
        plan_, team_, workload_, decision_, [] { return stop_signal() != 0; },
        [&](const Tuning& tuning) { return !(failed = write(to_record(tuning))).has_value(); });
    spent_.tuning_seconds = seconds_between(start, now());
    if (!chosen) {
      return failed ? failed : Stop{stop_signal(), {}};
    }
    std::vector<Json> records;
    for (const Variant& variant : decision_.choice.variants) {
      records.push_back(to_record(variant));
      courses_.push_back({variant, 1, {}, {}, 0, {}});
    }
    for (const AbsentVariant& absent : decision_.choice.absent) {
      records.push_back(to_record(absent));
    }
    return write_all(records);
  }

  std::optional<Stop> look_for_traffic() {
    if (auto stop = write_unless_null(counting_.survey_record())) {
      return stop;
    }
    return write_unless_null(counting_.calibrate(plan_, decision_, team_, workload_));
  }

  std::optional<Stop> measure_blocks() {
    BlockOrder order(decision_.seed, courses_.size());
    load_.emplace(cpus_in_use(machine_, decision_.placement), FileRoots{});
    const Instant start = now();
    Instant epoch_start = start;
    std::size_t samples_before = 0;
    for (block_ = 0; !stopped_by_; ++block_) {
      if (plan_.sampling.epoch_blocks &&
          fewest_samples() >=
              samples_before + static_cast<std::size_t>(*plan_.sampling.epoch_blocks) &&
          seconds_between(epoch_start, now()) >= kEpochOverTouch * epoch_touch_seconds_) {
        if (auto stop = renew_arrays()) {
          return stop;
        }
        samples_before = fewest_samples();
        epoch_start = now();
      }
      const Instant block_start = now();
      for (const std::size_t index : order.next()) {
        if (auto stop = measure_sample(courses_[index])) {
          return stop;
        }
      }
      if (const auto disturbance = load_->since_last(block_, kLeastDisturbanceSeconds)) {
        if (auto stop = write(to_record(*disturbance))) {
          return stop;
        }
      }
      const Progress progress{fewest_samples(), seconds_between(start, now()),
                              seconds_between(block_start, now())};
      spent_.blocks = static_cast<int>(progress.fewest_samples);
      stopped_by_ = stop_after_block(plan_.sampling, progress, [this] {
        return std::all_of(courses_.begin(), courses_.end(),
                           [](const Course& course) { return has_converged(course.seconds); });
      });
    }
    --block_;  // the last that was measured
    return std::nullopt;
  }

  std::optional<Stop> renew_arrays() {
    ++epoch_;
    if (const auto renewed = workload_.renew(); !renewed) {
      return Stop{0, renewed.error()};
    }
    return write(touch_arrays());
  }

  // Load and triad with few threads and with all, interleaved as in the blocks.
  std::optional<Stop> measure_series() {
    const ThreadSeries series = thread_series(decision_.choice.variants, workload_, team_.size());
    std::vector<Json> records;
    for (const Variant& variant : series.variants) {
      records.push_back(to_record(variant));
    }
    if (auto stop = write_all(records)) {
      return stop;
    }
    BlockOrder order(decision_.seed, series.variants.size());
    std::int64_t run = 0;
    for (int round = 0; round < kSeriesRounds && !series.variants.empty(); ++round) {
      ++block_;
      for (const std::size_t index : order.next()) {
        if (const int signal = stop_signal(); signal != 0) {
          return Stop{signal, {}};
        }
        const Variant& variant = series.variants[index];
        const Timing timing =
            workload_.run_window(team_, variant, run++ % series.windows, series.windows);
        if (auto stop =
                write_sample(variant, round == 0 ? Role::kWarmup : Role::kTimed, 1, timing)) {
          return stop;
        }
      }
    }
    workload_.restore(team_);
    return std::nullopt;
  }

  std::optional<Stop> measure_sample(Course& course) {
    if (const int signal = stop_signal(); signal != 0) {
      return Stop{signal, {}};
    }
    const RunOutcome outcome = counting_.run(team_, workload_, course.variant, course.passes);
    const double seconds = outcome.timing.seconds;
    const std::int64_t passes = course.passes;
    course.spot_failures += outcome.spot_check_passed ? 0 : 1;
    bool timed = !course.seconds.empty();
    if (const auto more = timed ? std::nullopt : more_passes(passes, seconds)) {
      course.passes = *more;
      course.warmups.clear();
    } else {
      timed = timed || is_warm(course.warmups, seconds);
      (timed ? course.seconds : course.warmups).push_back(seconds);
    }
    auto stop =
        write_sample(course.variant, timed ? Role::kTimed : Role::kWarmup, passes, outcome.timing);
    return stop || !timed ? stop
                          : write_unless_null(counting_.take(course.variant, block_, passes));
  }

  // One more run of every variant, after which all of its elements are compared. Before that, the
  // arrays that no kernel may write: one that has changed fails every variant that reads it.
  std::optional<Stop> validate() {
    ++block_;
    std::vector<Check> arrays(1);
    for (int number = 1; number < workload_.arrays(); ++number) {
      arrays.push_back(workload_.check_array(team_, number));
    }
    for (Course& course : courses_) {
      if (const int signal = stop_signal(); signal != 0) {
        return Stop{signal, {}};
      }
      Timing timing;
      Check check = workload_.run_and_check(team_, course.variant, timing);
      for (std::size_t number = 1; number < arrays.size() && check.wrong == 0; ++number) {
        if (uses_array(*course.variant.kernel, static_cast<int>(number))) {
          check = arrays[number].wrong != 0 ? arrays[number] : check;
        }
      }
      if (auto stop = write_sample(course.variant, Role::kValidation, 1, timing)) {
        return stop;
      }
      course.valid = check.wrong == 0 && course.spot_failures == 0;
      if (auto stop = write(validation_record(course, check))) {
        return stop;
      }
    }
    return std::nullopt;
  }

  std::optional<Stop> write_sample(const Variant& variant, Role role, std::int64_t passes,
                                   const Timing& timing) {
    spent_.kernel_seconds += timing.seconds;
    return write(sample_record({variant.id, block_, epoch_, role, passes}, timing));
  }

  std::optional<Stop> write_all(const std::vector<Json>& records) {
    for (const Json& record : records) {
      if (auto stop = write(record)) {
        return stop;
      }
    }
    return std::nullopt;
  }

  std::optional<Stop> write_unless_null(const Json& record) {
    return record.is_null() ? std::nullopt : write(record);
  }

  std::optional<Stop> write(const Json& record) {
    if (const auto written = sink_.write(record); !written) {
      return Stop{0, written.error()};
    }
    return std::nullopt;
  }

  [[nodiscard]] std::size_t fewest_samples() const {
    return std::min_element(courses_.begin(), courses_.end(),
                            [](const Course& one, const Course& other) {
                              return one.seconds.size() < other.seconds.size();
                            })
        ->seconds.size();
  }

  const Machine& machine_;
  const Plan& plan_;
  Decision decision_;
  Team team_;
  Workload workload_;
  Counting counting_;
  RecordSink& sink_;
  std::optional<OutsideLoad> load_;
  std::vector<Course> courses_;
  std::optional<StoppedBy> stopped_by_;
  int block_ = 0;
  int epoch_ = 0;
  Spent spent_;
  double epoch_touch_seconds_ = 0.0;  // of the last epoch
};

}  // namespace

Result<Outcome> run_session(const Machine& machine, const Plan& plan, RecordSink& sink,
                            std::optional<CountersFound> counters) {
  auto decision = decide(machine, plan);
  if (!decision) {
    return tl::unexpected<Error>(decision.error());
  }
  auto team = Team::assemble(decision->placement);
  if (!team) {
    return tl::unexpected<Error>(team.error());
  }
  take_size_of_team(machine, team->size(), *decision);
  auto workload = Workload::reserve(decision->size, plan.type, decision->size_request.arrays,
                                    team->size(), plan.huge_pages, decision->memory_nodes);
  if (!workload) {
    return tl::unexpected<Error>(workload.error());
  }
  open_markers();
  auto outcome = Session(machine, plan, std::move(*decision), std::move(*team),
                         std::move(*workload), std::move(counters), sink)
                     .run();
  close_markers();
  return outcome;
}

}  // namespace streamgage
