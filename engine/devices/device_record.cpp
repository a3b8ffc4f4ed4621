#include "devices/device_record.hpp"

namespace streamgage::engine {

record::Device record_of(const DeviceFacts& facts) {
  const auto known = [](std::uint64_t value) {
    return value > 0 ? std::optional<WholeNumber>(value) : std::nullopt;
  };
  const auto hertz = [](std::uint64_t value) {
    return value > 0 ? std::optional(static_cast<double>(value)) : std::nullopt;
  };
  const auto named = [](const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
  };
  return {.id = facts.id,
          .name = facts.name,
          .vendor = facts.vendor,
          .driver = facts.driver,
          .interface = facts.interface,
          .kind = facts.kind,
          .architecture = named(facts.architecture),
          .slice = named(facts.slice),
          .compute_units = known(facts.compute_units),
          .clock_hertz = hertz(facts.clock_hertz),
          .memory_bytes = known(facts.memory_bytes),
          .largest_array_bytes = known(facts.largest_array_bytes),
          .cache_bytes = known(facts.cache_bytes),
          .rule_cache_bytes = rule_cache_bytes(facts),
          .line_bytes = known(facts.line_bytes),
          .memory_clock_hertz = hertz(facts.memory_clock_hertz),
          .memory_bus_bits = known(facts.memory_bus_bits),
          .has_ecc = facts.has_ecc,
          .has_double = facts.has_double,
          .shares_host_memory = facts.shares_host_memory,
          .pci_address = named(facts.pci_address),
          .uuid = named(facts.uuid),
          .numa_node = facts.numa_node};
}

Json to_record(const DeviceFacts& facts) { return to_json(record_of(facts)); }

}  // namespace streamgage::engine
