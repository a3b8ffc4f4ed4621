#include "kernels/own/kernel_failure.hpp"

#include "base/json_lines.hpp"

namespace streamgage::engine {

const char* name_of(FailureReason reason) {
  switch (reason) {
    case FailureReason::kCompile:
      return "compile";
    case FailureReason::kDeclaration:
      return "declaration";
    case FailureReason::kCrash:
      return "crash";
    case FailureReason::kTimeout:
      return "timeout";
    case FailureReason::kOutside:
      return "outside";
    case FailureReason::kAccess:
      return "access";
    case FailureReason::kDivision:
      return "division";
    case FailureReason::kCheck:
      break;
  }
  return "check";
}

std::string subject_of(const std::string& name, const std::string& source) {
  return name.empty() ? source : "the kernel " + name + " of " + source;
}

nlohmann::ordered_json to_record(const KernelFailure& failure) {
  return {{"record", "kernel-failure"},
          {"kernel", or_null(failure.kernel)},
          {"source", failure.source},
          {"reason", name_of(failure.reason)},
          {"message", failure.message + "."}};
}

}  // namespace streamgage::engine
