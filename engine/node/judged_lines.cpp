#include "node/judged_lines.hpp"

#include <istream>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "contract/node.hpp"
#include "devices/device_record.hpp"
#include "node/check.hpp"

namespace streamgage::engine {
namespace {

using NodeJson = nlohmann::json;

// A field that may be null or left out.
template <class T>
std::optional<T> optional_field(const NodeJson& object, const char* name) {
  const auto field = object.find(name);
  return field == object.end() || field->is_null() ? std::nullopt : std::optional(field->get<T>());
}

// What the rule needs of a line.
record::NodeLine line_of(const NodeJson& json) {
  record::NodeLine line{};
  for (const NodeJson& each : json.at("figures")) {
    record::NodeFigure figure{};
    figure.kernel = each.at("kernel").get<std::string>();
    figure.gbps = each.at("gbps").get<double>();
    figure.high = optional_field<double>(each, "high");
    figure.valid = optional_field<bool>(each, "valid");
    line.figures.push_back(std::move(figure));
  }
  for (const NodeJson& each : json.at("expected")) {
    line.expected.push_back({.kernel = each.at("kernel").get<std::string>(),
                             .expected_gbps = each.at("expected_gbps").get<double>(),
                             .limit_gbps = each.at("limit_gbps").get<double>()});
  }
  line.disturbance = optional_field<std::string>(json, "disturbance");
  if (const auto device = optional_field<NodeJson>(json, "device")) {
    DeviceFacts facts;
    facts.id = device->at("id").get<std::string>();
    line.device = record_of(facts);
  }
  return line;
}

}  // namespace

Result<std::string> judge_lines(std::istream& lines) {
  std::string verdicts;
  for (std::string text; std::getline(lines, text);) {
    try {
      const NodeJson json = NodeJson::parse(text);
      const record::NodeLine line = line_of(json.at("line"));
      const Verdict verdict = settle(judge(line));
      verdicts += fmt::format("{} {}", exit_status_of(verdict),
                              format_verdict(verdict, line, json.at("runs").get<int>()));
    } catch (const NodeJson::exception& error) {
      return usage_error(fmt::format("a line to judge cannot be read: {}", error.what()));
    }
  }
  return verdicts;
}

}  // namespace streamgage::engine
