// Writes texts and CPUs for errors about expressions.
#pragma once

#include <string>
#include <string_view>

#include "streamgage/base/cpu_list.hpp"

namespace streamgage {

// Returns a text of the user, cut if it is long, without control characters.
std::string shown(std::string_view text);

// Returns the same in single quotes.
std::string quoted(std::string_view text);

// Returns CPUs in their order: each of them if they are few, and never a long line.
std::string shown_cpus(const CpuList& cpus);

}  // namespace streamgage
