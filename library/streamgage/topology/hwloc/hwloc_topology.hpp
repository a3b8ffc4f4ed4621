// The machine's topology as hwloc finds it, released at the end of its scope. The environment can
// choose another one, as always with hwloc: HWLOC_SYNTHETIC, HWLOC_XMLFILE, HWLOC_FSROOT.
#pragma once

#include <hwloc.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage {

class HwlocTopology {
 public:
  // Loads the whole machine, also the CPUs that this process may not use. It is an error if hwloc
  // fails, or cannot meet the request of the environment.
  static Result<HwlocTopology> load();

  [[nodiscard]] hwloc_topology_t get() const { return topology_.get(); }

  // Returns whether it describes the computer on which this process runs.
  [[nodiscard]] bool is_this_system() const;

  // Returns all objects of a type, in hwloc's logical order.
  [[nodiscard]] std::vector<hwloc_obj_t> objects(hwloc_obj_type_t type) const;

  // Returns the CPUs that are online, by OS number.
  [[nodiscard]] CpuList online_cpus() const;

  // Returns the CPUs that are present but not online, by OS number.
  [[nodiscard]] CpuList offline_cpus() const;

 private:
  struct Destroy {
    void operator()(hwloc_topology* topology) const noexcept { hwloc_topology_destroy(topology); }
  };

  explicit HwlocTopology(hwloc_topology_t topology) : topology_(topology) {}

  std::unique_ptr<hwloc_topology, Destroy> topology_;
};

// Returns the members of a finite set, ascending.
CpuList cpus_in(hwloc_const_bitmap_t set);

// Returns the object's annotation of that name.
std::optional<std::string> info_of(hwloc_obj_t object, const char* name);

}  // namespace streamgage
