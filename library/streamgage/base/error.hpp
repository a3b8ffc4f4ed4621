// Errors as values: one sentence that says what is wrong and what to do, and the exit status.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace streamgage {

// The exit status of a program that ends for this reason; the program itself must exit.
enum class ExitStatus : int {
  kOk = 0,
  kFailed = 1,  // a measurement that failed or is invalid
  kUsage = 2,   // a request that cannot be met
};

// A message that says what is wrong and what to do.
struct Error {
  std::string message;
  ExitStatus status = ExitStatus::kFailed;
};

// A value, or the error that explains why there is none.
template <class T>
using Result = tl::expected<T, Error>;

// Makes an error for a request that cannot be met.
inline tl::unexpected<Error> usage_error(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message), ExitStatus::kUsage});
}

// Makes an error for an action that failed.
inline tl::unexpected<Error> failure(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message), ExitStatus::kFailed});
}

}  // namespace streamgage
