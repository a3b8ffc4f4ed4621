#include "streamgage/placement/expression/wording.hpp"

#include <cstddef>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace streamgage {
namespace {

constexpr std::size_t kLongestQuote = 40;
constexpr std::size_t kLongestList = 120;
constexpr std::size_t kFewCpus = 16;

bool is_printable(char character) { return character >= ' ' && character <= '~'; }

}  // namespace

std::string shown(std::string_view text) {
  std::string result;
  for (const char character : text.substr(0, kLongestQuote)) {
    result += is_printable(character) ? character : '?';
  }
  return result + (text.size() > kLongestQuote ? "..." : "");
}

std::string quoted(std::string_view text) { return fmt::format("'{}'", shown(text)); }

std::string shown_cpus(const CpuList& cpus) {
  if (cpus.size() <= kFewCpus) {
    return fmt::format("{}", fmt::join(cpus, ","));
  }
  const std::string text = format_cpu_list(cpus);
  const std::size_t end = text.rfind(',', kLongestList);
  return text.size() <= kLongestList ? text : text.substr(0, end) + ",...";
}

}  // namespace streamgage
