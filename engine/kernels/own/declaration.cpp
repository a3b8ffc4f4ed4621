#include "kernels/own/declaration.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

namespace streamgage::engine {
namespace {

constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestFormula = 256;
constexpr double kMostPerIteration = 1e5;
constexpr std::int64_t kMostExtra = std::int64_t{1} << 38U;
constexpr double kLeastPerIteration = 1e-6;
// A line of 64 bytes for each of as many elements as an iteration may have, and some.
constexpr double kMostBytesPerIteration = 1e7;
constexpr double kMostFlopsPerIteration = 1e9;

// Nothing where there is none, or it does not end soon.
std::optional<std::string> text_of(const char* text, std::size_t longest) {
  if (text == nullptr) {
    return std::nullopt;
  }
  const std::size_t length = strnlen(text, longest + 1);
  return length == 0 || length > longest ? std::nullopt : std::optional(std::string(text, length));
}

bool is_name(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' || letter == '_';
  });
}

bool is_line(const std::string& text) {
  return std::none_of(text.begin(), text.end(), [](char letter) {
    return static_cast<unsigned char>(letter) < ' ' || letter == '\x7f';
  });
}

// 0 stands for the usual amount. False for what is no number, too.
bool is_amount(double value, double least, double most) {
  return value == 0.0 || (value >= least && value <= most);
}

std::optional<ArrayType> type_of(const std::string& name) {
  for (const ArrayType type :
       {ArrayType::kDouble, ArrayType::kFloat, ArrayType::kInt32, ArrayType::kInt64}) {
    if (name == name_of(type)) {
      return type;
    }
  }
  return std::nullopt;
}

std::optional<std::string> take_array(const streamgage_array& declared, int number,
                                      OwnKernel& kernel) {
  const auto name = text_of(declared.name, kLongestName);
  if (!name || !is_name(*name)) {
    return fmt::format(
        R"(has no valid name for array number {}; use 1 to {} letters, digits, "-" and "_")",
        number, kLongestName);
  }
  const auto& arrays = kernel.arrays;
  if (std::any_of(arrays.begin(), arrays.end(),
                  [&](const auto& one) { return one.name == *name; })) {
    return fmt::format("has two arrays named {}", *name);
  }
  const auto type = type_of(text_of(declared.type, kLongestName).value_or(""));
  if (!type) {
    return fmt::format(
        "declares an unknown type for its array {}; use \"double\", \"float\", \"int32\" or "
        "\"int64\"",
        *name);
  }
  constexpr std::array kAccesses{STREAMGAGE_READ, STREAMGAGE_WRITE, STREAMGAGE_READ_WRITE};
  if (std::find(kAccesses.begin(), kAccesses.end(), declared.access) == kAccesses.end()) {
    return fmt::format(
        "does not declare how it uses its array {}; write STREAMGAGE_READ, STREAMGAGE_WRITE or "
        "STREAMGAGE_READ_WRITE",
        *name);
  }
  if (!is_amount(declared.per_iteration, kLeastPerIteration, kMostPerIteration)) {
    return fmt::format(
        "declares for its array {} {} elements per iteration; use a number from {} to {}, or 0 for "
        "1",
        *name, declared.per_iteration, kLeastPerIteration, kMostPerIteration);
  }
  if (declared.extra < 0 || declared.extra > kMostExtra) {
    return fmt::format("declares for its array {} {} extra elements; use a number from 0 to {}",
                       *name, declared.extra, kMostExtra);
  }
  if (!is_amount(declared.bytes, kLeastPerIteration, kMostBytesPerIteration)) {
    return fmt::format(
        "declares that its array {} moves {} bytes per iteration over the memory bus; use a number "
        "from {} to {}, or 0 for the size of its elements",
        *name, declared.bytes, kLeastPerIteration, kMostBytesPerIteration);
  }
  OwnArray array;
  array.name = *name;
  array.type = *type;
  array.is_read = declared.access != STREAMGAGE_WRITE;
  array.is_written = declared.access != STREAMGAGE_READ;
  array.per_iteration = declared.per_iteration == 0.0 ? 1.0 : declared.per_iteration;
  array.extra = declared.extra;
  array.bytes = declared.bytes == 0.0
                    ? array.per_iteration * static_cast<double>(size_of(array.type))
                    : declared.bytes;
  kernel.arrays.push_back(std::move(array));
  return std::nullopt;
}

}  // namespace

std::optional<std::string> take_declaration(const streamgage_kernel& declared, OwnKernel& kernel) {
  // Before anything else is looked at: another version has other fields.
  if (declared.version != STREAMGAGE_KERNEL_VERSION) {
    return fmt::format(
        "uses version {} of streamgage/kernel.h, but this engine knows version {}; compile it with "
        "the header of this streamgage",
        declared.version, STREAMGAGE_KERNEL_VERSION);
  }
  const auto name = text_of(declared.name, kLongestName);
  if (!name || !is_name(*name)) {
    return fmt::format(R"(declares no valid name; use 1 to {} letters, digits, "-" and "_")",
                       kLongestName);
  }
  kernel.name = *name;
  if (find_kernel(*name)) {
    return "has the name of a built-in kernel; give it another name";
  }
  const auto formula = text_of(declared.formula, kLongestFormula);
  if (!formula || !is_line(*formula)) {
    return fmt::format("declares no valid formula; use one line of 1 to {} bytes", kLongestFormula);
  }
  kernel.formula = *formula;
  if (declared.array_count < 1 || declared.array_count > STREAMGAGE_MOST_ARRAYS) {
    return fmt::format("declares {} arrays; declare 1 to {}", declared.array_count,
                       STREAMGAGE_MOST_ARRAYS);
  }
  if (declared.arrays == nullptr) {
    return fmt::format("declares {} arrays, but not their names and types", declared.array_count);
  }
  for (std::int32_t number = 0; number < declared.array_count; ++number) {
    if (auto wrong = take_array(declared.arrays[number], number + 1, kernel)) {
      return wrong;
    }
  }
  if (!is_amount(declared.flops, 0.0, kMostFlopsPerIteration)) {
    return fmt::format("declares {} flops per iteration; use a number from 0 to {}", declared.flops,
                       kMostFlopsPerIteration);
  }
  if (declared.grain < 0 || declared.grain > kMostExtra) {
    return fmt::format("declares a grain of {} iterations; use a number from 0 to {}",
                       declared.grain, kMostExtra);
  }
  if (declared.run == nullptr) {
    return "declares no function to run";
  }
  kernel.flops = declared.flops;
  kernel.grain = std::max<std::int64_t>(declared.grain, 1);
  kernel.run = declared.run;
  kernel.fill = declared.fill;
  kernel.check = declared.check;
  return std::nullopt;
}

}  // namespace streamgage::engine
