// The table of memory controllers, with a row for each: the PMU that counts its traffic, and the
// events.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "streamgage/counters/controllers/memory_domains.hpp"
#include "streamgage/counters/controllers/processor_model.hpp"
#include "streamgage/counters/counter.hpp"

namespace streamgage {

// One event, or all events that a pattern names.
struct ControllerEvent {
  Direction direction = Direction::kBoth;
  std::string_view alias = {};  // in events/; '*' stands for any text
  std::string_view terms =
      {};  // taken where there is no such alias; empty where the code is not known
  double bytes_per_count = 64.0;  // where the event has no scale and unit of its own
};

struct ControllerRow {
  std::string_view machine;
  std::string_view source;                 // how it is called in records: "perf uncore_imc"
  std::span<const std::string_view> pmus;  // patterns; each must be there: '#' a number, '@' in hex
  bool (*applies)(const ProcessorModel&) = nullptr;
  std::span<const ControllerEvent> events;
  DomainScope scope = DomainScope::kPackage;
  int counter_bits = 64;
  // Whether the terms are used even if events/ has the event, because kernels are known to export
  // wrong ones.
  bool ignores_aliases = false;
  std::string_view caveat = {};   // what is not certain about it
  std::string_view missing = {};  // what would bring the PMU, where the processor has it
};

std::span<const ControllerRow> controller_table();

// Returns whether a PMU's name fits a pattern.
bool matches_pmu(std::string_view pattern, std::string_view name);

// Returns whether an event's name fits a pattern with '*'.
bool matches_alias(std::string_view pattern, std::string_view name);

// Returns whether every event counts reads and writes together.
bool counts_only_totals(const ControllerRow& row);

}  // namespace streamgage
