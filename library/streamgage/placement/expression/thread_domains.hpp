// The machine as placement expressions see it: its domains, and the CPUs of each that this process
// may use.
#pragma once

#include <string>
#include <vector>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/placement/expression/syntax.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage {

// One domain. Both lists hold the CPUs of it that this process may use, which may be none.
struct ThreadDomain {
  DomainName name;
  std::string words;  // "socket 0"
  CpuList compact;    // socket, core, then the hardware threads of a core side by side
  CpuList sorted;     // the first hardware threads of all cores, then the second ones
};

struct ThreadDomains {
  // Every domain of the machine. Each kind is numbered from 0: sockets, dies and caches in the
  // order of their cores, and NUMA domains with CPUs in the order of their OS numbers.
  std::vector<ThreadDomain> all;
  CpuList allowed;          // ascending
  bool restricted = false;  // there are CPUs online that this process may not use

  [[nodiscard]] const ThreadDomain& node() const { return all.front(); }
  [[nodiscard]] const ThreadDomain* find(DomainName name) const;
  [[nodiscard]] std::vector<const ThreadDomain*> of_kind(DomainKind kind) const;
};

ThreadDomains thread_domains(const Machine& machine);

}  // namespace streamgage
