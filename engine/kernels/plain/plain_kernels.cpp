#include "kernels/plain/plain_kernels.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#define STREAMGAGE_EACH_KERNEL(use, prefix)                                                \
  use(prefix, init) use(prefix, sum) use(prefix, dot) use(prefix, copy) use(prefix, scale) \
      use(prefix, update) use(prefix, add) use(prefix, triad) use(prefix, daxpy)           \
          use(prefix, striad) use(prefix, sdaxpy) use(prefix, bracket)

#define STREAMGAGE_DECLARE(prefix, name)                                              \
  double prefix##name(void* a, const void* b, const void* c, const void* d, double s, \
                      std::int64_t begin, std::int64_t end);
#define STREAMGAGE_LIST(prefix, name) prefix##name,

extern "C" {
#define STREAMGAGE_PLAIN_LEVEL(level, isa, flags)                     \
  STREAMGAGE_EACH_KERNEL(STREAMGAGE_DECLARE, plain_##level##_double_) \
  STREAMGAGE_EACH_KERNEL(STREAMGAGE_DECLARE, plain_##level##_float_)
#include "plain_levels.inc"
#undef STREAMGAGE_PLAIN_LEVEL
}

namespace streamgage::engine {
namespace {

using KernelTable = std::array<streamgage_range_kernel, kCatalogue.size()>;

struct PlainLevel {
  std::string_view isa;
  std::string_view flags;
  KernelTable of_double;
  KernelTable of_float;
};

// Best level first, as the build lists them.
const PlainLevel kLevels[] = {
#define STREAMGAGE_PLAIN_LEVEL(level, isa, flags)                      \
  {isa,                                                                \
   flags,                                                              \
   {STREAMGAGE_EACH_KERNEL(STREAMGAGE_LIST, plain_##level##_double_)}, \
   {STREAMGAGE_EACH_KERNEL(STREAMGAGE_LIST, plain_##level##_float_)}},
#include "plain_levels.inc"
#undef STREAMGAGE_PLAIN_LEVEL
};

// What the build read from the object code; functions that it could not read are not listed.
struct Calls {
  streamgage_range_kernel function;
  std::string_view names;  // parted by spaces
};

const Calls kCalls[] = {
#define STREAMGAGE_CALLS(function, names) {function, names},
#include "plain_calls.inc"
#undef STREAMGAGE_CALLS
    {nullptr, ""},
};

std::optional<std::vector<std::string>> calls_of(streamgage_range_kernel function) {
  const auto* found =
      std::find_if(std::begin(kCalls), std::end(kCalls),
                   [function](const Calls& calls) { return calls.function == function; });
  if (found == std::end(kCalls)) {
    return std::nullopt;
  }
  std::istringstream names{std::string(found->names)};
  return std::vector<std::string>(std::istream_iterator<std::string>(names), {});
}

bool processor_has(std::string_view isa) {
#if defined(__x86_64__)
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  if (isa == "x86-64-v4") {
    return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
  }
  if (isa == "x86-64-v3") {
    return v3;
  }
#endif
  return isa == "x86-64" || isa == "baseline";
}

std::vector<const PlainLevel*> levels_here() {
  std::vector<const PlainLevel*> levels;
  for (const PlainLevel& level : kLevels) {
    if (processor_has(level.isa)) {
      levels.push_back(&level);
    }
  }
  return levels;
}

}  // namespace

std::vector<std::string> plain_levels() {
  std::vector<std::string> names;
  for (const PlainLevel* level : levels_here()) {
    names.emplace_back(level->isa);
  }
  return names;
}

std::size_t plain_level_of(std::string_view vector_isa) {
  const auto levels = plain_levels();
  const std::string_view wanted = vector_isa == "AVX-512" ? "x86-64-v4"
                                  : vector_isa == "AVX2"  ? "x86-64-v3"
                                                          : std::string_view(levels.back());
  const auto found = std::find(levels.begin(), levels.end(), wanted);
  return found != levels.end() ? static_cast<std::size_t>(found - levels.begin())
                               : levels.size() - 1;
}

PlainKernel plain_kernel(KernelId kernel, ElementType type, std::size_t number) {
  const PlainLevel& level = *levels_here().at(number);
  const KernelTable& table = type == ElementType::kDouble ? level.of_double : level.of_float;
  const streamgage_range_kernel run = table.at(static_cast<std::size_t>(kernel));
  return {run, std::string(level.isa), fmt::format("{} {}", STREAMGAGE_PLAIN_COMPILER, level.flags),
          calls_of(run)};
}

}  // namespace streamgage::engine
