#include "measure/load/pacer.hpp"

#include <algorithm>
#include <cmath>

namespace streamgage::engine {
namespace {

// A piece that took this many times as long as usual was interrupted.
constexpr double kInterrupted = 4.0;
// How quickly a usual piece follows what was seen.
constexpr double kWeightOfNew = 0.25;

}  // namespace

int Pacer::pieces(double duty) const {
  if (duty >= 1.0) {
    return kMostPieces;
  }
  if (piece_seconds_ <= 0.0) {
    return 1;
  }
  const double burst = kLeastRest * duty / (1.0 - duty);
  return static_cast<int>(
      std::clamp(std::round(burst / piece_seconds_), 1.0, static_cast<double>(kMostPieces)));
}

double Pacer::rest_after(int pieces, double seconds, double duty) {
  double piece = seconds / pieces;
  if (piece_seconds_ <= 0.0) {
    piece_seconds_ = piece;
  } else {
    piece = std::min(piece, kInterrupted * piece_seconds_);
    piece_seconds_ += kWeightOfNew * (piece - piece_seconds_);
  }
  if (duty >= 1.0) {
    owed_ = 0.0;
    return 0.0;
  }
  owed_ += piece * pieces * (1.0 - duty) / duty;
  return std::max(owed_, 0.0);
}

void Pacer::rested(double seconds) {
  // A rest that something else made long is not paid back by a burst.
  owed_ = std::max(owed_ - seconds, -kLeastRest);
}

}  // namespace streamgage::engine
