#include "streamgage/topology/sources/request.hpp"

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

namespace streamgage {

std::optional<std::string> find_request() {
  for (const char* name : {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT"}) {
    const char* value = std::getenv(name);
    const bool real_root = std::string_view(name) == "HWLOC_FSROOT" && value != nullptr &&
                           std::string_view(value) == "/";
    if (value != nullptr && *value != '\0' && !real_root) {
      return fmt::format("{}='{}'", name, value);
    }
  }
  return std::nullopt;
}

}  // namespace streamgage
