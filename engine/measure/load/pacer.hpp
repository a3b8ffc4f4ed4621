// Decides when a load thread streams and when it rests, so that it streams for a share of the time.
// The pacer reads no clock: its caller reports how long things took.
#pragma once

namespace streamgage::engine {

class Pacer {
 public:
  // The most pieces of a burst, so that a change of the duty takes effect soon.
  static constexpr int kMostPieces = 256;
  // The shortest rest. Each burst starts with an empty pipeline, and each rest ends late; both
  // take some 0.1 us. If less rest is needed, bursts become longer instead.
  static constexpr double kLeastRest = 4e-6;

  // Returns how many pieces the next burst has. `duty` is the share of the time, above 0; at 1
  // there are no rests.
  [[nodiscard]] int pieces(double duty) const;

  // Returns how long to rest after a burst of `pieces`. A burst that took far longer than usual did
  // not stream all that time: something else had the CPU.
  double rest_after(int pieces, double seconds, double duty);

  // Notes how long the rest really was: the excess is taken off the next one.
  void rested(double seconds);

 private:
  double piece_seconds_ = 0.0;  // of a usual piece; 0: not known
  double owed_ = 0.0;
};

}  // namespace streamgage::engine
