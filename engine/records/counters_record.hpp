// The record "counters": which sources of memory traffic exist, and why others are missing.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "streamgage/counters/survey.hpp"

namespace streamgage::engine {

// `root` is the folder whose files were taken in place of this system's.
nlohmann::ordered_json to_record(const Survey& survey, const std::optional<std::string>& root);

}  // namespace streamgage::engine
