#include "node/node_table.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "node/rate_words.hpp"
#include "node/warnings.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

constexpr std::size_t kWidth = 80;

// The text in lines. All but the first are indented.
std::string wrapped(std::string_view text, std::string_view indent) {
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (column > 0 && column + 1 + word.size() > kWidth) {
      lines += fmt::format("\n{}{}", indent, word);
      column = indent.size() + word.size();
    } else {
      lines += fmt::format("{}{}", column > 0 ? " " : "", word);
      column += (column > 0 ? 1 : 0) + word.size();
    }
  }
  return lines + '\n';
}

std::string processor_of(const Machine& machine) {
  return machine.processor.value_or("an unknown processor") +
         (machine.hypervisor ? fmt::format(", {} guest", *machine.hypervisor) : "");
}

// What was measured: the processor, or the device in place of it.
std::string measured_in_words(const NodeResult& result) {
  return result.device ? fmt::format("{} ({})", result.device->facts.name, result.device->facts.id)
                       : processor_of(result.machine);
}

// By which threads; nothing of a device.
std::string threads_in_words(const NodeResult& result) {
  const Circumstances& around = result.circumstances;
  return result.device
             ? ""
             : fmt::format("{} {} {}; ", count_of(result.threads, "thread"),
                           around.bound ? "bound to" : "not bound, on", name_cpus(around.cpus));
}

std::string head_of(const NodeResult& result) {
  const Circumstances& around = result.circumstances;
  const std::string caches =
      around.last_level_cache_bytes == 0
          ? ""
          : fmt::format(", {:.3g} times the last-level {}",
                        static_cast<double>(around.size.bytes) /
                            static_cast<double>(around.last_level_cache_bytes),
                        result.device ? "cache" : "caches in use");
  return wrapped(fmt::format("streamgage-engine {} on {}: {}", STREAMGAGE_VERSION,
                             result.machine.host.value_or("?"), measured_in_words(result)),
                 "  ") +
         wrapped(fmt::format("{}{} of {} ({}){}; {:.1f} s", threads_in_words(result),
                             count_of(around.arrays, "array"), format_bytes(around.size.bytes),
                             name_of(result.type), caches, result.seconds),
                 "  ");
}

std::string in_gbps(double bytes_per_second) { return format_rate(bytes_per_second / 1e9); }

std::string row_of(const Figure& figure) {
  const std::string interval = figure.rate.interval
                                   ? fmt::format("{} to {}", in_gbps(figure.rate.interval->low),
                                                 in_gbps(figure.rate.interval->high))
                                   : "-";
  return fmt::format("{:<9}{:<11}{:>8}{:>18}{:>9}{:>6}{:>9}{}\n", figure.variant.kernel->name,
                     name_of(figure.variant.store), in_gbps(figure.rate.median), interval,
                     in_gbps(figure.rate.maximum), figure.rate.count, figure.nominal_bytes,
                     figure.valid == false ? "  WRONG" : "");
}

// Whether stores may read the lines that they overwrite without that being counted.
bool may_read_more(const Figure& figure) {
  const StoreMode store = figure.variant.store;
  return figure.variant.kernel->write_allocates() &&
         (store == StoreMode::kPlain || store == StoreMode::kRegular);
}

std::string meaning_of(const NodeResult& result) {
  std::string text =
      "GB/s is 10^9 bytes per second: the median of n samples, with its 95 % interval. Bytes are "
      "counted as STREAM counts them: only what the formula names.";
  const auto& figures = result.figures;
  const auto most = std::find_if(figures.begin(), figures.end(), &may_read_more);
  if (most != figures.end() && !result.device) {
    const Kernel& kernel = *most->variant.kernel;
    const int counted = kernel.loads() + kernel.store_count();
    text += fmt::format(
        " Plain and regular stores may also read each line that they overwrite: with {}, the "
        "memory then moves {:.2f} times as much. Streaming stores do not; compare only figures of "
        "the same stores.",
        kernel.name, static_cast<double>(counted + 1) / static_cast<double>(counted));
  }
  return wrapped(text, "");
}

