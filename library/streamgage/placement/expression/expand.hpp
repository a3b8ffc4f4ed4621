// The CPUs that a placement expression stands for on a machine.
#pragma once

#include <string_view>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/placement/expression/syntax.hpp"
#include "streamgage/placement/expression/thread_domains.hpp"

namespace streamgage {

// Whether a CPU may be given to more than one thread: then indexes and counts that go past the end
// of a domain begin again, and a CPU may be named twice. A CPU that is not there stays an error.
enum class Oversubscribe { kRefused, kAllowed };

// One CPU a thread, in thread order; at most 65,536. An error names the part that is not available
// and the CPUs of its domain.
Result<CpuList> expand(const Expression& expression, const ThreadDomains& domains,
                       Oversubscribe oversubscribe = Oversubscribe::kRefused);

// Both steps: the text to its CPUs.
Result<CpuList> expand(std::string_view text, const Machine& machine, Oversubscribe oversubscribe);

}  // namespace streamgage
