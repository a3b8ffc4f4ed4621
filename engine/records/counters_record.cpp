#include "records/counters_record.hpp"

#include <string>

#include <fmt/format.h>

#include "base/json_lines.hpp"
#include "contract/counters.hpp"

namespace streamgage::engine {
namespace {

record::TrafficSourceState state_of(SourceState state) {
  switch (state) {
    case SourceState::kAvailable:
      return record::TrafficSourceState::kAvailable;
    case SourceState::kRejected:
      return record::TrafficSourceState::kRejected;
    case SourceState::kAbsent:
      break;
  }
  return record::TrafficSourceState::kAbsent;
}

record::SourceCounterDirection direction_of(Direction direction) {
  switch (direction) {
    case Direction::kRead:
      return record::SourceCounterDirection::kRead;
    case Direction::kWrite:
      return record::SourceCounterDirection::kWrite;
    case Direction::kLocal:
      return record::SourceCounterDirection::kLocal;
    case Direction::kBoth:
      break;
  }
  return record::SourceCounterDirection::kBoth;
}

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

record::SourceCounter record_of(const PlannedCounter& planned) {
  const auto& [counter, request] = planned;
  record::SourceCounter record{.pmu = request.pmu,
                               .event = request.event,
                               .terms = request.terms,
                               .cpu = request.cpu,
                               .type = request.type,
                               .config = {},
                               .direction = direction_of(counter.direction),
                               .bytes_per_count = counter.bytes_per_count,
                               .package = counter.domain.package,
                               .node = counter.domain.node};
  for (const std::uint64_t word : request.words) {
    record.config.push_back(fmt::format("{:#x}", word));
  }
  return record;
}

record::TrafficSource record_of(const SourceReport& report) {
  record::TrafficSource record{.source = report.name,
                               .state = state_of(report.state),
                               .reason = unless_empty(report.reason),
                               .remedy = unless_empty(report.remedy),
                               .notes = report.notes,
                               .machine = report.machine,
                               .total_only = report.is_total_only,
                               .counters = {}};
  for (const PlannedCounter& planned : report.counters) {
    record.counters.push_back(record_of(planned));
  }
  return record;
}

}  // namespace

nlohmann::ordered_json to_record(const Survey& survey, const std::optional<std::string>& root) {
  record::Counters record{
      .root = unless_empty(root.value_or("")),
      .replayed = survey.is_replayed,
      .hypervisor = survey.hypervisor,
      .perf_event_paranoid = survey.paranoid_level,
      .source = survey.source ? std::optional<std::string>(survey.source->name()) : std::nullopt,
      .sources = {}};
  for (const SourceReport& report : survey.reports) {
    record.sources.push_back(record_of(report));
  }
  return to_json(record);
}

}  // namespace streamgage::engine
