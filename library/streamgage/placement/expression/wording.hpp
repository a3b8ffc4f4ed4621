// How errors about expressions show texts and CPUs.
#pragma once

#include <string>
#include <string_view>

#include "streamgage/base/cpu_list.hpp"

namespace streamgage {

// A text of the user's, cut where it is long; control characters are left out.
std::string shown(std::string_view text);

// The same in single quotes.
std::string quoted(std::string_view text);

// CPUs in their order: each one where they are few, and never a long line.
std::string shown_cpus(const CpuList& cpus);

}  // namespace streamgage
