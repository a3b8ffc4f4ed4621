#include "base/json_lines.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"

namespace streamgage::engine {

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
  STREAMGAGE_TRY(state_);
  // Names of machines and files may hold bytes that are no UTF-8; they must not end a run.
  std::string line = record.dump(-1, ' ', false, Json::error_handler_t::replace);
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      state_ =
          failure(fmt::format("the records cannot be written: {}; what was written before is kept",
                              std::strerror(errno)));
      return state_;
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace streamgage::engine
