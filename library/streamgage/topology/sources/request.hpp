// Finds out whether the environment requests another topology than this system's from hwloc.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The variables, each of which describes a machine.
inline constexpr std::string_view kSyntheticMachine = "HWLOC_SYNTHETIC";
inline constexpr std::string_view kStoredXml = "HWLOC_XMLFILE";
inline constexpr std::string_view kStoredRoot = "HWLOC_FSROOT";
inline constexpr std::string_view kStoredCpuid = "HWLOC_CPUID_PATH";

struct TopologyRequest {
  std::string variable;
  std::string value;
  std::optional<std::string> rival = {};  // another variable that describes a machine, too

  // Returns the request as text, such as "HWLOC_SYNTHETIC='pack:2'".
  [[nodiscard]] std::string text() const;
};

// Returns the request of the environment. Nothing if there is none.
std::optional<TopologyRequest> find_request();

// Returns whether the environment says that the described machine is this one (HWLOC_THISSYSTEM=1).
bool is_declared_this_system();

// Returns the place of the described machine's kernel files, which is below HWLOC_FSROOT. Nothing
// for other requests, which have no such files.
std::optional<FileRoots> stored_files(const TopologyRequest& request);

}  // namespace streamgage
