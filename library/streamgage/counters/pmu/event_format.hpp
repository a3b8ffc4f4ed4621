// A field of perf_event_attr as a PMU's format file describes it: "config:0-7,32-35".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "streamgage/base/error.hpp"
#include "streamgage/counters/counter.hpp"

namespace streamgage {

// The bits that a field has in one of the words; they may lie apart.
struct EventFormat {
  std::size_t word = 0;
  std::uint64_t mask = 0;

  friend bool operator==(const EventFormat&, const EventFormat&) = default;
};

// Parses a description. It is an error if the text is none, or names a bit beyond 63.
Result<EventFormat> parse_event_format(std::string_view text);

// Puts the lowest bit of `value` into the lowest bit of the field, and so on, as the kernel's perf
// tool does, whatever the order in which ranges were written. It is an error if the field has too
// few bits.
Result<void> place_value(const EventFormat& format, std::uint64_t value, ConfigWords& words);

}  // namespace streamgage
