// Whatever a PMU's files hold, reading them ends with a code or with an error; see scripts/fuzz.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "counters/pmu/pmu.hpp"
#include "topology/host/pseudo_file.hpp"

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

// A line each: the fields "event" and "umask", the event's terms, its scale and its unit.
void read_everything(std::string_view input) {
  Pmu pmu;
  pmu.name = "fuzzed";
  for (const char* field : {"event", "umask"}) {
    if (const auto format = parse_event_format(take_line(input))) {
      require(format->mask != 0);
      pmu.formats.emplace(field, *format);
    }
  }
  const std::string terms(take_line(input));
  pmu.events.emplace("reads", terms);
  pmu.events.emplace("reads.scale", take_line(input));
  pmu.events.emplace("reads.unit", take_line(input));
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

}  // namespace
}  // namespace streamgage

// The name and the types are libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  streamgage::read_everything({reinterpret_cast<const char*>(data), size});
  return 0;
}
