// Watches what else happens while the engine measures: steal time, other programs on its CPUs, and
// the container's CPU quota.
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

// Returns the CPU time of all threads of this process, in user and kernel mode.
double own_cpu_seconds();

// The kernel counts in ticks of 10 ms, so shorter spans mean nothing.
inline constexpr double kLeastDisturbanceSeconds = 1.0;

struct Disturbance {
  int first_block = 0;
  int last_block = 0;
  double seconds = 0.0;
  std::optional<double> steal_seconds;
  // The CPUs' busy time that was not this process's. It may be slightly below zero, because ticks
  // are coarse; it stays so, because the errors cancel in a sum.
  std::optional<double> other_seconds;
  std::optional<double> throttled_seconds;  // nothing where there is no quota
};

nlohmann::ordered_json to_record(const Disturbance& disturbance);

// Joins two spans that follow each other.
void add(Disturbance& total, const Disturbance& next);

class OutsideLoad {
 public:
  OutsideLoad(CpuList cpus, FileRoots roots);

  // Returns what happened since the last call that returned something. Returns nothing if that was
  // less than `least_seconds` ago, because the kernel counts in ticks of 10 ms, or if no block has
  // ended since.
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
