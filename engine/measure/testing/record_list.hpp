// For tests: a sink that keeps what it is given, and can fail or raise a signal after so many
// records.
#pragma once

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_lines.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

class RecordList final : public RecordSink {
 public:
  Result<void> write(const Json& record) override {
    if (records.size() == fail_after) {
      return failure("the records cannot be written");
    }
    records.push_back(record);
    if (records.size() == signal_after) {
      (void)std::raise(SIGTERM);
      (void)std::raise(SIGTERM);  // a parent's death may send it twice
    }
    return {};
  }
  [[nodiscard]] std::vector<Json> of(std::string_view type) const {
    std::vector<Json> found;
    for (const Json& record : records) {
      if (record["record"] == type) {
        found.push_back(record);
      }
    }
    return found;
  }
  // The kinds of the records in their order, each run of equal ones once.
  [[nodiscard]] std::vector<std::string> kinds() const {
    std::vector<std::string> found;
    for (const Json& record : records) {
      auto kind = record["record"].get<std::string>();
      if (found.empty() || found.back() != kind) {
        found.push_back(std::move(kind));
      }
    }
    return found;
  }

  std::vector<Json> records;
  std::size_t fail_after = SIZE_MAX;
  std::size_t signal_after = SIZE_MAX;
};

}  // namespace streamgage::engine
