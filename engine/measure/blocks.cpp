#include "measure/blocks.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "measure/block_order.hpp"
#include "measure/workload.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

// Arrays are not allocated again more often than lets their touch be a small part of the time.
constexpr double kEpochOverTouch = 10.0;
// Six allocations give an interval over them. On a slow machine, whose budget has room for few
// blocks, they are allocated again after as many blocks as make twice that number in the budget:
// a block may take longer than is left of its share.
constexpr double kEpochsOfBudget = 12.0;
// ... and then a touch may take a third of the time; half of it until the first tier has as many
// allocations as it needs. The very first touch says little of the next ones: a guest may have had
// to get its pages from the host. What was given back a moment ago is filled about as fast as a
// block.
constexpr double kShortestOverTouch = 2.0;
constexpr double kShortestOverFirstTouches = 1.0;
constexpr int kFewestEpochs = 3;
// Once it has samples enough, a tier that does not settle takes no more than that share of the
// time.
constexpr double kShareOfTier = 0.4;
// Where other programs disturb most of its samples, a tier may never have enough, and leaves the
// others the rest of the time after that share.
constexpr double kShareOfDisturbedTier = 0.6;
// Of the blocks of a later tier every so many repeat the earlier tiers.
constexpr int kRepeatEvery = 2;
// Samples that give an interval of a median, and warm-ups: a variant is begun where there is time
// for so many.
constexpr double kFewestBlocks = 6.0 + 2.0;
// The check of a variant refills its array, runs once and compares every element.
constexpr double kCheckOverPass = 3.0;

// Arrays that a pass of the kernel moves, the lines that stores read included.
double arrays_moved(const Course& course) {
  return arrays_used(*course.variant.kernel) + (course.variant.kernel->write_allocates() ? 1 : 0);
}

class Blocks {
 public:
  Blocks(const BlockRequest& request, std::vector<Course>& courses, const BlockSteps& steps,
         BlocksSoFar& so_far)
      : request_(request),
        sampling_(request.sampling),
        courses_(courses),
        steps_(steps),
        so_far_(so_far),
        order_(request.seed),
        start_(has_tiers() ? request.start : steps.clock()),
        epoch_start_(steps.clock()) {}

  Step run() {
    so_far_ = {};
    for (tier_ = 0; tier_ < request_.tiers; ++tier_) {
      STREAMGAGE_TRY(measure_tier());
    }
    if (has_tiers() && !is_over_) {
      STREAMGAGE_TRY(measure_rest());
    }
    so_far_.stopped_by = why_stopped();
    return {};
  }

 private:
  enum class Verdict { kGoOn, kSettled, kMostSamples, kTimeIsUp, kShareIsUp };

  [[nodiscard]] bool has_tiers() const { return request_.tiers > 1; }

  Step measure_tier() {
    if (steps_.before_tier && has_tiers() && !is_over_) {
      STREAMGAGE_TRY(steps_.before_tier(tier_, time_left()));
    }
    const std::vector<std::size_t> members = take_members();
    if (members.empty()) {
      return {};
    }
    if (has_tiers() && steps_.lacks_arrays && steps_.lacks_arrays(tier_)) {
      STREAMGAGE_TRY(renew_arrays());
    }
    const bool is_last = tier_ + 1 >= request_.tiers;
    const double share =
        is_last ? std::numeric_limits<double>::infinity() : kShareOfTier * time_left();
    STREAMGAGE_TRY(measure(members, share));
    return steps_.after_tier && has_tiers() ? steps_.after_tier(tier_) : Step{};
  }

  // What time is left goes to all that is measured.
  Step measure_rest() {
    tier_ = request_.tiers - 1;
    std::vector<std::size_t> members;
    for (std::size_t number = 0; number < courses_.size(); ++number) {
      if (is_measured(courses_[number])) {
        members.push_back(number);
      }
    }
    seconds_of_block_ = {};
    is_rest_ = true;
    double block_seconds = 0.0;
    for (const std::size_t number : members) {
      block_seconds += seconds_of(courses_[number]);
    }
    const auto most = static_cast<std::size_t>(sampling_.max_samples);
    if (members.empty() || time_left() < block_seconds ||
        fewest_samples(courses_, members) >= most || all_have_converged(courses_, members)) {
      return {};
    }
    return measure(members, std::numeric_limits<double>::infinity());
  }

