#include "streamgage/statistics/sampler.hpp"

namespace streamgage {

std::optional<StoppedBy> Sampler::add(double seconds) {
  samples_.add(seconds);
  const Instant instant = now();
  const Progress progress{samples().size(), seconds_between(begun_, instant),
                          seconds_between(last_, instant)};
  last_ = instant;
  return stop_after_block(sampling_, progress, [this] { return has_converged(samples()); });
}

}  // namespace streamgage
