// What else happens while the engine measures: steal time, other programs on its CPUs, and the
// container's CPU quota.
#pragma once

#include <optional>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// CPU-seconds since boot, summed over some CPUs.
struct CpuTimes {
  double busy = 0.0;   // user, system and interrupts; steal not included
  double steal = 0.0;  // taken by the hypervisor
  double idle = 0.0;   // waiting for input and output included
};

// Reads the lines of those CPUs from the text of /proc/stat; returns nothing if one is missing.
std::optional<CpuTimes> parse_cpu_times(std::string_view stat, const CpuList& cpus,
                                        double ticks_a_second);

// Of the user and the system, by all threads of this process.
double own_cpu_seconds();

// The kernel counts in ticks of 10 ms, so shorter spans mean nothing.
inline constexpr double kLeastDisturbanceSeconds = 1.0;

struct Disturbance {
  int first_block = 0;
  int last_block = 0;
  double seconds = 0.0;
  std::optional<double> steal_seconds;
  // Busy time of the CPUs that was not ours; may come out slightly below zero, because ticks are
  // coarse, and is left so: the errors cancel in a sum.
  std::optional<double> other_seconds;
  std::optional<double> throttled_seconds;  // nothing where there is no quota
};

nlohmann::ordered_json to_record(const Disturbance& disturbance);

// Joins two spans that follow each other.
void add(Disturbance& total, const Disturbance& next);

class OutsideLoad {
 public:
  OutsideLoad(CpuList cpus, FileRoots roots);

  // What happened since the last call that returned something, once that is at least
  // `least_seconds` ago and a block has come since: the kernel counts in ticks of 10 ms, so that
  // short spans say nothing.
  std::optional<Disturbance> since_last(int block, double least_seconds);

 private:
  struct Reading {
    Instant at;
    std::optional<CpuTimes> cpus;
    double own_seconds = 0.0;
    std::optional<double> throttled_seconds;
  };

  [[nodiscard]] Reading read() const;

  CpuList cpus_;
  FileRoots roots_;
  Reading last_;
  int next_block_ = 0;
};

}  // namespace streamgage::engine
