#include "kernels/own/kernel_failure.hpp"

#include "base/json_lines.hpp"

namespace streamgage::engine {

std::string subject_of(const std::string& name, const std::string& source) {
  return name.empty() ? source : "the kernel " + name + " of " + source;
}

Json to_record(const KernelFailure& failure) {
  return to_json(record::KernelFailure{.kernel = failure.kernel,
                                       .source = failure.source,
                                       .reason = failure.reason,
                                       .message = failure.message + "."});
}

}  // namespace streamgage::engine
