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

// The name of every PMU, in alphabetical order; empty if the kernel shows none.
std::vector<std::string> pmu_names(const FileRoots& roots);

// Errors name the PMU and the file: no type, a format that cannot be, an empty cpumask.
Result<Pmu> read_pmu(const FileRoots& roots, const std::string& name);

// The event of events/ with that name, with its scale; an error where it has none or cannot be.
Result<EventCode> event_by_alias(const Pmu& pmu, const std::string& alias);

// The event that those terms select.
Result<EventCode> event_by_terms(const Pmu& pmu, const std::string& terms);

}  // namespace streamgage
