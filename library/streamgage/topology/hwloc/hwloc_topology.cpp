#include "streamgage/topology/hwloc/hwloc_topology.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/sources/request.hpp"

namespace streamgage {
namespace {

// The most that Linux is built for: NR_CPUS in arch/x86/Kconfig and in arch/powerpc.
constexpr std::uint64_t kMostDescribedCpus = 8192;

tl::unexpected<Error> hwloc_failure(std::string_view step, int error) {
  return failure(fmt::format(
      "hwloc could not {} ({}); check that /proc and /sys are mounted, or give a topology by "
      "HWLOC_XMLFILE",
      step, std::generic_category().message(error)));
}

// hwloc compares each object with its siblings, bit by bit, so that its time grows with the cube of
// their number.
Result<void> check_size_of_description() {
  const char* synthetic = std::getenv("HWLOC_SYNTHETIC");
  if (synthetic != nullptr && cpus_described(synthetic) > kMostDescribedCpus) {
    return usage_error(
        fmt::format("HWLOC_SYNTHETIC describes more CPUs than any machine has; describe {} at most",
                    kMostDescribedCpus));
  }
  return {};
}

// hwloc falls back to the real machine, without a word, where it cannot use what the environment
// asks for; figures for the wrong machine are worse than none.
Result<void> check_request(const HwlocTopology& topology) {
  if (!topology.is_this_system() || std::getenv("HWLOC_THISSYSTEM") != nullptr) {
    return {};
  }
  if (const auto request = find_request()) {
    return usage_error(
        fmt::format("hwloc could not use {}; correct the variable or unset it", *request));
  }
  return {};
}

}  // namespace

std::uint64_t cpus_described(std::string_view synthetic) {
  std::uint64_t cpus = 1;
  int depth = 0;
  bool starts_level = true;
  for (std::size_t at = 0; at < synthetic.size(); ++at) {
    const char one = synthetic[at];
    depth += one == '[' || one == '(' ? 1 : one == ']' || one == ')' ? -1 : 0;
    if (depth == 0 && one >= '0' && one <= '9' && starts_level) {
      std::uint64_t number = 0;
      const char* end = synthetic.data() + synthetic.size();
      const auto read = std::from_chars(synthetic.data() + at, end, number);
      const bool fits = read.ec == std::errc{} && (number == 0 || cpus <= UINT64_MAX / number);
      cpus = fits ? cpus * number : UINT64_MAX;
      at = static_cast<std::size_t>(read.ptr - synthetic.data()) - 1;
    }
    starts_level = one == ' ' || one == ':';
  }
  return cpus;
}

Result<HwlocTopology> HwlocTopology::load() {
  STREAMGAGE_TRY(check_size_of_description());
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    return hwloc_failure("start", errno);
  }
  HwlocTopology topology(raw);
  if (hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0) {
    return hwloc_failure("include the CPUs that are not allowed", errno);
  }
  if (hwloc_topology_set_icache_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_ALL) != 0) {
    return hwloc_failure("include instruction caches", errno);
  }
  if (hwloc_topology_load(raw) != 0) {
    return hwloc_failure("find the topology of this machine", errno);
  }
  if (topology.objects(HWLOC_OBJ_PU).empty()) {
    return failure("hwloc found no CPU; check that /proc and /sys are mounted");
  }
  STREAMGAGE_TRY(check_request(topology));
  return topology;
}

bool HwlocTopology::is_this_system() const { return hwloc_topology_is_thissystem(get()) == 1; }

std::vector<hwloc_obj_t> HwlocTopology::objects(hwloc_obj_type_t type) const {
  std::vector<hwloc_obj_t> found;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_by_type(get(), type, object)) != nullptr) {
    found.push_back(object);
  }
  return found;
}

CpuList HwlocTopology::online_cpus() const {
  return cpus_in(hwloc_topology_get_topology_cpuset(get()));
}

CpuList HwlocTopology::offline_cpus() const {
  const CpuList all = cpus_in(hwloc_topology_get_complete_cpuset(get()));
  const CpuList online = online_cpus();
  CpuList offline;
  std::set_difference(all.begin(), all.end(), online.begin(), online.end(),
                      std::back_inserter(offline));
  return offline;
}

CpuList cpus_in(hwloc_const_bitmap_t set) {
  CpuList cpus;
  if (set == nullptr || hwloc_bitmap_weight(set) < 0) {  // absent or infinite
    return cpus;
  }
  for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu)) {
    cpus.push_back(cpu);
  }
  return cpus;
}

std::optional<std::string> info_of(hwloc_obj_t object, const char* name) {
  const char* value = object == nullptr ? nullptr : hwloc_obj_get_info_by_name(object, name);
  const std::string_view text = value == nullptr ? "" : trim_blanks(value);
  if (text.empty()) {
    return std::nullopt;
  }
  return std::string(text);
}

}  // namespace streamgage
