// JSON Lines on a file descriptor: each record leaves the process whole, as it happens, so that a
// run that is killed keeps every record before that.
#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include <nlohmann/json.hpp>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

class RecordSink {
 public:
  RecordSink() = default;
  RecordSink(const RecordSink&) = delete;
  RecordSink& operator=(const RecordSink&) = delete;
  RecordSink(RecordSink&&) = delete;
  RecordSink& operator=(RecordSink&&) = delete;
  virtual ~RecordSink() = default;
  virtual Result<void> write(const Json& record) = 0;
  Result<void> write_all(const std::vector<Json>& records);
  // Writes the record unless it is null.
  Result<void> write_unless_null(const Json& record);
  // Writes a last record, even while write() runs in another thread; later records are not written.
  virtual void write_last(const Json& /*record*/) {}
};

// Writes each record as one line with write(2); the caller keeps the descriptor. After a failure it
// writes nothing more, because the text would be appended to half a line.
class JsonLines final : public RecordSink {
 public:
  explicit JsonLines(int descriptor) : descriptor_(descriptor) {}
  Result<void> write(const Json& record) override;
  void write_last(const Json& record) override;

 private:
  Result<void> write_line(const Json& record);

  int descriptor_;
  std::timed_mutex writing_;
  Result<void> state_;
};

// Drops every record: for callers that want only the outcome.
class NoRecords final : public RecordSink {
 public:
  Result<void> write(const Json& /*record*/) override { return {}; }
};

}  // namespace streamgage::engine
