#include "kernels/store_mode.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace streamgage::engine {

std::string_view name_of(StoreMode mode) {
  switch (mode) {
    case StoreMode::kPlain:
      return "plain";
    case StoreMode::kRegular:
      return "regular";
    case StoreMode::kStreaming:
      return "streaming";
    case StoreMode::kClaim:
      return "claim";
    case StoreMode::kLibc:
      break;
  }
  return "libc";
}

std::string name_of_figure(std::string_view kernel, StoreMode mode) {
  return mode == StoreMode::kPlain ? std::string(kernel)
                                   : fmt::format("{} {}", kernel, name_of(mode));
}

VectorStore vector_store(StoreMode mode) {
  switch (mode) {
    case StoreMode::kStreaming:
      return VectorStore::kStreaming;
    case StoreMode::kClaim:
      return VectorStore::kClaim;
    default:
      return VectorStore::kRegular;
  }
}

Result<StoreMode> find_store_mode(std::string_view name) {
  std::vector<std::string_view> names;
  for (const StoreMode mode : kStoreModes) {
    if (name_of(mode) == name) {
      return mode;
    }
    names.push_back(name_of(mode));
  }
  return usage_error(fmt::format("there is no store mode '{}'; the store modes are {}", name,
                                 fmt::join(names, ", ")));
}

}  // namespace streamgage::engine
