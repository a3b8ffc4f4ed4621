#include "records/counters_record.hpp"

#include <string>

#include <fmt/format.h>

#include "base/json_lines.hpp"

namespace streamgage::engine {
namespace {

const char* name_of(SourceState state) {
  switch (state) {
    case SourceState::kAvailable:
      return "available";
    case SourceState::kRejected:
      return "rejected";
    case SourceState::kAbsent:
      break;
  }
  return "absent";
}

const char* name_of(Direction direction) {
  switch (direction) {
    case Direction::kRead:
      return "read";
    case Direction::kWrite:
      return "write";
    case Direction::kLocal:
      return "local";
    case Direction::kBoth:
      break;
  }
  return "both";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json counter_record(const PlannedCounter& planned) {
  const auto& [counter, request] = planned;
  Json words = Json::array();
  for (const std::uint64_t word : request.words) {
    words.push_back(fmt::format("{:#x}", word));
  }
  return {{"pmu", request.pmu},
          {"event", request.event},
          {"terms", request.terms},
          {"cpu", request.cpu},
          {"type", request.type},
          {"config", words},
          {"direction", name_of(counter.direction)},
          {"bytes_per_count", counter.bytes_per_count},
          {"package", or_null(counter.domain.package)},
          {"node", or_null(counter.domain.node)}};
}

Json source_record(const SourceReport& report) {
  Json counters = Json::array();
  for (const PlannedCounter& planned : report.counters) {
    counters.push_back(counter_record(planned));
  }
  return {{"source", report.name},
          {"state", name_of(report.state)},
          {"reason", text_or_null(report.reason)},
          {"remedy", text_or_null(report.remedy)},
          {"notes", report.notes},
          {"machine", or_null(report.machine)},
          {"total_only", report.is_total_only},
          {"counters", counters}};
}

}  // namespace

nlohmann::ordered_json to_record(const Survey& survey, const std::optional<std::string>& root) {
  Json sources = Json::array();
  for (const SourceReport& report : survey.reports) {
    sources.push_back(source_record(report));
  }
  return {{"record", "counters"},
          {"root", text_or_null(root.value_or(""))},
          {"replayed", survey.is_replayed},
          {"hypervisor", or_null(survey.hypervisor)},
          {"perf_event_paranoid", or_null(survey.paranoid_level)},
          {"source", survey.source ? Json(survey.source->name()) : Json(nullptr)},
          {"sources", sources}};
}

}  // namespace streamgage::engine
