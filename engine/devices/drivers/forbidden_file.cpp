#include "devices/drivers/forbidden_file.hpp"

#include <unistd.h>

#include <cerrno>

#include <fmt/format.h>

namespace streamgage::engine {

std::string forbidden_file(std::initializer_list<const char*> files) {
  for (const char* const file : files) {
    if (access(file, R_OK | W_OK) != 0 && errno == EACCES) {
      return fmt::format("; this user may not open {}: join the group that may", file);
    }
  }
  return {};
}

}  // namespace streamgage::engine
