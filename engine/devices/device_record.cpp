#include "devices/device_record.hpp"

namespace streamgage::engine {

Json to_record(const DeviceFacts& facts) {
  const auto known = [](std::uint64_t value) { return value > 0 ? Json(value) : Json(nullptr); };
  const auto named = [](const std::string& text) { return text.empty() ? Json() : Json(text); };
  return {{"record", "device"},
          {"id", facts.id},
          {"name", facts.name},
          {"vendor", facts.vendor},
          {"driver", facts.driver},
          {"interface", facts.interface},
          {"kind", facts.kind},
          {"architecture", named(facts.architecture)},
          {"slice", named(facts.slice)},
          {"compute_units", known(facts.compute_units)},
          {"clock_hertz", known(facts.clock_hertz)},
          {"memory_bytes", known(facts.memory_bytes)},
          {"largest_array_bytes", known(facts.largest_array_bytes)},
          {"cache_bytes", known(facts.cache_bytes)},
          {"rule_cache_bytes", rule_cache_bytes(facts)},
          {"line_bytes", known(facts.line_bytes)},
          {"memory_clock_hertz", known(facts.memory_clock_hertz)},
          {"memory_bus_bits", known(facts.memory_bus_bits)},
          {"has_ecc", or_null(facts.has_ecc)},
          {"has_double", facts.has_double},
          {"shares_host_memory", facts.shares_host_memory},
          {"pci_address", named(facts.pci_address)},
          {"uuid", named(facts.uuid)},
          {"numa_node", or_null(facts.numa_node)}};
}

}  // namespace streamgage::engine
