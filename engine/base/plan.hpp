// The plan: what to measure, where, and for how long. schema/plan.schema.json describes its JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/access_shape.hpp"
#include "base/cpu_list.hpp"
#include "base/error.hpp"

namespace streamgage {

// Version of plan and records; a plan of a newer one is refused.
constexpr int kSchemaVersion = 1;

enum class ElementType { kDouble, kFloat };

std::string_view name_of(ElementType type);
std::size_t size_of(ElementType type);  // bytes

enum class PlacementKind {
  kCores,  // one thread a physical core, spread over the memory domains
  kCpus,   // the CPUs listed or named by an expression, in that order
  kNone,   // wherever the OpenMP runtime and the operating system put them
};

std::string_view name_of(PlacementKind kind);

struct PlacementRequest {
  PlacementKind kind = PlacementKind::kCores;
  CpuList cpus;                // OS numbers; with kCpus only, which has these or an expression
  std::optional<int> threads;  // none: as many as the kind gives
  std::optional<std::string> expression = std::nullopt;  // see placement/expression/syntax.hpp
  bool oversubscribe = false;  // with kCpus only: a CPU may be given to more than one thread
};

struct Sampling {
  int min_samples = 20;
  int look_every = 10;
  int max_samples = 300;
  double budget_seconds = 33.0;  // for all blocks together, warm-ups included
  // Timed blocks after which the arrays are allocated afresh; none: never.
  std::optional<int> epoch_blocks = std::nullopt;
};

// A shape that the tuner chose in an earlier run; the default shape stands for "nothing gained".
struct KnownShape {
  std::string kernel;
  std::string store;
  std::string isa;
  AccessShape shape;
  // The quickest of those that prefetch for writing.
  std::optional<AccessShape> forced_read = std::nullopt;
};

struct TuningRequest {
  double budget_seconds = 20.0;   // for all races together
  std::vector<KnownShape> known;  // is not raced again
};

// Plain kernels that somebody else compiled.
struct PlainLibrary {
  std::string path;  // of a shared object; see kernels/plain/plain_library.hpp
  std::string code;  // what made it: compiler and flags
};

struct Plan {
  std::vector<std::string> kernels{"init",  "sum",   "copy",   "scale",  "update", "add",
                                   "triad", "daxpy", "striad", "sdaxpy", "bracket"};
  std::optional<std::vector<std::string>> stores;  // none: the customary ones of each kernel
  std::optional<std::vector<std::string>> isas;    // none: the best that the processor has
  std::optional<AccessShape> shape;                // measured beside the default shape
  std::optional<TuningRequest> tuning;             // none: no shape is looked for
  std::optional<PlainLibrary> plain_library = std::nullopt;  // in place of the engine's own
  ElementType type = ElementType::kDouble;
  PlacementRequest placement;
  std::optional<std::uint64_t> array_bytes;  // none: by STREAM's 4x rule
  // Of all arrays that the kernel uses together, in place of array_bytes; of one kernel.
  std::optional<std::uint64_t> working_set_bytes = std::nullopt;
  std::optional<std::uint64_t> seed;  // none: drawn afresh, and recorded
  Sampling sampling;
  bool huge_pages = true;
  CpuList memory_nodes;  // OS numbers of the NUMA nodes to take memory from; none: first touch
  // Also measure what interpretation needs: forced reads, a series of threads, idle latency.
  bool checks = false;
  bool idle_latency = false;  // also measured without the checks; a failure where it cannot be
  bool core_clock = false;    // also measure at which clock the first thread's core runs
  // Also count what crosses the memory bus, where a source of that is to be had.
  bool counters = false;
  // Theoretical peak of the memory in use, where known: a source that shows more is not believed.
  std::optional<double> peak_bytes_per_second = std::nullopt;
};

// The part of a plan that says where threads run; what is wrong with it, if anything is.
std::optional<Error> read_placement(const nlohmann::ordered_json& object,
                                    PlacementRequest& placement);

// Whether the names of kernels and store modes exist is the catalogue's to say, not the parser's.
Result<Plan> parse_plan(std::string_view text);

}  // namespace streamgage
