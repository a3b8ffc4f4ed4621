// Lists of CPUs in the kernel's notation: "0-3,8". OS numbers, in the order written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "streamgage/base/error.hpp"

namespace streamgage {

// CPUs, or NUMA nodes, by the numbers of the operating system.
using CpuList = std::vector<int>;

// Parses "0,4-6" or "3-1" (a descending range); keeps order and repetitions. Returns an error that
// names the wrong part for an empty text, a stray sign or a number beyond 2^20.
Result<CpuList> parse_cpu_list(std::string_view text);

// Returns the shortest notation of the list in its order: ascending runs are joined.
std::string format_cpu_list(const CpuList& cpus);

// Returns text such as "CPU 1" or "CPUs 0-1,3".
std::string name_cpus(const CpuList& cpus);

}  // namespace streamgage
