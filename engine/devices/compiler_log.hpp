// What the compilers of devices say of a source: they print it, each in its own form.
#pragma once

#include <string>
#include <string_view>

namespace streamgage::engine {

// The log from its first error on, shortened; of one without errors, its beginning.
std::string errors_of(std::string_view log);

// The first error of a log, for people: "mine.cu:12: expected an expression". `file`: as the user
// named it. An error without its line stays as it is printed; of a log without errors, it is the
// first line.
std::string first_error_of(std::string_view log, const std::string& file);

}  // namespace streamgage::engine
