// A PMU that the kernel describes under /sys/bus/event_source/devices.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/counters/pmu/event_terms.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

struct Pmu {
  std::string name;
  std::uint32_t type = 0;
  std::optional<CpuList> cpumask;  // where to count, one CPU an instance; absent for a core's PMU
  EventFormats formats;
  std::map<std::string, std::string, std::less<>> events;  // files of events/ as they are, trimmed
};

// An event ready to be opened.
struct EventCode {
  std::string terms;  // what it was made of
  ConfigWords words{};
  std::optional<double> bytes_per_count;  // by .scale and .unit, where the event has them
};

// Returns the names of all PMUs, in alphabetical order. Empty if the kernel shows none.
std::vector<std::string> pmu_names(const FileRoots& roots);

// Reads a PMU. Errors name the PMU and the file: no type, an impossible format, an empty cpumask.
Result<Pmu> read_pmu(const FileRoots& roots, const std::string& name);

// Returns the event of that name in events/, with its scale. It is an error if there is none, or
// if it is invalid.
Result<EventCode> event_by_alias(const Pmu& pmu, const std::string& alias);

// Returns the event that these terms select.
Result<EventCode> event_by_terms(const Pmu& pmu, const std::string& terms);

}  // namespace streamgage
