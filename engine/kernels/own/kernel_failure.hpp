// Why a user's kernel is left out, as the records report it.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace streamgage::engine {

enum class FailureReason {
  kCompile,      // the compiler of a device does not take it
  kDeclaration,  // it declares nothing, or what cannot be
  kCrash,        // its code ended the process, or would have
  kTimeout,      // it did not return
  kOutside,      // it wrote outside its range or its arrays
  kAccess,       // it reads or writes other arrays than it declares
  kDivision,     // its result depends on how the iterations are divided among threads
  kCheck,        // its own check found wrong results
};

// Returns a literal, so it is safe in a signal handler.
const char* name_of(FailureReason reason);

struct KernelFailure {
  std::optional<std::string> kernel;  // none where it does not even declare a name
  std::string source;
  FailureReason reason = FailureReason::kCrash;
  std::string message;  // a sentence without its full stop
};

// Returns the subject of a sentence about a kernel; an empty name means that it is not known yet.
std::string subject_of(const std::string& name, const std::string& source);

nlohmann::ordered_json to_record(const KernelFailure& failure);

}  // namespace streamgage::engine
