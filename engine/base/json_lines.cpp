#include "base/json_lines.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace streamgage {

Result<void> JsonLines::write(const Json& record) {
  if (broken_) {
    return tl::unexpected<Error>(*broken_);
  }
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
      broken_ =
          Error{fmt::format("the records cannot be written: {}; what was written before is kept",
                            std::strerror(errno)),
                ExitStatus::kFailed};
      return tl::unexpected<Error>(*broken_);
    }
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace streamgage
