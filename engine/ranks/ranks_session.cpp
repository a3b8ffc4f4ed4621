#include "ranks/ranks_session.hpp"

#include <algorithm>
#include <csignal>
#include <utility>

#include "clock/clock.hpp"
#include "kernels/catalogue.hpp"
#include "measure/block_order.hpp"
#include "measure/course.hpp"
#include "measure/stop_signal.hpp"
#include "measure/stopping_rule.hpp"

namespace streamgage {
namespace {

constexpr double kLeastDisturbanceSeconds = 1.0;
// Arrays are not allocated afresh more often than lets their touch be a small part of the time.
constexpr double kEpochOverTouch = 10.0;

// Ends the run early; thrown nowhere, returned everywhere.
struct Stop {
  int signal = 0;  // 0: an error
  std::optional<Error> error;
};

class RanksSession {
 public:
  RanksSession(Crew& crew, const Machine& machine, Settled settled, RecordSink& sink)
      : crew_(crew), machine_(machine), settled_(std::move(settled)), sink_(sink) {
    for (const Variant& variant : settled_.decision.choice.variants) {
      courses_.push_back({variant, 1, {}, {}, 0, {}});
    }
  }

  Outcome run() {
    const Instant start = now();
    const std::optional<Stop> stop = measure();
    Outcome outcome = ended(stop);
    const auto written =
        sink_.write({{"record", "end"},
                     {"reason", reason_of(stop)},
                     {"message", outcome.message ? Json(*outcome.message + ".") : Json(nullptr)},
                     {"exit_status", outcome.exit_status},
                     {"stopped_by", stopped_by_ ? Json(name_of(*stopped_by_)) : Json(nullptr)},
                     {"blocks", timed_blocks_},
                     {"seconds", seconds_between(start, now())},
                     {"touch_seconds", touch_seconds_},
                     {"tuning_seconds", 0.0},
                     {"kernel_seconds", kernel_seconds_}});
    if (!written && !outcome.message) {
      outcome.message = written.error().message;
      outcome.exit_status = static_cast<int>(written.error().status);
    }
    return outcome;
  }

 private:
  static const char* reason_of(const std::optional<Stop>& stop) {
    if (!stop) {
      return "complete";
    }
    if (stop->error) {
      return "error";
    }
    return stop->signal == SIGINT ? "interrupted" : "terminated";
  }

  [[nodiscard]] Outcome ended(const std::optional<Stop>& stop) const {
    Outcome outcome;
    outcome.elements = settled_.decision.size.elements;
    outcome.threads = settled_.threads;
    if (stop && stop->error) {
      outcome.message = stop->error->message;
      outcome.exit_status = static_cast<int>(stop->error->status);
    } else if (stop) {
      outcome.exit_status = 128 + stop->signal;
    } else if (std::any_of(courses_.begin(), courses_.end(),
                           [](const Course& course) { return course.valid == false; })) {
      outcome.message = "the results are wrong: a kernel's outcome differs from what it must be";
      outcome.exit_status = static_cast<int>(ExitStatus::kFailed);
    }
    for (const Course& course : courses_) {
      std::vector<double> seconds;
      for (const double sample : course.seconds) {
        seconds.push_back(sample / static_cast<double>(course.passes));
      }
      outcome.variants.push_back({course.variant, std::move(seconds), course.valid});
    }
    return outcome;
  }

  std::optional<Stop> measure() {
    if (auto stop = describe()) {
      return stop;
    }
    auto stop = measure_blocks();
    if (stop && stop->error) {
      return stop;
    }
    if (auto failed = take_load()) {
      return failed;
    }
    return stop ? stop : validate();
  }

  std::optional<Stop> describe() {
    const VariantChoice& choice = settled_.decision.choice;
    std::vector<Json> records{to_record(machine_),
                              plan_record(settled_.plan, settled_.decision, settled_.threads),
                              settled_.placement};
    if (auto stop = write_all(records)) {
      return stop;
    }
    if (auto stop = touch("touch")) {
      return stop;
    }
    records = {to_record(examine_clock())};
    const Kernel* last = nullptr;
    for (const Variant& variant : choice.variants) {
      if (variant.kernel != last) {
        last = variant.kernel;
        records.push_back(to_record(*last));
      }
    }
    for (const Variant& variant : choice.variants) {
      records.push_back(to_record(variant));
    }
    for (const AbsentVariant& absent : choice.absent) {
      records.push_back(to_record(absent));
    }
    return write_all(records);
  }

  // The first touch of the arrays, or of others in their place.
  std::optional<Stop> touch(const char* order) {
    const auto told = crew_.order({{"do", order}}, settled_.patience_for_all);
    if (!told) {
      return Stop{0, told.error()};
    }
    const Json record = join_memories(*told, settled_.shares, settled_.decision.size,
                                      settled_.decision.size_request, epoch_);
    epoch_touch_seconds_ = record.at("touch_seconds").get<double>();
    touch_seconds_ += epoch_touch_seconds_;
    return write(record);
  }

