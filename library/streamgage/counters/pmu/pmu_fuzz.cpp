// Whatever a PMU's files hold, reading them ends with a code or with an error; see scripts/fuzz.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "streamgage/counters/pmu/pmu.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/testing/fuzzed_tree.hpp"

namespace streamgage {
namespace {

void require(bool fact) {
  if (!fact) {
    std::abort();
  }
}

// Bits that the fields have in each word; all of them where the terms may set whole words.
ConfigWords bits_of(const EventFormats& formats, std::string_view terms) {
  ConfigWords bits{};
  if (terms.find("config") != std::string_view::npos) {
    bits.fill(~std::uint64_t{0});
  }
  for (const auto& [name, format] : formats) {
    bits.at(format.word) |= format.mask;
  }
  return bits;
}

void check_event(const Pmu& pmu, std::string_view terms) {
  const auto code = event_by_alias(pmu, "reads");
  if (!code) {
    require(code.error().message.starts_with("fuzzed: events/reads"));
    return;
  }
  const ConfigWords bits = bits_of(pmu.formats, terms);
  for (std::size_t word = 0; word < bits.size(); ++word) {
    require((code->words.at(word) & ~bits.at(word)) == 0);
  }
  require(!code->bytes_per_count ||
          (std::isfinite(*code->bytes_per_count) && *code->bytes_per_count > 0.0));
}

// The texts of a PMU's files; what an input ends before is not there.
struct Texts {
  std::optional<std::string_view> event, umask, terms, scale, unit, type, cpumask;
};

// A line each.
Texts split(std::string_view input) {
  Texts texts;
  for (auto* text : {&texts.event, &texts.umask, &texts.terms, &texts.scale, &texts.unit,
                     &texts.type, &texts.cpumask}) {
    if (!input.empty()) {
      *text = take_line(input);
    }
  }
  return texts;
}

// Each text by itself, whatever is wrong with the others.
void read_texts(const Texts& texts) {
  Pmu pmu;
  pmu.name = "fuzzed";
  for (const auto& [field, text] : {std::pair{"event", texts.event}, {"umask", texts.umask}}) {
    if (const auto format = parse_event_format(text.value_or(""))) {
      require(format->mask != 0);
      pmu.formats.emplace(field, *format);
    }
  }
  pmu.events.emplace("reads", texts.terms.value_or(""));
  pmu.events.emplace("reads.scale", texts.scale.value_or(""));
  pmu.events.emplace("reads.unit", texts.unit.value_or(""));
  check_event(pmu, texts.terms.value_or(""));
}

// All of it as the kernel shows it.
void read_files(const Texts& texts) {
  static FuzzedTree tree;
  const std::string folder = "sys/bus/event_source/devices/fuzzed/";
  tree.set(folder + "type", texts.type);
  tree.set(folder + "cpumask", texts.cpumask);
  tree.set(folder + "format/event", texts.event);
  tree.set(folder + "format/umask", texts.umask);
  tree.set(folder + "events/reads", texts.terms);
  tree.set(folder + "events/reads.scale", texts.scale);
  tree.set(folder + "events/reads.unit", texts.unit);
  const auto pmu = read_pmu(FuzzedTree::roots(), "fuzzed");
  if (!pmu) {
    const std::string& said = pmu.error().message;
    require(said.starts_with("fuzzed: type: ") || said.starts_with("fuzzed: cpumask: ") ||
            said.starts_with("fuzzed: format/"));
    return;
  }
  require(parse_unsigned(texts.type.value_or("")) == pmu->type);
  require(pmu->cpumask.has_value() == texts.cpumask.has_value());
  if (pmu->cpumask) {
    require(!pmu->cpumask->empty() && pmu->cpumask->front() >= 0);
    require(std::adjacent_find(pmu->cpumask->begin(), pmu->cpumask->end(),
                               std::greater_equal<>()) == pmu->cpumask->end());
  }
  require(pmu->formats.size() == (texts.event ? 1U : 0U) + (texts.umask ? 1U : 0U));
  if (pmu->events.contains("reads")) {
    check_event(*pmu, pmu->events.find("reads")->second);
  }
}

void read_everything(std::string_view input) {
  const Texts texts = split(input);
  read_texts(texts);
  read_files(texts);
}

}  // namespace
}  // namespace streamgage

// The name and the types are libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  streamgage::read_everything({reinterpret_cast<const char*>(data), size});
  return 0;
}
