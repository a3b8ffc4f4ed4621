// The plan: what to measure, where, and for how long. schema/plan.schema.json describes its JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/access_shape.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"
#include "streamgage/placement/placement_request.hpp"
#include "streamgage/statistics/sampling.hpp"

namespace streamgage::engine {

// The version of plan and records. A plan of a newer version is refused.
constexpr int kSchemaVersion = 1;

enum class ElementType { kDouble, kFloat };

std::string_view name_of(ElementType type);
std::size_t size_of(ElementType type);  // bytes

// The first content of the arrays: the same well-mixed values in every run, one value per array,
// or values drawn by the seed of the run. See measure/expectation.hpp.
enum class Init { kPattern, kConstant, kRandom };

std::string_view name_of(Init init);

// The greatest alignment of arrays that a plan may ask for.
constexpr std::uint64_t kMostAlignment = std::uint64_t{1} << 30U;

// A shape that the tuner chose in an earlier run; the default shape means that none was faster.
struct KnownShape {
  std::string kernel;
  std::string store;
  std::string isa;
  AccessShape shape;
  // The fastest shape that prefetches for writing.
  std::optional<AccessShape> forced_read = std::nullopt;
};

struct TuningRequest {
  double budget_seconds = 20.0;   // for all races together
  std::vector<KnownShape> known;  // is not raced again
  // Whether to tune before anything is measured. Otherwise, if the plan has tiers, tuning gets the
  // time that they leave.
  bool first = true;
};

// A group of variants that is measured before later groups: these kernels with these stores.
struct Tier {
  std::vector<std::string> kernels;  // the first ones are taken where there is no time for all
  std::optional<std::vector<std::string>> stores = std::nullopt;  // none: all
};

// Plain kernels that somebody else compiled.
struct PlainLibrary {
  std::string path;  // of a shared object; see kernels/plain/plain_library.hpp
  std::string code;  // what made it: compiler and flags
};

// What a file with a user's kernel is: a shared object for the processor, which declares it by
// streamgage/kernel.h, or a source that the driver of a device compiles.
enum class KernelLanguage { kSharedObject, kOpenClC, kCudaCpp };

std::string_view name_of(KernelLanguage language);

struct OwnKernelFile {
  std::string path;
  std::string code;                                  // what made it: compiler and flags
  std::optional<std::string> source = std::nullopt;  // the file as the user named it
  KernelLanguage language = KernelLanguage::kSharedObject;
};

struct Plan {
  // The device to measure instead of the processor, as devices/device.hpp names it. Then neither
  // threads nor stores are chosen.
  std::optional<std::string> device = std::nullopt;
  bool copies = false;  // of the device from and to the host, in place of kernels
  std::optional<std::string> peer = std::nullopt;  // the device that takes the host's place
  std::vector<std::string> kernels = {};
  // Built-in kernels that are measured only to interpret the others; see choose_variants().
  std::vector<std::string> evidence = {};
  std::vector<OwnKernelFile> own_kernels = {};
  double kernel_timeout_seconds = 60.0;            // of a run of one of these
  bool check_kernels = false;                      // check these, and measure nothing
  std::optional<std::vector<std::string>> stores;  // none: the customary ones of each kernel
  std::optional<std::vector<std::string>> isas;    // none: the best that the processor has
  std::optional<AccessShape> shape;                // measured next to the default shape
  std::optional<TuningRequest> tuning;             // none: no shape is looked for
  std::optional<PlainLibrary> plain_library = std::nullopt;  // in place of the engine's own
  ElementType type = ElementType::kDouble;
  Init init = Init::kPattern;
  // Each array starts at a multiple of this power of two that is not a multiple of a greater one.
  // Empty: at a multiple of 2 MiB.
  std::optional<std::uint64_t> alignment_bytes = std::nullopt;
  PlacementRequest placement;
  std::optional<std::uint64_t> array_bytes;  // none: by STREAM's 4x rule
  // Size of all arrays that a kernel uses together; replaces array_bytes.
  std::optional<std::uint64_t> working_set_bytes = std::nullopt;
  // Replaces the last-level caches that the machine reports.
  std::optional<std::uint64_t> last_level_cache_bytes = std::nullopt;
  std::optional<std::uint64_t> seed;  // none: drawn at random, and recorded
  // With tiers, the budget covers the whole run, including memory, tuning and the check of results.
  Sampling sampling;
  // The order of measuring: each tier is finished before the next begins. A variant belongs to the
  // first tier that names it, otherwise to one more tier at the end. A user's own kernels belong
  // to the first tier. Empty: all variants are measured together.
  std::vector<Tier> tiers = {};
  PageSize pages = PageSize::kHuge;
  CpuList memory_nodes;  // OS numbers of the NUMA nodes to take memory from; none: first touch
  // Also measure what interpretation needs: forced reads, a series of threads, idle latency.
  bool checks = false;
  // Also measure what STREAM itself would print; see measure/stream_view.hpp.
  bool stream_view = false;
  bool idle_latency = false;  // also measured without the checks; a failure where it cannot be
  bool core_clock = false;    // also measure at which clock the first thread's core runs
  // Also count the memory traffic, if this system has a source of it.
  bool counters = false;
  // Theoretical peak of the memory in use, if known: a source that shows more is rejected.
  std::optional<double> peak_bytes_per_second = std::nullopt;
};

// Reads the part of a plan that says where threads run.
Result<void> read_placement(const nlohmann::ordered_json& object, PlacementRequest& placement);

// Does not check whether the names of kernels and store modes exist; the catalogue does.
Result<Plan> parse_plan(std::string_view text);

}  // namespace streamgage::engine
