#include "measure/load/pacer.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

// A thread on a clock that the test makes: a burst starts with an empty pipeline, and a rest ends
// late.
struct MadeThread {
  double piece = 0.25e-6;
  double start = 0.13e-6;
  double late = 0.05e-6;

  // Pieces a second that come of a duty, after the pacer has learnt what a piece takes.
  [[nodiscard]] double rate(double duty) const {
    Pacer pacer;
    double seconds = 0.0;
    double pieces = 0.0;
    for (int burst = 0; burst < 2000; ++burst) {
      const int count = pacer.pieces(duty);
      const double busy = start + count * piece;
      double rest = pacer.rest_after(count, busy, duty);
      if (rest > 0.0) {
        rest += late;
        pacer.rested(rest);
      }
      if (burst >= 100) {
        seconds += busy + rest;
        pieces += count;
      }
    }
    return pieces / seconds;
  }
};

TEST(Pacer, EveryRateUpToTheFullOneIsReached) {
  const MadeThread thread;
  const double most = thread.rate(1.0);
  EXPECT_GT(most * thread.piece, 0.99);
  double last = 0.0;
  for (int percent = 1; percent <= 100; ++percent) {
    const double rate = thread.rate(percent / 100.0) / most;
    EXPECT_GT(rate, last) << percent;
    EXPECT_LT(rate - last, 0.03) << "no hole below " << percent << " %";
    last = rate;
  }
}

TEST(Pacer, BurstsAreLongWhereRestsAreFew) {
  Pacer pacer;
  pacer.rest_after(1, 0.25e-6, 0.5);
  EXPECT_EQ(pacer.pieces(0.5), 16);
  EXPECT_EQ(pacer.pieces(0.9), 144);
  EXPECT_EQ(pacer.pieces(0.01), 1);
  EXPECT_EQ(pacer.pieces(1.0), Pacer::kMostPieces);
}

TEST(Pacer, ATakenCpuIsNotRestedFor) {
  Pacer pacer;
  for (int burst = 0; burst < 10; ++burst) {
    pacer.rested(pacer.rest_after(1, 1e-6, 0.5));
  }
  EXPECT_LE(pacer.rest_after(1, 5e-3, 0.5), 5e-6);
  // Nor is a rest of 5 ms made up for by a burst without any.
  pacer.rested(5e-3);
  double rest = 0.0;
  for (int burst = 0; burst < 5; ++burst) {
    rest = pacer.rest_after(1, 1e-6, 0.5);
    pacer.rested(rest);
  }
  EXPECT_GT(rest, 0.5e-6);
}

}  // namespace
}  // namespace streamgage::engine
