#include "streamgage/team/proof.hpp"

#include <sched.h>

#include <cstddef>

#include <fmt/format.h>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage {

std::vector<ThreadPlace> places_of(const Team& team) {
  std::vector<ThreadPlace> places(static_cast<std::size_t>(team.size()));
  team.each([&](int thread) {
    ThreadPlace& place = places[static_cast<std::size_t>(thread)];
    place.cpu = sched_getcpu();
    place.mask = affinity_mask().value_or(CpuList{});
  });
  return places;
}

Result<std::vector<ThreadPlace>> prove(const Team& team, const Placement& placement) {
  if (placement.cpus.empty()) {
    return failure("threads without chosen CPUs cannot be checked; place them on CPUs");
  }
  if (static_cast<std::size_t>(team.size()) != placement.cpus.size()) {
    return failure(fmt::format("the OpenMP runtime gave {} of {}; check OMP_THREAD_LIMIT",
                               team.size(), count_of(placement.cpus.size(), "thread")));
  }
  std::vector<ThreadPlace> places = places_of(team);
  for (std::size_t thread = 0; thread < places.size(); ++thread) {
    const int home = placement.cpus[thread];
    const auto& [cpu, mask] = places[thread];
    if (mask != CpuList{home} || cpu != home) {
      return failure(fmt::format("thread {} was placed on CPU {}, runs on CPU {} and may use {}",
                                 thread, home, cpu, name_cpus(mask)));
    }
  }
  return places;
}

}  // namespace streamgage
