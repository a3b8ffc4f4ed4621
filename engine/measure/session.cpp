#include "measure/session.hpp"

#include <algorithm>
#include <csignal>
#include <numeric>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "clock/clock.hpp"
#include "measure/outside_load.hpp"
#include "measure/setup.hpp"
#include "measure/stop_signal.hpp"
#include "measure/stopping_rule.hpp"
#include "measure/team.hpp"
#include "measure/workload.hpp"

namespace streamgage {
namespace {

constexpr double kLeastDisturbanceSeconds = 1.0;

enum class Role { kWarmup, kTimed, kValidation };

const char* name_of(Role role) {
  switch (role) {
    case Role::kWarmup:
      return "warmup";
    case Role::kTimed:
      return "timed";
    case Role::kValidation:
      break;
  }
  return "validation";
}

const char* name_of(StoppedBy reason) {
  switch (reason) {
    case StoppedBy::kConverged:
      return "converged";
    case StoppedBy::kMaxSamples:
      return "max-samples";
    case StoppedBy::kBudget:
      break;
  }
  return "budget";
}

// Fisher and Yates, spelled out because std::shuffle differs between libraries: a recorded seed
// must give the same order everywhere.
void shuffle(std::vector<std::size_t>& items, std::mt19937_64& random) {
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random() % left]);
  }
}

// What is known of a variant while it is measured.
struct Course {
  Variant variant;
  std::vector<double> warmups;
  std::vector<double> seconds;
  std::int64_t spot_failures = 0;
  std::optional<bool> valid;
};

// Ends the run early; thrown nowhere, returned everywhere.
struct Stop {
  int signal = 0;  // 0: an error
  std::optional<Error> error;
};

class Session {
 public:
  Session(const Machine& machine, const Plan& plan, Decision decision, RecordSink& sink)
      : machine_(machine),
        plan_(plan),
        decision_(std::move(decision)),
        sink_(sink),
        random_(decision_.seed) {
    for (const Variant& variant : decision_.choice.variants) {
      courses_.push_back({variant, {}, {}, 0, {}});
    }
  }

  Outcome run() {
    const Instant start = now();
    const std::optional<Stop> stop = measure();
    Outcome outcome;
    outcome.elements = decision_.size.elements;
    outcome.threads = threads_;
    const bool invalid = std::any_of(courses_.begin(), courses_.end(),
                                     [](const Course& course) { return course.valid == false; });
    const char* reason = "complete";
    if (stop && stop->error) {
      reason = "error";
      outcome.message = stop->error->message;
      outcome.exit_status = static_cast<int>(stop->error->status);
    } else if (stop) {
      reason = stop->signal == SIGINT ? "interrupted" : "terminated";
      outcome.exit_status = 128 + stop->signal;
    } else if (invalid) {
      outcome.message = "the results are wrong: a kernel's outcome differs from what it must be";
      outcome.exit_status = static_cast<int>(ExitStatus::kFailed);
    }
    const auto written =
        sink_.write({{"record", "end"},
                     {"reason", reason},
                     {"message", outcome.message ? Json(*outcome.message + ".") : Json(nullptr)},
                     {"exit_status", outcome.exit_status},
                     {"stopped_by", stopped_by_ ? Json(name_of(*stopped_by_)) : Json(nullptr)},
                     {"blocks", timed_blocks_},
                     {"seconds", seconds_between(start, now())},
                     {"touch_seconds", touch_seconds_},
                     {"kernel_seconds", kernel_seconds_}});
    if (!written && !outcome.message) {
      outcome.message = written.error().message;
      outcome.exit_status = static_cast<int>(written.error().status);
    }
    for (Course& course : courses_) {
      outcome.variants.push_back(
          {std::move(course.variant), std::move(course.seconds), course.valid});
    }
    return outcome;
  }

 private:
  std::optional<Stop> measure() {
    auto team = Team::assemble(decision_.placement);
    if (!team) {
      return Stop{0, team.error()};
    }
    threads_ = team->size();
    auto workload = Workload::reserve(decision_.size, plan_.type, decision_.size_request.arrays,
                                      threads_, plan_.huge_pages);
    if (!workload) {
      return Stop{0, workload.error()};
    }
    if (auto stop = describe(*team, *workload)) {
      return stop;
    }
    OutsideLoad load(cpus_in_use(machine_, decision_.placement), {});
    if (auto stop = measure_blocks(*team, *workload, load)) {
      return stop;
    }
    return validate(*team, *workload);
  }

  // Everything that is known before the first sample; the arrays are touched on the way.
  std::optional<Stop> describe(const Team& team, Workload& workload) {
    std::vector<Json> records{to_record(machine_), plan_record(plan_, decision_, threads_),
                              placement_record(machine_, decision_.placement, team)};
    for (const Json& record : records) {
      if (auto stop = write(record)) {
        return stop;
      }
    }
    touch_seconds_ = workload.touch(team);
    records = {memory_record(machine_, decision_, team, workload, touch_seconds_),
               to_record(examine_clock())};
    const Kernel* last = nullptr;
    for (const Course& course : courses_) {
      if (course.variant.kernel != last) {
        last = course.variant.kernel;
        records.push_back(to_record(*last));
      }
      records.push_back(to_record(course.variant));
    }
    for (const AbsentVariant& absent : decision_.choice.absent) {
      records.push_back(to_record(absent));
    }
    for (const Json& record : records) {
      if (auto stop = write(record)) {
        return stop;
      }
    }
    return std::nullopt;
  }

