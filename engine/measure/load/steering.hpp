// Finds the effort of the load threads that gives a requested rate.
//
// An effort is a number of threads: 2.3 means two at full speed and a third one for 30 % of the
// time. The rate rises with it and flattens where the memory is saturated, so no formula leads from
// one to the other. Each observed rate narrows down where the right effort lies.
#pragma once

#include <vector>

namespace streamgage::engine {

class Steering {
 public:
  // A rate this near to the target (as a share of it) needs no correction.
  static constexpr double kNear = 0.01;

  // All threads at full speed are `most_effort`, which gave `most_rate`. The first effort to try
  // is `first_effort`.
  Steering(double target, double most_effort, double most_rate, double first_effort);

  [[nodiscard]] double effort() const { return effort_; }

  // Reports the rate that effort() gave. The next effort may differ.
  void saw(double rate);

  // Returns whether the last rate was the requested one, or cannot be improved.
  [[nodiscard]] bool settled() const { return settled_; }

 private:
  struct Observation {
    double effort = 0.0;
    double rate = 0.0;
  };

  void narrow(double rate);

  double target_;
  double most_;
  double effort_;
  Observation below_;  // too little
  Observation above_;  // too much
  int same_side_ = 0;
  bool settled_ = false;
};

// Returns the share of the time, from 0 to 1, for which the thread at that place streams.
double duty_of(double effort, int place);

// Returns the place of each thread, given the NUMA node of each: the nodes take turns, so that each
// has its part of any effort.
std::vector<int> places_over_nodes(const std::vector<int>& nodes);

}  // namespace streamgage::engine
