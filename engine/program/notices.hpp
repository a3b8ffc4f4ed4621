// The licences of the engine and of what it contains, which the build collects; see notices.cmake.
#pragma once

#include <string_view>

namespace streamgage::engine {

extern const std::string_view kNotices;

}  // namespace streamgage::engine
