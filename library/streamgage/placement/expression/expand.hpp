// The CPUs that a placement expression stands for on a machine.
#pragma once

#include <string_view>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/placement/expression/syntax.hpp"
#include "streamgage/placement/expression/thread_domains.hpp"

namespace streamgage {

// Whether a CPU may be given to more than one thread. If so, indexes and counts beyond the end of
// a domain begin again at its start, and a CPU may be named twice. A CPU that does not exist is an
// error in any case.
enum class Oversubscribe { kRefused, kAllowed };

// Returns one CPU for each thread, in thread order; at most 65,536. An error names the part that
// is not available and the CPUs of its domain.
Result<CpuList> expand(const Expression& expression, const ThreadDomains& domains,
                       Oversubscribe oversubscribe = Oversubscribe::kRefused);

// Parses the text, and expands it.
Result<CpuList> expand(std::string_view text, const Machine& machine, Oversubscribe oversubscribe);

}  // namespace streamgage
