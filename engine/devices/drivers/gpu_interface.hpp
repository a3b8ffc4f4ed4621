// The two interfaces that GPUs are used by, and what each has of its own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "devices/code_texts.hpp"
#include "devices/drivers/gpu_functions.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine::gpu {

// The numbers of what a driver is asked of a device; -1: it is not asked.
struct Attributes {
  int group_items;
  int clock_kilohertz;
  int processors;
  int is_integrated;
  int compute_mode;
  int ecc;
  int memory_kilohertz;
  int memory_bus_bits;
  int cache_bytes;
  int major;
  int minor;
};

// What one of the two interfaces has of its own.
struct Driver {
  std::string_view word;       // before the number of a device
  std::string_view interface;  // as people call it
  std::string_view vendor;
  std::string_view language;
  std::vector<const char*> visible;  // variables that say which devices a process sees
  std::string_view to_install;       // with its compiler
  std::string_view compiler;
  Attributes attributes;
  std::uint64_t most_items;  // of a launch; 0: no array has more
  int widest_vector_bytes;
  double tick_seconds;             // of events
  std::string_view embedded_name;  // of what clang made for this driver at build
  std::string_view embedded_kind;  // the same, as a result has it
  std::string_view taken;          // what the driver does with it
  std::span<const Assembly> (*embedded)();
  Result<const Functions*> (*load)();
  std::string (*version)(int number);
  Result<std::string> (*compiler_version)();
  Result<std::string> (*compile)(const std::string& source, const std::string& file,
                                 int capability);
  std::string (*forbidden)();
};

extern const Driver kCuda;
extern const Driver kHip;

}  // namespace streamgage::engine::gpu
