// How much to measure.
#pragma once

#include <optional>

namespace streamgage {

// Measuring ends between the least and the most samples, at the first look that finds them settled,
// or when the time is used up.
struct Sampling {
  int min_samples = 20;  // before the first look
  int look_every = 10;   // samples from one look to the next
  int max_samples = 300;
  double budget_seconds = 33.0;  // for all blocks together, warm-ups included
  // The timed blocks after which the arrays are allocated again, or earlier if blocks take long;
  // none: never.
  std::optional<int> epoch_blocks = std::nullopt;
};

}  // namespace streamgage
