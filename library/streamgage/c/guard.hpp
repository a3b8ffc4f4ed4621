// Passes errors to C, as a status and a text; no exception gets there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/streamgage.h"

namespace streamgage {

// Notes the error, if the caller wants to know it.
inline streamgage_status note_error(streamgage_error* error, streamgage_status status,
                                    std::string_view message) {
  if (error != nullptr) {
    const std::size_t length = std::min(message.size(), sizeof error->message - 1);
    message.copy(error->message, length);
    error->message[length] = '\0';
    error->status = status;
  }
  return status;
}

inline streamgage_status note_error(streamgage_error* error, const Error& wrong) {
  const bool bad = wrong.status == ExitStatus::kUsage;
  return note_error(error, bad ? STREAMGAGE_BAD_REQUEST : STREAMGAGE_FAILED, wrong.message);
}

// Returns the value of `call`, a Result. If it has none, notes the error and returns `otherwise`.
template <class Value, class Call>
Value guarded(streamgage_error* error, Value otherwise, Call&& call) {
  (void)note_error(error, STREAMGAGE_OK, "");
  try {
    auto result = std::forward<Call>(call)();
    if (result) {
      return *std::move(result);
    }
    (void)note_error(error, result.error());
  } catch (const std::bad_alloc&) {
    (void)note_error(error, STREAMGAGE_FAILED, "there is no memory left");
  } catch (const std::exception& thrown) {
    (void)note_error(error, STREAMGAGE_FAILED, thrown.what());
  } catch (...) {
    (void)note_error(error, STREAMGAGE_FAILED, "something other than a std::exception was thrown");
  }
  return otherwise;
}

// Does the same for a call without a value.
template <class Call>
streamgage_status guarded_status(streamgage_error* error, Call&& call) {
  streamgage_error own{};
  streamgage_error* const noted = error == nullptr ? &own : error;
  (void)guarded(noted, false, [&call]() -> Result<bool> {
    return std::forward<Call>(call)().map([] { return true; });
  });
  return noted->status;
}

// Returns an error if one of the pointers is null, which none of them may be.
template <class... Pointer>
Result<void> require(Pointer... pointers) {
  if ((!pointers || ...)) {
    return usage_error("a null pointer was given where something must be");
  }
  return {};
}

// Returns the numbers that a caller gives; none for a null pointer.
inline CpuList copy_in(const int* numbers, std::size_t count) {
  return numbers == nullptr ? CpuList{} : CpuList(numbers, numbers + count);
}

// Writes as many elements as fit, none to a null pointer, and returns how many there are.
template <class List, class Number>
std::size_t copy_out(const List& list, Number* numbers, std::size_t most) {
  if (numbers != nullptr) {
    std::copy_n(list.begin(), std::min(list.size(), most), numbers);
  }
  return list.size();
}

}  // namespace streamgage
