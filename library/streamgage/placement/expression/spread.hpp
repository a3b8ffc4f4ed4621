// The methods scatter, balanced and cbalanced: CPUs out of several domains.
#pragma once

#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/placement/expression/syntax.hpp"
#include "streamgage/placement/expression/thread_domains.hpp"

namespace streamgage {

// From at least one domain, none of them empty. `wraps`: a domain that has not enough CPUs gives
// them again; otherwise that is an error, worded as the rest of a sentence that the part begins.
tl::expected<CpuList, std::string> spread_over(const std::vector<const ThreadDomain*>& domains,
                                               const SpreadOverDomains& spread, bool wraps);

}  // namespace streamgage
