#include "measure/blocks.hpp"

#include "measure/block_order.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

// Arrays are not allocated again more often than lets their touch be a small part of the time.
constexpr double kEpochOverTouch = 10.0;
// Six allocations give an interval over them. On a slow machine, whose budget has room for few
// blocks, they are allocated again after as many blocks as make twice that number in the budget:
// a block may take longer than is left of its share.
constexpr double kEpochsOfBudget = 12.0;
// ... and then a touch may take a third of the time, never more.
constexpr double kShortestOverTouch = 2.0;

// The time between two allocations of the arrays.
struct Epoch {
  Instant start;
  std::size_t samples_before = 0;

  [[nodiscard]] bool is_over(const Sampling& sampling, std::size_t samples, double touch_seconds,
                             Instant at) const {
    if (!sampling.epoch_blocks || samples <= samples_before) {
      return false;
    }
    const double seconds = seconds_between(start, at);
    const std::size_t enough = samples_before + static_cast<std::size_t>(*sampling.epoch_blocks);
    const bool usual = samples >= enough && seconds >= kEpochOverTouch * touch_seconds;
    const bool late = seconds >= sampling.budget_seconds / kEpochsOfBudget &&
                      seconds >= kShortestOverTouch * touch_seconds;
    return usual || late;
  }
};

}  // namespace

Step measure_blocks(const Sampling& sampling, std::uint64_t seed, std::vector<Course>& courses,
                    const BlockSteps& steps, BlocksSoFar& so_far) {
  BlockOrder order(seed, courses.size());
  const Instant start = steps.clock();
  Epoch epoch{start, 0};
  for (so_far.block = 0; !so_far.stopped_by; ++so_far.block) {
    if (epoch.is_over(sampling, fewest_samples(courses), steps.touch_seconds(), steps.clock())) {
      STREAMGAGE_TRY(steps.renew_arrays());
      epoch = {steps.clock(), fewest_samples(courses)};
    }
    const Instant block_start = steps.clock();
    for (const std::size_t index : order.next()) {
      STREAMGAGE_TRY(steps.measure_sample(courses[index]));
    }
    STREAMGAGE_TRY(steps.after_block());
    const Instant block_end = steps.clock();
    const Progress progress{fewest_samples(courses), seconds_between(start, block_end),
                            seconds_between(block_start, block_end)};
    so_far.timed = static_cast<int>(progress.fewest_samples);
    so_far.stopped_by =
        stop_after_block(sampling, progress, [&] { return all_have_converged(courses); });
  }
  --so_far.block;  // the last that was measured
  return {};
}

}  // namespace streamgage::engine
