// Records of a run on their way out: a sink that takes no more ends the run.
#pragma once

#include <optional>
#include <vector>

#include "base/json_lines.hpp"
#include "measure/ending.hpp"

namespace streamgage {

class RecordWriter {
 public:
  explicit RecordWriter(RecordSink& sink) : sink_(sink) {}

  [[nodiscard]] RecordSink& sink() const { return sink_; }

  [[nodiscard]] std::optional<Stop> write(const Json& record) const {
    if (const auto written = sink_.write(record); !written) {
      return Stop{0, written.error()};
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Stop> write_all(const std::vector<Json>& records) const {
    for (const Json& record : records) {
      if (auto stop = write(record)) {
        return stop;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Stop> write_unless_null(const Json& record) const {
    return record.is_null() ? std::nullopt : write(record);
  }

 private:
  RecordSink& sink_;
};

}  // namespace streamgage
