// Passes errors on with one line for each call that may fail.
#pragma once

#include <utility>

#include <tl/expected.hpp>

// Evaluates an expression of the type Result<T>, or of any other tl::expected. Where it holds an
// error, the function around returns that error; its error type must be the same, or one that this
// one converts to.
//
//   STREAMGAGE_TRY(const auto machine, discover_machine());   // declares `machine`, of type T
//   STREAMGAGE_TRY(plan_, parse_plan(text));                  // assigns to it
//   STREAMGAGE_TRY(bind_this_thread(cpu));                    // Result<void>
//
// It expands to several statements, so it needs braces after `if` or `for`. An expression with a
// comma outside of parentheses needs parentheses around it where it is the only argument.
#define STREAMGAGE_TRY(...)                                                                 \
  STREAMGAGE_TRY_PICK_(__VA_ARGS__, STREAMGAGE_TRY_VALUE_, STREAMGAGE_TRY_VALUE_,           \
                       STREAMGAGE_TRY_VALUE_, STREAMGAGE_TRY_VALUE_, STREAMGAGE_TRY_VALUE_, \
                       STREAMGAGE_TRY_VOID_, )                                              \
  (__VA_ARGS__)
#define STREAMGAGE_TRY_PICK_(a, b, c, d, e, f, picked, ...) picked
#define STREAMGAGE_TRY_VOID_(expression)                         \
  if (auto streamgage_tried = (expression); !streamgage_tried) { \
    return tl::unexpected(std::move(streamgage_tried).error());  \
  }                                                              \
  static_assert(true)
#define STREAMGAGE_TRY_VALUE_(target, ...) \
  STREAMGAGE_TRY_NAMED_(STREAMGAGE_TRY_NAME_(__LINE__), target, __VA_ARGS__)
#define STREAMGAGE_TRY_NAMED_(name, target, ...)    \
  auto name = __VA_ARGS__;                          \
  if (!name) {                                      \
    return tl::unexpected(std::move(name).error()); \
  }                                                 \
  target = *std::move(name)
#define STREAMGAGE_TRY_NAME_(line) STREAMGAGE_TRY_JOIN_(streamgage_tried_, line)
#define STREAMGAGE_TRY_JOIN_(left, right) left##right
