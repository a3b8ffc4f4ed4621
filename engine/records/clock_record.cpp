#include "records/clock_record.hpp"

#include <nlohmann/json.hpp>

#include "contract/setting.hpp"

namespace streamgage::engine {

nlohmann::ordered_json to_record(const ClockFacts& clock) {
  return to_json(record::Clock{.source = clock.source,
                               .granularity_seconds = clock.granularity_seconds,
                               .overhead_seconds = clock.overhead_seconds});
}

}  // namespace streamgage::engine