  std::optional<Stop> measure_blocks() {
    if (const auto told = crew_.order({{"do", "watch"}, {"cpus", settled_.cpus_of_hosts}}); !told) {
      return Stop{0, told.error()};
    }
    BlockOrder order(settled_.decision.seed, courses_.size());
    const Sampling& sampling = settled_.plan.sampling;
    const Instant start = now();
    load_taken_ = start;
    Instant epoch_start = start;
    std::size_t samples_before = 0;
    for (block_ = 0; !stopped_by_; ++block_) {
      if (sampling.epoch_blocks &&
          fewest_samples() >= samples_before + static_cast<std::size_t>(*sampling.epoch_blocks) &&
          seconds_between(epoch_start, now()) >= kEpochOverTouch * epoch_touch_seconds_) {
        ++epoch_;
        if (auto stop = touch("renew")) {
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
      if (seconds_between(load_taken_, now()) >= kLeastDisturbanceSeconds) {
        if (auto stop = take_load()) {
          return stop;
        }
      }
      const Progress progress{fewest_samples(), seconds_between(start, now()),
                              seconds_between(block_start, now())};
      timed_blocks_ = static_cast<int>(progress.fewest_samples);
      stopped_by_ = stop_after_block(sampling, progress, [this] {
        return std::all_of(courses_.begin(), courses_.end(),
                           [](const Course& course) { return has_converged(course.seconds); });
      });
    }
    --block_;  // the last that was measured
    return std::nullopt;
  }

  std::optional<Stop> measure_sample(Course& course) {
    if (const int signal = stop_signal(); signal != 0) {
      return Stop{signal, {}};
    }
    const std::int64_t passes = course.passes;
    const auto told =
        crew_.order({{"do", "run"}, {"variant", course.variant.id}, {"passes", passes}});
    if (!told) {
      return Stop{0, told.error()};
    }
    const JoinedTiming joined = join_timings(crew_.members(), *told);
    const double seconds = joined.timing.seconds;
    course.spot_failures +=
        std::all_of(told->begin(), told->end(),
                    [](const Json& one) { return one.at("spot_check_passed").get<bool>(); })
            ? 0
            : 1;
    bool timed = !course.seconds.empty();
    if (const auto more = timed ? std::nullopt : more_passes(passes, seconds)) {
      course.passes = *more;
      course.warmups.clear();
    } else {
      timed = timed || is_warm(course.warmups, seconds);
      (timed ? course.seconds : course.warmups).push_back(seconds);
    }
    return write_sample(course.variant, timed ? Role::kTimed : Role::kWarmup, passes, joined);
  }

  // As that of one process: one more run of every variant, after which all of it is compared.
  std::optional<Stop> validate() {
    ++block_;
    std::vector<Check> arrays(1);
    for (int number = 1; number < settled_.decision.size_request.arrays; ++number) {
      const auto told =
          crew_.order({{"do", "check_array"}, {"number", number}}, settled_.patience_for_all);
      if (!told) {
        return Stop{0, told.error()};
      }
      arrays.push_back(join_checks(settled_.shares, *told));
    }
    for (Course& course : courses_) {
      if (const int signal = stop_signal(); signal != 0) {
        return Stop{signal, {}};
      }
      if (auto stop = validate(course, arrays)) {
        return stop;
      }
    }
    return std::nullopt;
  }

  std::optional<Stop> validate(Course& course, const std::vector<Check>& arrays) {
    const auto told =
        crew_.order({{"do", "check"}, {"variant", course.variant.id}}, settled_.patience_for_all);
    if (!told) {
      return Stop{0, told.error()};
    }
    std::vector<Json> timings;
    std::vector<Json> checks;
    for (const Json& one : *told) {
      timings.push_back(one.at("timing"));
      checks.push_back(one.at("check"));
    }
    Check check = join_checks(settled_.shares, checks);
    for (std::size_t number = 1; number < arrays.size() && check.wrong == 0; ++number) {
      if (uses_array(*course.variant.kernel, static_cast<int>(number))) {
        check = arrays[number].wrong != 0 ? arrays[number] : check;
      }
    }
    if (auto stop = write_sample(course.variant, Role::kValidation, 1,
                                 join_timings(crew_.members(), timings))) {
      return stop;
    }
    course.valid = check.wrong == 0 && course.spot_failures == 0;
    return write(validation_record(course, check));
  }

  std::optional<Stop> take_load() {
    const auto told = crew_.order({{"do", "load"}, {"block", block_}});
    if (!told) {
      return Stop{0, told.error()};
    }
    load_taken_ = now();
    const double own = own_seconds_of_others(crew_.members(), *told);
    const auto seen = join_loads(crew_.members(), *told, own - std::exchange(others_seconds_, own));
    return seen ? write(to_record(*seen)) : std::nullopt;
  }

  std::optional<Stop> write_sample(const Variant& variant, Role role, std::int64_t passes,
                                   const JoinedTiming& joined) {
    kernel_seconds_ += joined.timing.seconds;
    Json record = sample_record({variant.id, block_, epoch_, role, passes}, joined.timing);
    record["rank_seconds"] = joined.rank_seconds;
    return write(record);
  }

  std::optional<Stop> write_all(const std::vector<Json>& records) {
    for (const Json& record : records) {
      if (auto stop = write(record)) {
        return stop;
      }
    }
    return std::nullopt;
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

  Crew& crew_;
  const Machine& machine_;
  Settled settled_;
  RecordSink& sink_;
  std::vector<Course> courses_;
  std::optional<StoppedBy> stopped_by_;
  Instant load_taken_;
  int block_ = 0;
  int epoch_ = 0;
  int timed_blocks_ = 0;
  double touch_seconds_ = 0.0;        // of all epochs
  double epoch_touch_seconds_ = 0.0;  // of the last one
  double kernel_seconds_ = 0.0;
  double others_seconds_ = 0.0;  // CPU time of ranks, as last told
};

}  // namespace

Result<Outcome> run_ranks_session(Crew& crew, const Machine& machine, const RanksRequest& request,
                                  RecordSink& sink) {
  auto settled = settle(crew, request);
  if (!settled) {
    return tl::unexpected<Error>(settled.error());
  }
  if (settled->locked.signal != 0) {
    Outcome stopped;
    stopped.exit_status = 128 + settled->locked.signal;
    return stopped;
  }
  return RanksSession(crew, machine, std::move(*settled), sink).run();
}

}  // namespace streamgage
