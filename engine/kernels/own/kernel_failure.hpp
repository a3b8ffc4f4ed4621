// Why a user's kernel is left out, as the records report it.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "contract/own.hpp"

namespace streamgage::engine {

using record::FailureReason;

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