  std::optional<Stop> measure_blocks(const Team& team, Workload& workload, OutsideLoad& load) {
    const Instant start = now();
    for (block_ = 0; !stopped_by_; ++block_) {
      const Instant block_start = now();
      for (const std::size_t index : random_order()) {
        if (auto stop = measure_sample(team, workload, courses_[index])) {
          return stop;
        }
      }
      if (const auto disturbance = load.since_last(block_, kLeastDisturbanceSeconds)) {
        if (auto stop = write(to_record(*disturbance))) {
          return stop;
        }
      }
      const Progress progress{fewest_samples(), seconds_between(start, now()),
                              seconds_between(block_start, now())};
      timed_blocks_ = static_cast<int>(progress.fewest_samples);
      stopped_by_ = stop_after_block(plan_.sampling, progress, [this] {
        return std::all_of(courses_.begin(), courses_.end(),
                           [](const Course& course) { return has_converged(course.seconds); });
      });
    }
    if (const auto disturbance = load.since_last(block_ - 1, 0.0)) {
      return write(to_record(*disturbance));
    }
    return std::nullopt;
  }

  std::optional<Stop> measure_sample(const Team& team, Workload& workload, Course& course) {
    if (const int signal = stop_signal(); signal != 0) {
      return Stop{signal, {}};
    }
    const RunOutcome outcome = workload.run(team, course.variant);
    const double seconds = outcome.timing.seconds;
    course.spot_failures += outcome.spot_check_passed ? 0 : 1;
    const bool timed = !course.seconds.empty() || is_warm(course.warmups, seconds);
    (timed ? course.seconds : course.warmups).push_back(seconds);
    return write_sample(course.variant, timed ? Role::kTimed : Role::kWarmup, outcome.timing);
  }

  // One more run of every variant, after which all of its elements are compared; at the end, the
  // arrays that no kernel may write.
  std::optional<Stop> validate(const Team& team, Workload& workload) {
    for (Course& course : courses_) {
      if (const int signal = stop_signal(); signal != 0) {
        return Stop{signal, {}};
      }
      Timing timing;
      const Check check = workload.run_and_check(team, course.variant, timing);
      if (auto stop = write_sample(course.variant, Role::kValidation, timing)) {
        return stop;
      }
      course.valid = check.wrong == 0 && course.spot_failures == 0;
      if (auto stop = write(validation_record(course, check))) {
        return stop;
      }
    }
    for (int operand = 1; operand < workload.arrays(); ++operand) {
      const Check check = workload.check_array(team, operand);
      if (check.wrong != 0) {
        return Stop{
            0, Error{fmt::format("element {} of array {}, which no kernel may write, has changed "
                                 "from {} to {}; look for faulty memory",
                                 *check.first_wrong, static_cast<char>('a' + operand),
                                 check.expected, check.found),
                     ExitStatus::kFailed}};
      }
    }
    return std::nullopt;
  }

  std::optional<Stop> write_sample(const Variant& variant, Role role, const Timing& timing) {
    kernel_seconds_ += timing.seconds;
    return write(
        {{"record", "sample"},
         {"variant", variant.id},
         {"block", block_},
         {"role", name_of(role)},
         {"seconds", timing.seconds},
         {"cpus", timing.cpus_start},
         {"cpus_end", timing.cpus_end == timing.cpus_start ? Json(nullptr) : Json(timing.cpus_end)},
         {"moved", timing.moved},
         {"switches", timing.switches}});
  }

  static Json validation_record(const Course& course, const Check& check) {
    const bool wrong = check.wrong != 0;
    return {{"record", "validation"},
            {"variant", course.variant.id},
            {"valid", *course.valid},
            {"checked", check.checked},
            {"wrong", check.wrong},
            {"first_wrong", check.first_wrong ? Json(*check.first_wrong) : Json(nullptr)},
            {"expected", wrong ? Json(check.expected) : Json(nullptr)},
            {"found", wrong ? Json(fmt::format("{}", check.found)) : Json(nullptr)},
            {"spot_failures", course.spot_failures}};
  }

  std::optional<Stop> write(const Json& record) {
    if (const auto written = sink_.write(record); !written) {
      return Stop{0, written.error()};
    }
    return std::nullopt;
  }

  std::vector<std::size_t> random_order() {
    std::vector<std::size_t> order(courses_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    shuffle(order, random_);
    return order;
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
  RecordSink& sink_;
  std::mt19937_64 random_;
  std::vector<Course> courses_;
  std::optional<StoppedBy> stopped_by_;
  int threads_ = 0;
  int block_ = 0;
  int timed_blocks_ = 0;
  double touch_seconds_ = 0.0;
  double kernel_seconds_ = 0.0;
};

}  // namespace

Result<Outcome> run_session(const Machine& machine, const Plan& plan, RecordSink& sink) {
  auto decision = decide(machine, plan);
  if (!decision) {
    return tl::unexpected<Error>(decision.error());
  }
  return Session(machine, plan, std::move(*decision), sink).run();
}

}  // namespace streamgage
