// The CPUs of one part of an expression, whatever the other parts name.
#pragma once

#include <cstddef>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/placement/expression/expand.hpp"
#include "streamgage/placement/expression/syntax.hpp"
#include "streamgage/placement/expression/thread_domains.hpp"

namespace streamgage {

// Returns up to `most` CPUs in thread order. CPUs that the part names twice stay twice.
Result<CpuList> select_cpus(const ExpressionPart& part, const ThreadDomains& domains,
                            Oversubscribe oversubscribe, std::size_t most);

}  // namespace streamgage