  // Blocks of these variants until they are settled, or `share` of the time or all of it is used.
  Step measure(const std::vector<std::size_t>& members, double share) {
    const Instant entered = steps_.clock();
    samples_before_epoch_ = fewest_samples(courses_, members);
    std::vector<std::size_t> with_earlier = members;
    for (std::size_t number = 0; number < courses_.size() && !is_rest_; ++number) {
      if (courses_[number].place.tier < tier_ && is_measured(courses_[number])) {
        with_earlier.push_back(number);
      }
    }
    for (int turn = 0;; ++turn) {
      if (epoch_is_over(fewest_samples(courses_, members))) {
        STREAMGAGE_TRY(renew_arrays());
        samples_before_epoch_ = fewest_samples(courses_, members);
      }
      const bool repeats = turn % kRepeatEvery == 0;
      const Instant block_start = steps_.clock();
      ++so_far_.block;
      for (const std::size_t number : order_.next(repeats ? with_earlier : members)) {
        STREAMGAGE_TRY(steps_.measure_sample(courses_[number]));
      }
      STREAMGAGE_TRY(steps_.after_block());
      seconds_of_block_[repeats ? 1 : 0] = seconds_between(block_start, steps_.clock());
      take_overhead(repeats ? with_earlier : members, seconds_of_block_[repeats ? 1 : 0]);
      so_far_.timed = static_cast<int>(fewest_of_first_tier());
      const double used = seconds_between(entered, steps_.clock());
      switch (verdict(members, used, share, turn)) {
        case Verdict::kGoOn:
          break;
        case Verdict::kTimeIsUp:
          is_over_ = true;
          return {};
        default:
          return {};
      }
    }
  }

  // `used`: seconds of the tier. `share`: those that it may take once it has samples enough.
  [[nodiscard]] Verdict verdict(const std::vector<std::size_t>& members, double used, double share,
                                int turn) const {
    const std::size_t n = fewest_samples(courses_, members);
    const bool repeats_next = (turn + 1) % kRepeatEvery == 0;
    const double known = seconds_of_block_[repeats_next ? 1 : 0];
    const double block_seconds = known > 0.0 ? known : seconds_of_block_[repeats_next ? 0 : 1];
    const Progress progress{n, sampling_.budget_seconds - time_left(), block_seconds};
    const bool has_epochs =
        !has_tiers() || !sampling_.epoch_blocks || tier_ > 0 || epochs_ >= kFewestEpochs;
    const auto stopped = stop_after_block(
        sampling_, progress, [&] { return has_epochs && all_have_converged(courses_, members); });
    if (stopped) {
      return *stopped == StoppedBy::kConverged    ? Verdict::kSettled
             : *stopped == StoppedBy::kMaxSamples ? Verdict::kMostSamples
                                                  : Verdict::kTimeIsUp;
    }
    // A later tier is given up without a sample; the first one has at least that, unless none of
    // its samples will do.
    const bool all_hopeless = std::all_of(members.begin(), members.end(), [&](std::size_t number) {
      return is_hopeless(courses_[number]);
    });
    if ((tier_ > 0 || all_hopeless) && time_left() < block_seconds) {
      return Verdict::kTimeIsUp;
    }
    const bool has_enough = n >= static_cast<std::size_t>(sampling_.min_samples) && has_epochs;
    const bool is_given_up = used >= kShareOfDisturbedTier / kShareOfTier * share;
    return (has_enough && used >= share) || (is_given_up && most_are_disturbed(members))
               ? Verdict::kShareIsUp
               : Verdict::kGoOn;
  }

  [[nodiscard]] bool most_are_disturbed(const std::vector<std::size_t>& members) const {
    std::size_t disturbed = 0;
    std::size_t timed = 0;
    for (const std::size_t number : members) {
      disturbed += courses_[number].disturbed.size();
      timed += courses_[number].samples.timed().size();
    }
    return disturbed > timed;
  }

  // Those variants of the tier that are measured: all where there is time, and always those of the
  // first.
  std::vector<std::size_t> take_members() {
    std::vector<std::size_t> members;
    for (std::size_t number = 0; number < courses_.size(); ++number) {
      if (courses_[number].place.tier == tier_) {
        members.push_back(number);
      }
    }
    std::stable_sort(members.begin(), members.end(), [this](std::size_t one, std::size_t other) {
      return courses_[one].place.place < courses_[other].place.place;
    });
    if (tier_ == 0) {
      return members;
    }
    double needed = 0.0;  // seconds
    for (const Course& course : courses_) {
      if (course.place.tier < tier_ && is_measured(course)) {
        needed += seconds_of(course) * kFewestBlocks / kRepeatEvery;
      }
    }
    const double left = time_left();
    std::vector<std::size_t> taken;
    for (const std::size_t number : members) {
      const double more = seconds_of(courses_[number]) * (kFewestBlocks + kCheckOverPass);
      courses_[number].is_taken = !is_over_ && needed + more <= left;
      if (courses_[number].is_taken) {
        needed += more;
        taken.push_back(number);
      }
    }
    return taken;
  }

