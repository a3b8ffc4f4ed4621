#include "streamgage/topology/sources/request.hpp"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

namespace streamgage {
namespace {

constexpr std::string_view kThisSystem = "HWLOC_THISSYSTEM";

std::optional<std::string> value_of(std::string_view variable) {
  const char* value = std::getenv(std::string(variable).c_str());
  if (value == nullptr || *value == '\0') {
    return std::nullopt;
  }
  return value;
}

}  // namespace

std::string TopologyRequest::text() const { return fmt::format("{}='{}'", variable, value); }

std::optional<TopologyRequest> find_request() {
  std::optional<TopologyRequest> found;
  for (const std::string_view variable : {kSyntheticMachine, kStoredXml, kStoredRoot}) {
    auto value = value_of(variable);
    const bool is_real_root = variable == kStoredRoot && value == "/";
    if (!value || is_real_root) {
      continue;
    }
    if (found) {
      found->rival = variable;
    } else {
      found = TopologyRequest{std::string(variable), std::move(*value)};
    }
  }
  if (found) {
    return found;
  }
  if (auto value = value_of(kStoredCpuid)) {
    return TopologyRequest{std::string(kStoredCpuid), std::move(*value)};
  }
  if (auto value = value_of(kThisSystem); value == "0") {  // hwloc then takes nothing as its own
    return TopologyRequest{std::string(kThisSystem), std::move(*value)};
  }
  return std::nullopt;
}

bool is_declared_this_system() {
  const auto value = value_of(kThisSystem);
  return value && *value != "0";
}

std::optional<FileRoots> stored_files(const TopologyRequest& request) {
  if (request.variable != kStoredRoot) {
    return std::nullopt;
  }
  return FileRoots{request.value + "/proc", request.value + "/sys"};
}

}  // namespace streamgage
