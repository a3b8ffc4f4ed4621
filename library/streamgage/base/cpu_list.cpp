#include "streamgage/base/cpu_list.hpp"

#include <charconv>
#include <cstddef>
#include <optional>

#include <fmt/format.h>

namespace streamgage {
namespace {

constexpr int kLargestCpu = 1 << 20;

std::optional<int> parse_number(std::string_view text) {
  int value = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < 0 || value > kLargestCpu) {
    return std::nullopt;
  }
  return value;
}

}  // namespace

Result<CpuList> parse_cpu_list(std::string_view text) {
  CpuList cpus;
  std::string_view rest = text;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view item = rest.substr(0, comma);
    const std::size_t dash = item.find('-');
    const auto first = parse_number(item.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_number(item.substr(dash + 1));
    if (!first || !last) {
      return usage_error(fmt::format(
          "'{}' in the CPU list '{}' is not a CPU number or range; write for example 0-3,8", item,
          text));
    }
    const int step = *first <= *last ? 1 : -1;
    for (int cpu = *first; cpu != *last + step; cpu += step) {
      cpus.push_back(cpu);
    }
    if (comma == std::string_view::npos) {
      return cpus;
    }
    rest.remove_prefix(comma + 1);
  }
}

std::string format_cpu_list(const CpuList& cpus) {
  std::string text;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t last = i;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) {
      ++last;
    }
    text += text.empty() ? "" : ",";
    text += last == i ? fmt::format("{}", cpus[i]) : fmt::format("{}-{}", cpus[i], cpus[last]);
    i = last + 1;
  }
  return text;
}

std::string name_cpus(const CpuList& cpus) {
  return fmt::format("{} {}", cpus.size() == 1 ? "CPU" : "CPUs", format_cpu_list(cpus));
}

}  // namespace streamgage
