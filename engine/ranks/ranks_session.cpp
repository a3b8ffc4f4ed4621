#include "ranks/ranks_session.hpp"

#include <algorithm>
#include <utility>

#include "kernels/catalogue.hpp"
#include "measure/blocks.hpp"
#include "measure/course.hpp"
#include "measure/record_writer.hpp"
#include "measure/setup.hpp"
#include "measure/stop_signal.hpp"
#include "records/clock_record.hpp"
#include "records/machine_record.hpp"
#include "streamgage/clock/clock.hpp"

namespace streamgage {
namespace {

class RanksSession {
 public:
  RanksSession(Crew& crew, const Machine& machine, Settled settled, RecordSink& sink)
      : crew_(crew), machine_(machine), settled_(std::move(settled)), records_(sink) {
    for (const Variant& variant : settled_.decision.choice.variants) {
      courses_.push_back({variant, 1, {}, {}, 0, {}});
    }
  }

  Outcome run() {
    const Instant start = now();
    const std::optional<Stop> stop = measure();
    spent_.blocks = so_far_.timed;
    Outcome outcome =
        close_run(records_.sink(),
                  {stop, so_far_.stopped_by, spent_, seconds_between(start, now())}, courses_);
    outcome.elements = settled_.decision.size.elements;
    outcome.threads = settled_.threads;
    return outcome;
  }

 private:
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
    const std::vector<Json> records{to_record(machine_),
                                    plan_record(settled_.plan, settled_.decision, settled_.threads),
                                    settled_.placement};
    if (auto stop = records_.write_all(records)) {
      return stop;
    }
    if (auto stop = touch("touch")) {
      return stop;
    }
    if (auto stop = records_.write(to_record(examine_clock()))) {
      return stop;
    }
    if (auto stop = records_.write_all(kernel_records(choice))) {
      return stop;
    }
    return records_.write_all(variant_records(choice));
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
    spent_.touch_seconds += epoch_touch_seconds_;
    return records_.write(record);
  }

  std::optional<Stop> measure_blocks() {
    if (const auto told = crew_.order({{"do", "watch"}, {"cpus", settled_.cpus_of_hosts}}); !told) {
      return Stop{0, told.error()};
    }
    load_taken_ = now();
    const BlockSteps steps{[this](Course& course) { return measure_sample(course); },
                           [this] { return look_at_load(); },
                           [this] {
                             ++epoch_;
                             return touch("renew");
                           },
                           [this] { return epoch_touch_seconds_; }};
    return streamgage::measure_blocks(settled_.plan.sampling, settled_.decision.seed, courses_,
                                      steps, so_far_);
  }

  std::optional<Stop> look_at_load() {
    return seconds_between(load_taken_, now()) >= kLeastDisturbanceSeconds ? take_load()
                                                                           : std::nullopt;
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
    const bool timed = take_sample(course, seconds);
    return write_sample(course.variant, timed ? Role::kTimed : Role::kWarmup, passes, joined);
  }

  // As that of one process: one more run of every variant, after which all of it is compared.
  std::optional<Stop> validate() {
    ++so_far_.block;
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
    const Check check = with_arrays(course.variant, join_checks(settled_.shares, checks), arrays);
    if (auto stop = write_sample(course.variant, Role::kValidation, 1,
                                 join_timings(crew_.members(), timings))) {
      return stop;
    }
    course.valid = check.wrong == 0 && course.spot_failures == 0;
    return records_.write(validation_record(course, check));
  }

  std::optional<Stop> take_load() {
    const auto told = crew_.order({{"do", "load"}, {"block", so_far_.block}});
    if (!told) {
      return Stop{0, told.error()};
    }
    load_taken_ = now();
    const double own = own_seconds_of_others(crew_.members(), *told);
    const auto seen = join_loads(crew_.members(), *told, own - std::exchange(others_seconds_, own));
    return seen ? records_.write(to_record(*seen)) : std::nullopt;
  }

  std::optional<Stop> write_sample(const Variant& variant, Role role, std::int64_t passes,
                                   const JoinedTiming& joined) {
    spent_.kernel_seconds += joined.timing.seconds;
    Json record = sample_record({variant.id, so_far_.block, epoch_, role, passes}, joined.timing);
    record["rank_seconds"] = joined.rank_seconds;
    return records_.write(record);
  }

  Crew& crew_;
  const Machine& machine_;
  Settled settled_;
  RecordWriter records_;
  std::vector<Course> courses_;
  BlocksSoFar so_far_;
  Instant load_taken_;
  int epoch_ = 0;
  Spent spent_;
  double epoch_touch_seconds_ = 0.0;  // of the last epoch
  double others_seconds_ = 0.0;       // CPU time of ranks, as last told
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
