// The plan of a run that measures latency: over working sets, and while other threads load the
// memory. schema/latency_plan.schema.json describes its JSON.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/array.hpp"

namespace streamgage::engine {

// The mix of reads and writes of the load threads. A ratio counts the lines that are read over the
// memory bus for each line that is written.
enum class Mix {
  kReads,       // reads alone
  kThreeToOne,  // three lines read for each one written
  kTwoToOne,
  kOneToOne,
  kStreaming,  // streaming stores alone
};

inline constexpr std::array kMixes = {Mix::kReads, Mix::kThreeToOne, Mix::kTwoToOne, Mix::kOneToOne,
                                      Mix::kStreaming};

std::string_view name_of(Mix mix);

struct LoadRequest {
  std::vector<Mix> mixes;
  std::vector<double> shares;  // of the highest rate of the mix: 0, or 0.001 to 1
  double seconds = 0.1;        // of each point, 60 at most
};

struct LatencyPlan {
  // Measured in place of the processor, as devices/device.hpp names it; then there is neither
  // placement nor load.
  std::optional<std::string> device = std::nullopt;
  PlacementRequest placement;              // the first thread walks, the others load the memory
  std::vector<std::uint64_t> chain_bytes;  // working sets whose idle latency is measured
  std::optional<LoadRequest> load;         // none: idle latency alone
  int rounds = 3;
  std::optional<std::uint64_t> seed;  // none: drawn at random, and recorded
  PageSize pages = PageSize::kHuge;
};

// Returns whether the text is such a plan: it has "measure": "latency".
bool is_latency_plan(std::string_view text);

Result<LatencyPlan> parse_latency_plan(std::string_view text);

// The plan as it was resolved.
Json latency_plan_record(const LatencyPlan& plan, std::uint64_t seed, int threads);

}  // namespace streamgage::engine
