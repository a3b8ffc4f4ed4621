// Whether the environment asks hwloc for another topology than this system's.
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

  // "HWLOC_SYNTHETIC='pack:2'"
  [[nodiscard]] std::string text() const;
};

// What it asks for; nothing where it asks for nothing.
std::optional<TopologyRequest> find_request();

// Whether it says that a described machine is this one after all (HWLOC_THISSYSTEM=1).
bool is_declared_this_system();

// Where the described machine's own files of the kernel are: below HWLOC_FSROOT. Nothing for other
// requests, which store no files.
std::optional<FileRoots> stored_files(const TopologyRequest& request);

}  // namespace streamgage