std::string stores_of(const Figure& figure) {
  switch (figure.variant.store) {
    case StoreMode::kPlain:
      return "plain";
    case StoreMode::kRegular:
      return "with regular stores";
    case StoreMode::kStreaming:
      return "with streaming stores";
    case StoreMode::kClaim:
      return "with claimed lines";
    case StoreMode::kLibc:
      return "by the C library";
  }
  return "";
}

// Triad where it was measured, else the kernel of the last line; nothing where a result is wrong.
std::string quote_of(const NodeResult& result) {
  const auto& figures = result.figures;
  const bool wrong = std::any_of(figures.begin(), figures.end(),
                                 [](const Figure& each) { return each.valid != true; });
  if (wrong || figures.empty()) {
    return "";
  }
  const auto triad = std::find_if(figures.begin(), figures.end(), [](const Figure& each) {
    return each.variant.kernel->id == KernelId::kTriad;
  });
  const Kernel* quoted = (triad != figures.end() ? *triad : figures.back()).variant.kernel;
  std::vector<std::string> rates;
  std::size_t fewest = 0;
  // Next to other programs a few samples say nothing.
  const bool is_disturbed = disturbance_of(result).has_value();
  for (const Figure& each : figures) {
    if (each.variant.kernel == quoted && (each.rate.interval || !is_disturbed) &&
        !each.is_disturbed) {
      rates.push_back(fmt::format("{} {}", format_gbps(each.rate.median / 1e9), stores_of(each)));
      fewest = fewest == 0 ? each.rate.count : std::min(fewest, each.rate.count);
    }
  }
  if (rates.empty()) {
    return "";
  }
  std::vector<std::string> codes;
  for (const Warning& each : result.warnings) {
    codes.push_back(each.code);
  }
  const Circumstances& around = result.circumstances;
  const std::string threads = result.device
                                  ? ""
                                  : fmt::format("{}{}; ", count_of(result.threads, "thread"),
                                                around.bound ? ", bound" : ", not bound");
  return "\n" +
         wrapped(fmt::format(
                     "Quote: {} {} ({}; nominal counting; {}{} of {}, "
                     "{}; {}){}; based on a variant of the STREAM benchmark.",
                     quoted->name, fmt::join(rates, ", "),
                     fewest > 1 ? fmt::format("median of {}", fewest) : "one sample", threads,
                     count_of(around.arrays, "array"), format_bytes(around.size.bytes),
                     name_of(result.type), measured_in_words(result),
                     codes.empty() ? "" : fmt::format("; with care: {}", fmt::join(codes, ", "))),
                 "  ");
}

// "Triad by itself in each NUMA domain: 41.2 (0), 40.9 (1)", the slowest first.
std::string parts_of(const std::string& what, std::vector<PartRate> parts) {
  constexpr std::size_t kMostParts = 8;
  if (parts.empty()) {
    return "";
  }
  std::sort(parts.begin(), parts.end(),
            [](const PartRate& one, const PartRate& other) { return one.rate < other.rate; });
  const double median = parts[parts.size() / 2].rate;
  std::vector<std::string> shown;
  for (std::size_t place = 0; place < std::min(parts.size(), kMostParts); ++place) {
    shown.push_back(fmt::format("{} (number {})", in_gbps(parts[place].rate), parts[place].number));
  }
  return '\n' + wrapped(fmt::format("Plain triad in each {} by itself, GB/s: the median of {} is "
                                    "{}, the slowest {} {}.",
                                    what, parts.size(), in_gbps(median),
                                    shown.size() > 1 ? "are" : "is", fmt::join(shown, ", ")),
                        "  ");
}

}  // namespace

std::string format_table(const NodeResult& result) {
  std::string text = head_of(result);
  text += fmt::format("\n{:<9}{:<11}{:>8}{:>18}{:>9}{:>6}{:>9}\n", "kernel", "stores", "GB/s",
                      "95 % interval", "best", "n", "bytes");
  for (const Figure& each : result.figures) {
    text += row_of(each);
  }
  text += '\n' + meaning_of(result);
  text += parts_of("NUMA domain", result.parts.domains) + parts_of("core", result.parts.cores);
  for (const Warning& each : result.warnings) {
    text += '\n' + wrapped(fmt::format("Warning ({}): {}", each.code, each.text), "  ");
  }
  return text + quote_of(result);
}

}  // namespace streamgage::engine
