// The latency of memory under load: the first thread of a team walks along a chain of pointers
// while the others stream.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "base/latency_plan.hpp"
#include "kernels/variant.hpp"
#include "latency/pointer_chain.hpp"
#include "measure/ending.hpp"
#include "measure/load/generator.hpp"
#include "measure/load/load_window.hpp"
#include "measure/load/steering.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/team/team.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

struct LoadedPoint {
  // The requested bytes per second. Nothing: as many as the threads can move, or no load.
  std::optional<double> target;
  double effort = 0.0;  // at the end: how many threads at full speed it came to
  int generators = 0;
  std::vector<LoadWindow> windows;
  int moved = 0;  // threads that changed CPU
};

class LoadedWalk {
 public:
  // Makes the chain on this thread, and the arrays of the generators, each on its own thread. The
  // team must outlive the object.
  static Result<LoadedWalk> prepare(const Machine& machine, const LatencyPlan& plan,
                                    const Team& team, std::uint64_t seed);

  // Finds the highest rate of the generators in each mix. Mostly all of them at full speed give it,
  // but some memories give more to fewer.
  Step find_highest_rates();

  // Returns the number of mixes: those of the plan that this processor has.
  [[nodiscard]] std::size_t mixes() const { return loadings_.size(); }
  [[nodiscard]] Mix mix(std::size_t number) const { return loadings_[number].mix; }
  [[nodiscard]] const Variant& variant(std::size_t number) const {
    return loadings_[number].variant;
  }

  // Walks while the generators stream at `share` of the highest rate of a mix, given by its number;
  // share 1 means at full speed. A signal cuts the last window short.
  LoadedPoint measure(std::size_t mix, double share);

  // Returns the number of wrong elements in the generators' arrays.
  std::int64_t check();

  // Returns the seconds of all windows so far.
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  // A mix as a kernel, the highest rate of all generators together, and the effort that each share
  // of it took last.
  struct Loading {
    Mix mix = Mix::kReads;
    Variant variant;
    double most_bytes_a_second = 0.0;
    std::map<double, double> efforts = {};
  };

  LoadedWalk(const LoadRequest& request, const Team& team, PointerChain chain);

  Result<void> reserve_generators(const Machine& machine, PageSize pages);
  Step find_highest_rate(Loading& loading);
  [[nodiscard]] double most_effort() const { return static_cast<double>(generators_.size()); }
  // Measures at that effort, or at the one that `steering` finds.
  LoadedPoint hold(const Variant& variant, double effort, Steering* steering, double seconds);
  void settle(double seconds);
  void steer(Steering& steering, LoadSignals& signals);
  // `must_move`: lasts until the generators have moved something, too. At full speed they always
  // do, unless a busy machine gives them no CPU meanwhile.
  LoadWindow walk_window(double seconds, const LoadSignals& signals, bool must_move);
  // Returns whether every generator that is to stream had its CPU since the last call.
  bool generators_went_on(const LoadSignals& signals);
  [[nodiscard]] std::uint64_t bytes_so_far() const;

  const LoadRequest* request_;
  const Team* team_;
  PointerChain chain_;
  const Link* at_;
  std::vector<Generator> generators_;
  std::vector<int> places_;           // of the generators
  std::vector<std::uint64_t> beats_;  // that were last seen of them
  std::vector<Loading> loadings_;     // one a mix
  double seconds_ = 0.0;
};

}  // namespace streamgage::engine
