// The part of the memory whose traffic a counter counts.
#pragma once

#include <optional>
#include <string>
#include <tuple>

namespace streamgage {

// The memory of one package or one NUMA node. If neither is known, that of the whole machine.
struct MemoryDomain {
  std::optional<int> package;  // logical number
  std::optional<int> node;     // OS number; absent where a package has several with CPUs

  friend bool operator==(const MemoryDomain&, const MemoryDomain&) = default;
  friend bool operator<(const MemoryDomain& a, const MemoryDomain& b) {
    return std::tie(a.package, a.node) < std::tie(b.package, b.node);
  }
};

// Returns a name such as "package 1", "node 3" or "the machine".
std::string name_of(const MemoryDomain& domain);

}  // namespace streamgage
