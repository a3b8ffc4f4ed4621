// The makers' memory controllers: which PMU counts their traffic, by which events, a row each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "streamgage/counters/controllers/memory_domains.hpp"
#include "streamgage/counters/controllers/processor_model.hpp"
#include "streamgage/counters/counter.hpp"

namespace streamgage {

// One event, or all that a pattern names.
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
  // Kernels that are known to export wrong events: the terms count, whatever events/ says.
  bool ignores_aliases = false;
  std::string_view caveat = {};   // what is not certain about it
  std::string_view missing = {};  // what would bring the PMU, where the processor has it
};

std::span<const ControllerRow> controller_table();

// Whether a PMU's name fits a pattern.
bool matches_pmu(std::string_view pattern, std::string_view name);

// Whether an event's name fits a pattern with '*'.
bool matches_alias(std::string_view pattern, std::string_view name);

// Whether every event counts reads and writes together.
bool counts_only_totals(const ControllerRow& row);

}  // namespace streamgage
