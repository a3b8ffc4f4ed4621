#include "base/json_lines.hpp"

#include <chrono>
#include <cstring>
#include <mutex>
#include <string>

#include <fmt/format.h>

#include "base/output.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

constexpr std::chrono::milliseconds kLongestWait{200};

}  // namespace

Result<void> RecordSink::write_all(const std::vector<Json>& records) {
  for (const Json& record : records) {
    STREAMGAGE_TRY(write(record));
  }
  return {};
}

Result<void> RecordSink::write_unless_null(const Json& record) {
  return record.is_null() ? Result<void>() : write(record);
}

Result<void> JsonLines::write(const Json& record) {
  const std::lock_guard lock(writing_);
  return write_line(record);
}

void JsonLines::write_last(const Json& record) {
  // A line that is not taken for so long stays half: nothing may follow it.
  if (std::unique_lock lock(writing_, kLongestWait); lock.owns_lock()) {
    (void)write_line(record);
    (void)lock.release();
  }
}

Result<void> JsonLines::write_line(const Json& record) {
  STREAMGAGE_TRY(state_);
  // Names of machines and files may hold bytes that are no UTF-8; they must not end a run.
  std::string line = record.dump(-1, ' ', false, Json::error_handler_t::replace);
  line += '\n';
  if (const int error = write_whole(descriptor_, line); error != 0) {
    state_ =
        failure(fmt::format("the records cannot be written: {}; what was written before is kept",
                            std::strerror(error)));
  }
  return state_;
}

}  // namespace streamgage::engine
