#include "program/expansion_record.hpp"

#include <nlohmann/json.hpp>

#include "base/json_lines.hpp"
#include "contract/setting.hpp"

namespace streamgage::engine {
namespace {

std::vector<record::HardwareThread> places_of(const Machine& machine) {
  std::vector<record::HardwareThread> places;
  for (const HardwareThread& thread : machine.allowed) {
    places.push_back({.cpu = thread.cpu,
                      .core = thread.core,
                      .smt = thread.smt,
                      .package = thread.package,
                      .die = thread.die,
                      .node = thread.node});
  }
  return places;
}

}  // namespace

Json expansion_record(const std::string& expression, const CpuList& cpus, const Machine& machine) {
  return to_json(record::Expansion{.expression = expression,
                                   .cpus = cpus,
                                   .this_system = machine.is_this_system,
                                   .online_cpus = format_cpu_list(machine.online_cpus),
                                   .allowed = places_of(machine)});
}

}  // namespace streamgage::engine
