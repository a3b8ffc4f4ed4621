#include "measure/table.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

std::string format_row(const VariantOutcome& outcome, std::int64_t elements) {
  const Variant& variant = outcome.variant;
  const std::string label = fmt::format("{}:{}", variant.kernel->name, name_of(variant.store));
  const auto& seconds = outcome.seconds;
  if (seconds.empty()) {
    return fmt::format("{:<18}{:>14}{:>13}{:>13}{:>13}\n", label, "-", "-", "-", "-");
  }
  const auto [best, worst] = std::minmax_element(seconds.begin(), seconds.end());
  const double mean =
      std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size());
  const double bytes = static_cast<double>(variant.kernel->nominal_bytes(size_of(variant.type))) *
                       static_cast<double>(elements);
  return fmt::format("{:<18}{:>14.1f}{:>13.6f}{:>13.6f}{:>13.6f}{}\n", label, bytes / *best * 1e-6,
                     mean, *best, *worst, outcome.valid == false ? "  INVALID" : "");
}

std::string format_verdict(const Outcome& outcome) {
  const auto& all = outcome.variants;
  const auto is = [](bool valid) {
    return [valid](const VariantOutcome& one) { return one.valid == valid; };
  };
  if (std::any_of(all.begin(), all.end(), is(false))) {
    return "Validation failed: the rates of lines marked INVALID mean nothing.\n";
  }
  return std::all_of(all.begin(), all.end(), is(true))
             ? "Solution Validates: every element is exact after every kernel\n"
             : "The run ended before the solution was checked.\n";
}

}  // namespace

std::string format_table(const Machine& machine, const Outcome& outcome) {
  const VariantOutcome& first = outcome.variants.front();
  const std::size_t element = size_of(first.variant.type);
  std::string text = fmt::format(
      "streamgage {}: based on a variant of the STREAM benchmark\n{}, {} threads; arrays of {} "
      "elements of {} bytes ({})\n",
      STREAMGAGE_VERSION, machine.processor.value_or("unknown processor"), outcome.threads,
      outcome.elements, element,
      format_bytes(static_cast<std::uint64_t>(outcome.elements) * element));
  const auto [fewest, most] = std::minmax_element(
      outcome.variants.begin(), outcome.variants.end(),
      [](const auto& one, const auto& other) { return one.seconds.size() < other.seconds.size(); });
  text += fewest->seconds.size() == most->seconds.size()
              ? fmt::format("n = {} timed samples a line\n", most->seconds.size())
              : fmt::format("n = {} to {} timed samples a line\n", fewest->seconds.size(),
                            most->seconds.size());
  text += fmt::format("{:<18}{:>14}{:>13}{:>13}{:>13}\n", "Function", "Best Rate MB/s", "Avg time",
                      "Min time", "Max time");
  for (const VariantOutcome& one : outcome.variants) {
    text += format_row(one, outcome.elements);
  }
  return text + format_verdict(outcome);
}

}  // namespace streamgage::engine
