// The latency of memory under load: the first thread of a team walks along a chain of pointers
// while the others stream.
#pragma once

#include <cstdint>
#include <vector>

#include "base/latency_plan.hpp"
#include "kernels/variant.hpp"
#include "latency/pointer_chain.hpp"
#include "measure/ending.hpp"
#include "measure/load/generator.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// A part of the time in which one pace is held. Parts count by themselves: where the hypervisor
// takes a CPU during some of them, the others stand.
struct LoadWindow {
  double seconds = 0.0;
  std::uint64_t bytes = 0;  // that the generators moved
  std::int64_t loads = 0;   // steps of the walk
};

struct LoadedPoint {
  double interval = 0.0;  // seconds from one piece of a generator to its next; 0: no pause
  int generators = 0;
  std::vector<LoadWindow> windows;
  int moved = 0;  // threads that changed CPU
};

class LoadedWalk {
 public:
  // Makes the chain, on this thread, and the arrays of the generators, each on its own thread. The
  // team must outlive the object.
  static Result<LoadedWalk> prepare(const Machine& machine, const LatencyPlan& plan,
                                    const Team& team, std::uint64_t seed);

  // Finds how quickly the generators stream in each mix of the plan where nothing holds them back.
  Step find_highest_rates();

  // Walks while the generators stream at that share of the highest rate of a mix, by its number in
  // the plan. A signal cuts the last window short.
  LoadedPoint measure(std::size_t mix, double share);

  [[nodiscard]] const Variant& variant(std::size_t mix) const { return loadings_[mix].variant; }

  // Elements of the generators' arrays that are not what they must be.
  std::int64_t check();

  // Seconds of all windows so far.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  // A mix as a kernel, and the highest rate of all generators together.
  struct Loading {
    Variant variant;
    double most_bytes_a_second = 0.0;
  };

  LoadedWalk(const LoadRequest& request, const Team& team, PointerChain chain);

  Result<void> reserve_generators(const Machine& machine, bool huge_pages);
  Step find_highest_rate(Loading& loading);
  [[nodiscard]] double interval_of(const Loading& loading, double share) const;
  LoadedPoint hold(const Variant& variant, double interval, bool is_loaded, double seconds);
  std::vector<LoadWindow> walk(double seconds);
  LoadWindow walk_window(double seconds);
  [[nodiscard]] std::uint64_t bytes_so_far() const;

  const LoadRequest* request_;
  const Team* team_;
  PointerChain chain_;
  const Link* at_;
  std::vector<Generator> generators_;
  std::vector<Loading> loadings_;  // one a mix
  double seconds_ = 0.0;
};

}  // namespace streamgage::engine
