// A request for the places of threads.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "streamgage/base/cpu_list.hpp"

namespace streamgage {

// The rule by which threads are placed.
enum class PlacementKind {
  kCores,  // one thread a physical core, spread over the memory domains
  kCpus,   // the CPUs listed or named by an expression, in that order
  kNone,   // wherever the OpenMP runtime and the operating system put them
};

// Returns "cores", "cpus" or "none".
std::string_view name_of(PlacementKind kind);

// A rule and its particulars.
struct PlacementRequest {
  PlacementKind kind = PlacementKind::kCores;
  CpuList cpus;                // OS numbers; with kCpus only, which has these or an expression
  std::optional<int> threads;  // none: as many as the kind gives
  std::optional<std::string> expression = std::nullopt;  // see placement/expression/syntax.hpp
  bool oversubscribe = false;  // with kCpus only: a CPU may be given to more than one thread
};

}  // namespace streamgage
