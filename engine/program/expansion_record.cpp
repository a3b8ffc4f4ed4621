#include "program/expansion_record.hpp"

#include <nlohmann/json.hpp>

#include "base/json_lines.hpp"

namespace streamgage::engine {
namespace {

Json places_of(const Machine& machine) {
  Json places = Json::array();
  for (const HardwareThread& thread : machine.allowed) {
    places.push_back({{"cpu", thread.cpu},
                      {"core", thread.core},
                      {"smt", thread.smt},
                      {"package", or_null(thread.package)},
                      {"die", or_null(thread.die)},
                      {"node", or_null(thread.node)}});
  }
  return places;
}

}  // namespace

Json expansion_record(const std::string& expression, const CpuList& cpus, const Machine& machine) {
  return {{"record", "expansion"},
          {"expression", expression},
          {"cpus", cpus},
          {"this_system", machine.is_this_system},
          {"online_cpus", format_cpu_list(machine.online_cpus)},
          {"allowed", places_of(machine)}};
}

}  // namespace streamgage::engine
