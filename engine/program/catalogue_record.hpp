// The record "catalogue": the names that a plan may have.
#pragma once

#include "base/json_lines.hpp"

namespace streamgage::engine {

Json catalogue_record();

}  // namespace streamgage::engine
