// Whose memory a counter counts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "base/error.hpp"
#include "topology/machine.hpp"

namespace streamgage {

// The memory of one package or one NUMA node; of the whole machine where neither is known.
struct MemoryDomain {
  std::optional<int> package;  // logical number
  std::optional<int> node;     // OS number; absent where a package has several with CPUs

  friend bool operator==(const MemoryDomain&, const MemoryDomain&) = default;
  friend bool operator<(const MemoryDomain& a, const MemoryDomain& b) {
    return std::tie(a.package, a.node) < std::tie(b.package, b.node);
  }
};

// How closely a PMU tells where its traffic was.
enum class DomainScope { kPackage, kNode, kMachine };

// "package 1", "node 3", "the machine".
std::string name_of(const MemoryDomain& domain);

// The packages and nodes of this machine.
class MemoryDomains {
 public:
  explicit MemoryDomains(const FileRoots& roots);

  // The domain that a PMU counts which is read on that CPU; an error where the CPU is not online.
  // A machine of one package has no domain wider than that.
  [[nodiscard]] Result<MemoryDomain> of_cpu(int cpu, DomainScope scope) const;

 private:
  [[nodiscard]] MemoryDomain of_package(int package) const;

  struct Home {
    int package = 0;
    int node = 0;
  };
  std::map<int, Home> homes_;  // of every online CPU
  int packages_ = 1;
};

}  // namespace streamgage