  // On a busy machine the threads of a sample wait for their CPUs, before it and after it.
  void take_overhead(const std::vector<std::size_t>& members, double block_seconds) {
    double samples = 0.0;
    for (const std::size_t number : members) {
      const Course& course = courses_[number];
      samples += seconds_of_a_pass(course).value_or(0.0) * static_cast<double>(course.passes);
    }
    overhead_ = samples > 0.0 ? std::max(block_seconds / samples, 1.0) : 1.0;
  }

  static bool is_measured(const Course& course) {
    return course.is_taken && !course.is_left_out && seconds_of_a_pass(course);
  }

  // Seconds that a sample takes with all around it, or as the slowest of the others lets expect.
  [[nodiscard]] double seconds_of(const Course& course) const {
    if (const auto seconds = seconds_of_a_pass(course)) {
      return overhead_ * *seconds * static_cast<double>(course.passes);
    }
    double slowest = 0.0;
    for (const Course& other : courses_) {
      if (const auto seconds = seconds_of_a_pass(other); seconds && !other.variant.own) {
        slowest = std::max(slowest, *seconds / arrays_moved(other));
      }
    }
    return overhead_ * slowest * arrays_moved(course);
  }

  // Of the budget. Where that is for the whole run, the check of what is measured is taken off.
  [[nodiscard]] double time_left() const {
    double left = sampling_.budget_seconds - seconds_between(start_, steps_.clock());
    for (const Course& course : courses_) {
      if (has_tiers()) {
        left -= overhead_ * kCheckOverPass * seconds_of_a_pass(course).value_or(0.0);
      }
    }
    return left;
  }

  [[nodiscard]] bool epoch_is_over(std::size_t samples) const {
    if (!sampling_.epoch_blocks || samples <= samples_before_epoch_) {
      return false;
    }
    const double seconds = seconds_between(epoch_start_, steps_.clock());
    const double touch = has_tiers() && epochs_ == 1
                             ? std::min(steps_.touch_seconds(), seconds_of_block_[1])
                             : steps_.touch_seconds();
    const std::size_t enough =
        samples_before_epoch_ + static_cast<std::size_t>(*sampling_.epoch_blocks);
    const bool usual = samples >= enough && seconds >= kEpochOverTouch * touch;
    const bool needs_more = has_tiers() && tier_ == 0 && epochs_ < kFewestEpochs;
    const double over = needs_more ? kShortestOverFirstTouches : kShortestOverTouch;
    const bool late = (tier_ == 0 || is_rest_) &&
                      seconds >= sampling_.budget_seconds / kEpochsOfBudget &&
                      seconds >= over * touch;
    return usual || late;
  }

  Step renew_arrays() {
    STREAMGAGE_TRY(steps_.renew_arrays());
    epoch_start_ = steps_.clock();
    ++epochs_;
    return {};
  }

  // Of the first tier that is measured.
  [[nodiscard]] std::size_t fewest_of_first_tier() const {
    std::vector<std::size_t> first;
    for (int tier = 0; first.empty() && tier <= tier_; ++tier) {
      for (std::size_t number = 0; number < courses_.size(); ++number) {
        if (courses_[number].place.tier == tier && courses_[number].is_taken) {
          first.push_back(number);
        }
      }
    }
    return fewest_samples(courses_, first);
  }

  // Of all tiers together.
  [[nodiscard]] StoppedBy why_stopped() const {
    const auto all = numbers_below(courses_.size());
    const bool all_taken = std::all_of(courses_.begin(), courses_.end(),
                                       [](const Course& course) { return course.is_taken; });
    const std::size_t fewest = all.empty() ? 0 : fewest_samples(courses_, all);
    if (all_taken && !is_over_ && all_have_converged(courses_, all)) {
      return StoppedBy::kConverged;
    }
    return all_taken && fewest >= static_cast<std::size_t>(sampling_.max_samples)
               ? StoppedBy::kMaxSamples
               : StoppedBy::kBudget;
  }

  const BlockRequest& request_;
  const Sampling& sampling_;
  std::vector<Course>& courses_;
  const BlockSteps& steps_;
  BlocksSoFar& so_far_;
  BlockOrder order_;
  Instant start_;
  Instant epoch_start_;
  int tier_ = 0;
  int epochs_ = 1;
  std::size_t samples_before_epoch_ = 0;
  std::array<double, 2> seconds_of_block_ = {};  // of the last one without and with earlier tiers
  double overhead_ = 1.0;                        // seconds of a block over those of its samples
  bool is_rest_ = false;
  bool is_over_ = false;  // the time is
};

}  // namespace

Step measure_blocks(const BlockRequest& request, std::vector<Course>& courses,
                    const BlockSteps& steps, BlocksSoFar& so_far) {
  return Blocks(request, courses, steps, so_far).run();
}

}  // namespace streamgage::engine
