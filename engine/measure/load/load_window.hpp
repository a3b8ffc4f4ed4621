#pragma once

#include <cstdint>

#include "streamgage/team/thread_walk.hpp"

namespace streamgage::engine {

// A part of the time in which one load is held. What counts of it is the time in which the walker
// and the generators had their CPUs. Each part counts separately: if something else disturbs some
// of them, the others remain valid.
struct LoadWindow {
  double seconds = 0.0;
  std::uint64_t bytes = 0;  // that the generators moved
  std::int64_t loads = 0;   // steps of the walk
};

// Gathers a window from short batches. On a busy machine it lasts longer, to have as much quiet
// time as is wanted.
class QuietWindow {
 public:
  // `seconds`: of quiet time.
  explicit QuietWindow(double seconds) : seconds_(seconds) {}

  void add(const LoadWindow& batch, bool is_quiet);
  // Returns whether there is enough quiet time, or no hope of it.
  [[nodiscard]] bool is_full() const;
  [[nodiscard]] bool has_moved() const { return all_.bytes > 0; }
  // The quiet time; all of the time if hardly any of it was quiet.
  [[nodiscard]] LoadWindow window() const;

 private:
  double seconds_;
  LoadWindow all_;
  LoadWindow quiet_;
};

// Returns whether the thread kept its CPU in a batch. Some kernels count CPU time in ticks, which
// are longer than a batch; then this is not known, and taken for granted.
bool kept_its_cpu(const WalkMark& before, const WalkMark& after);

}  // namespace streamgage::engine
