// Counters that play back what was recorded. JSON Lines, a line a reading:
//   {"pmu": "uncore_imc_0", "event": "cas_count_read", "cpu": 0,
//    "value": 12, "enabled": 1000, "running": 1000}
// or, in place of the three numbers, "error": "EIO" for a reading that fails, "open": "EACCES" for
// a counter that cannot be opened. What no counter can do is refused: to be opened and not to be,
// to run for longer than it is enabled, or to go back in time.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "streamgage/base/error.hpp"
#include "streamgage/counters/source/counter_opener.hpp"

namespace streamgage {

// Opens recorded counters.
class ReplayOpener final : public CounterOpener {
 public:
  // Reads the recording, or its file. Errors name the line that cannot be read.
  static Result<std::unique_ptr<ReplayOpener>> from_text(std::string_view text);
  static Result<std::unique_ptr<ReplayOpener>> from_file(const std::string& path);

  // A counter that was not recorded does not exist. After its last line it can no longer be read.
  OpenedCounter open(const CounterRequest& request) override;

  // Returns true: these counters are always replayed.
  [[nodiscard]] bool is_replay() const override { return true; }

  // Returns the number of readings of the counter with the most readings.
  [[nodiscard]] std::size_t readings() const;

 private:
  using Key = std::tuple<std::string, std::string, int>;  // PMU, event, CPU
  struct Stream {
    std::error_code open_error;
    std::vector<tl::expected<Tally, std::error_code>> readings;
    Tally last;  // of the readings that did not fail
  };
  Result<void> add_line(std::string_view line);
  static Result<void> add_open_error(Stream& stream, std::error_code error);
  static Result<void> add_failed_reading(Stream& stream, std::error_code error);
  static Result<void> add_reading(Stream& stream, const Tally& tally);

  std::map<Key, Stream> streams_;
};

}  // namespace streamgage
