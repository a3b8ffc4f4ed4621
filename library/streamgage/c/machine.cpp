#include "streamgage/c/guard.hpp"
#include "streamgage/c/handles.hpp"

using streamgage::Result;

const char* streamgage_version() { return STREAMGAGE_LIBRARY_VERSION; }

streamgage_machine* streamgage_machine_discover(streamgage_error* error) {
  return streamgage::guarded<streamgage_machine*>(
      error, nullptr, []() -> Result<streamgage_machine*> {
        return streamgage::discover_machine().map(
            [](streamgage::Machine machine) { return new streamgage_machine{std::move(machine)}; });
      });
}

void streamgage_machine_free(streamgage_machine* machine) { delete machine; }

int streamgage_machine_packages(const streamgage_machine* machine) {
  return machine == nullptr ? 0 : machine->machine.packages;
}

int streamgage_machine_cores(const streamgage_machine* machine) {
  return machine == nullptr ? 0 : machine->machine.cores;
}

int streamgage_machine_hardware_threads(const streamgage_machine* machine) {
  return machine == nullptr ? 0 : machine->machine.hardware_threads;
}

size_t streamgage_machine_cpus(const streamgage_machine* machine, int* cpus, size_t most) {
  return machine == nullptr ? 0 : streamgage::copy_out(machine->machine.allowed_cpus, cpus, most);
}

size_t streamgage_machine_nodes(const streamgage_machine* machine, int* nodes, size_t most) {
  return machine == nullptr ? 0 : streamgage::copy_out(machine->machine.allowed_nodes, nodes, most);
}

uint64_t streamgage_machine_memory(const streamgage_machine* machine) {
  return machine == nullptr ? 0 : machine->machine.memory_bytes.value_or(0);
}

uint64_t streamgage_machine_memory_available(const streamgage_machine* machine) {
  return machine == nullptr ? 0 : machine->machine.memory_available_bytes.value_or(0);
}

uint64_t streamgage_machine_last_level_cache(const streamgage_machine* machine, const int* cpus,
                                             size_t count) {
  return streamgage::guarded<uint64_t>(nullptr, 0, [&]() -> Result<uint64_t> {
    STREAMGAGE_TRY(streamgage::require(machine));
    return streamgage::last_level_cache_bytes(machine->machine, streamgage::copy_in(cpus, count));
  });
}

const char* streamgage_machine_processor(const streamgage_machine* machine) {
  if (machine == nullptr) {
    return nullptr;
  }
  const auto& processor = machine->machine.processor;
  return processor ? processor->c_str() : nullptr;
}

const char* streamgage_machine_hypervisor(const streamgage_machine* machine) {
  if (machine == nullptr) {
    return nullptr;
  }
  const auto& hypervisor = machine->machine.hypervisor;
  return hypervisor ? hypervisor->c_str() : nullptr;
}
