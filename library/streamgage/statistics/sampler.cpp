#include "streamgage/statistics/sampler.hpp"

namespace streamgage {

std::optional<StoppedBy> Sampler::add(double seconds) {
  const bool counts = !samples_.empty() || is_warm(warmups_, seconds);
  (counts ? samples_ : warmups_).push_back(seconds);
  const Instant instant = now();
  const Progress progress{samples_.size(), seconds_between(begun_, instant),
                          seconds_between(last_, instant)};
  last_ = instant;
  return stop_after_block(sampling_, progress, [this] { return has_converged(samples_); });
}

}  // namespace streamgage
