// Finds the memory whose traffic a counter counts.
#pragma once

#include <map>
#include <optional>

#include "streamgage/base/error.hpp"
#include "streamgage/counters/memory_domain.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// The smallest part of the memory that a PMU reports separately.
enum class DomainScope { kPackage, kNode, kMachine };

// The packages and nodes of this machine.
class MemoryDomains {
 public:
  explicit MemoryDomains(const FileRoots& roots);

  // Returns the domain that a PMU counts if it is read on that CPU. It is an error if the CPU is
  // not online. On a machine of one package, no domain is wider than the package.
  [[nodiscard]] Result<MemoryDomain> of_cpu(int cpu, DomainScope scope) const;

 private:
  [[nodiscard]] MemoryDomain of_package(std::optional<int> package) const;

  struct Home {
    std::optional<int> package;
    std::optional<int> node;
  };
  std::map<int, Home> homes_;  // of every online CPU
  int packages_ = 1;
};

}  // namespace streamgage
