// The terms that select an event of a PMU, as its events files write them: "event=0x04,umask=0x03".
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "streamgage/base/error.hpp"
#include "streamgage/counters/pmu/event_format.hpp"

namespace streamgage {

// The formats by the name of the field.
using EventFormats = std::map<std::string, EventFormat, std::less<>>;

using EventTerm = std::pair<std::string, std::uint64_t>;

// Parses terms. Numbers are decimal or, after 0x, hexadecimal. A name without a number is a flag,
// and sets 1.
Result<std::vector<EventTerm>> parse_event_terms(std::string_view text);

// Returns the words of perf_event_attr for these terms. A term is one of the PMU's fields, or a
// whole word (config=0x1). The error says which term is unknown or too wide.
Result<ConfigWords> encode_event(const EventFormats& formats, std::string_view terms);

}  // namespace streamgage
