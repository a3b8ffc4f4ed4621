// The machine and the environment as this process sees them: a plain value, found once at start.
// Its fields are those of the "machine" record (streamgage/records/machine.py).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage {

// The caches of one level and kind, of the whole machine.
struct Cache {
  int level = 0;
  std::string kind;  // "data", "instruction" or "unified"
  std::uint64_t bytes = 0;
  int line_bytes = 0;
  std::vector<CpuList> shared_by;  // one list of CPUs an instance
};

// The caches in front of the memory of NUMA nodes, of the whole machine: HBM or DRAM that caches
// other memory, as in the cache mode of Xeon Max and Xeon Phi and in Optane's memory mode.
struct MemorySideCache {
  std::uint64_t bytes = 0;  // of one instance; 0 where it is not known
  int line_bytes = 0;
  std::vector<CpuList> nodes;  // the OS numbers of the nodes behind each instance
};

// A NUMA node: memory, and the CPUs next to it.
struct NumaNode {
  int os_index = 0;
  CpuList cpus;  // empty for a memory-only node
  std::optional<std::uint64_t> bytes;
  std::optional<std::uint64_t> free_bytes = {};       // file cache, which gives way, is not counted
  std::optional<std::uint64_t> available_bytes = {};  // file cache is counted
  std::optional<std::string> kind = {};  // "MCDRAM" or "GPU memory"; nothing for all other memory
};

// Distances from node to node, by OS number; empty if the firmware reports none.
using NodeDistances = std::map<std::pair<int, int>, std::uint64_t>;

// The cores of one kind, if there are several kinds.
struct CoreKind {
  std::optional<std::string> name;
  std::optional<int> efficiency;
  CpuList cpus;
};

// A slot for a memory module, as SMBIOS describes it.
struct MemoryModule {
  std::string locator;
  std::optional<std::string> bank;
  std::uint64_t bytes = 0;  // 0: the slot is empty
  std::optional<std::string> kind;
  std::optional<int> width_bits;
  std::optional<int> megatransfers;        // 10^6 transfers per second that the firmware has set
  std::optional<int> rated_megatransfers;  // the most that the module is made for
  // Returns the configured rate, or where that is unknown the rated one.
  [[nodiscard]] std::optional<int> rate() const {
    return megatransfers ? megatransfers : rated_megatransfers;
  }
};

// An online CPU.
struct HardwareThread {
  int cpu = 0;                     // OS number
  int core = 0;                    // logical number of its physical core on the whole machine
  int smt = 0;                     // rank among the hardware threads of that core, by OS number
  std::optional<int> package = 0;  // logical number; nothing where no source says which
  std::optional<int> node = 0;     // OS number of the nearest NUMA node that has memory
  std::optional<int> die = 0;  // logical number on the whole machine; a package of one die is it
};

// The limit on the clock frequency, of the most limited CPUs.
struct Frequency {
  std::string governor;
  std::uint64_t limit_hertz = 0;     // the highest that the governor may choose
  std::uint64_t hardware_hertz = 0;  // the highest that there is
  std::optional<bool> boost;         // whether clocks above the rated one are allowed
};

// A set of CPUs to which this process is confined.
struct CpuSet {
  std::string source;  // "cgroup" or "affinity" (the mask of this process)
  CpuList cpus;
  std::optional<std::string> file;  // of a cgroup
};

// What an x86 processor reports about itself by CPUID, next to its name, which hypervisors replace.
struct ProcessorId {
  std::string vendor;  // "GenuineIntel" or the like
  int family = 0;
  int model = 0;
  int stepping = 0;
};

// All facts about the machine.
struct Machine {
  bool is_this_system = true;  // false for a topology from a file or a description (HWLOC_*)
  std::optional<std::string> described_by;  // that variable, and what it holds
  // Why a field is empty, by its name in the record. An empty field that is not listed here is
  // known to be none: no quota, no hypervisor.
  std::map<std::string, std::string> unknown;
  std::optional<std::string> host;
  std::optional<std::string> architecture;
  std::optional<std::string> processor;
  std::optional<ProcessorId> processor_id;  // of x86 alone
  int packages = 0;
  int dies = 0;
  int cores = 0;
  int hardware_threads = 0;
  int threads_per_core = 1;
  std::vector<Cache> caches;
  std::vector<MemorySideCache> memory_side_caches;
  std::vector<NumaNode> numa_nodes;
  NodeDistances node_distances;
  std::vector<CoreKind> core_kinds;
  CpuList online_cpus;
  CpuList offline_cpus;
  CpuList isolated_cpus;  // kept from ordinary processes by the kernel's command line
  CpuList allowed_cpus;
  std::vector<CpuSet> cpu_sets;         // the wider first; what is in all of them is allowed
  CpuList allowed_nodes;                // from which this process may take memory
  std::vector<HardwareThread> threads;  // compact order: package, core, then SMT rank
  std::vector<HardwareThread> allowed;  // those of them that this process may use
  std::optional<double> cpu_quota;
  std::optional<int> nice;  // of this process: above 0 others come first, below 0 it does
  std::optional<std::uint64_t> memory_bytes;
  std::optional<std::uint64_t> memory_available_bytes;
  std::optional<std::uint64_t> memory_limit_bytes;
  std::optional<std::uint64_t> memory_limit_free_bytes;
  std::vector<MemoryModule> memory_modules;
  std::optional<std::string> memory_modules_reason;
  std::optional<std::string> system;
  std::optional<std::string> kernel;
  std::optional<std::uint64_t> page_bytes;
  std::optional<std::string> huge_pages;  // "always", "madvise", "never" or "unavailable"
  std::optional<std::uint64_t> huge_page_bytes;
  std::optional<bool> numa_balancing;
  std::optional<Frequency> frequency;
  std::optional<std::string> hypervisor;
};

// The root of the kernel's pseudo files; tests put a tree of their own in its place.
struct FileRoots {
  std::string proc = "/proc";
  std::string sys = "/sys";
};

// Finds the machine; takes some milliseconds. Returns an error if this process may use no CPU, or
// if the kernel does not report what every kernel reports.
Result<Machine> discover_machine(const FileRoots& roots = {});

// Returns the sum of the capacities of the last caches between the given CPUs and their memory, in
// bytes; 0 if no data cache is known. These are the memory-side caches of the nodes that the memory
// comes from (the CPUs' own unless `nodes` names others), or the CPUs' last-level caches if those
// nodes have none.
std::uint64_t last_level_cache_bytes(const Machine& machine, const CpuList& cpus,
                                     const CpuList& nodes = {});

}  // namespace streamgage
