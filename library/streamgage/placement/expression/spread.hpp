// The methods scatter, balanced and cbalanced: CPUs out of several domains.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/placement/expression/syntax.hpp"
#include "streamgage/placement/expression/thread_domains.hpp"

namespace streamgage {

// Takes CPUs from one domain or more, none of them empty. With `wraps`, a domain with too few CPUs
// gives them again. Otherwise that is an error, worded as the rest of a sentence that begins with
// the part.
tl::expected<CpuList, std::string> spread_over(const std::vector<const ThreadDomain*>& domains,
                                               const SpreadOverDomains& spread, bool wraps);

}  // namespace streamgage
