#include "devices/device_source.hpp"

#include <fmt/format.h>

#include "devices/code_texts.hpp"

namespace streamgage::engine {
namespace {

// What stands right of "=" or "+=" in the catalogue.
std::string_view expression_of(const Kernel& kernel) {
  return kernel.formula.substr(kernel.formula.find("= ") + 2);
}

}  // namespace

std::string_view opencl_words() { return kOpenClWords; }

std::string_view cuda_words() { return kCudaWords; }

DeviceProgram stream_program(const Kernel& kernel, ElementType type, const DeviceShape& shape) {
  const bool is_streaming = shape.hint == CacheHint::kStreaming;
  const int lanes = shape.vector_bytes / static_cast<int>(size_of(type));
  const bool has_ring = shape.stages > 0;
  DeviceProgram program;
  program.name = fmt::format("streamgage_{}{}_{}_{}_{}{}", has_ring ? "ring_" : "", kernel.name,
                             name_of(type), lanes, shape.loads, is_streaming ? "_streaming" : "");
  program.text = fmt::format(
      "#define NAME {}\n#define T {}\n#define LANES {}\n#define LOADS {}\n"
      "#define STREAMING {}\n#define RING {}\n#define FORMULA {}\n#define READS {}\n"
      "#define REDUCES {}\n{}{}",
      program.name, name_of(type), lanes, shape.loads, is_streaming ? 1 : 0, has_ring ? 1 : 0,
      expression_of(kernel), kernel.reads, kernel.reduces() ? 1 : 0, has_ring ? kBulkText : "",
      kStreamText);
  return program;
}

DeviceProgram fill_program(ElementType type) {
  DeviceProgram program;
  program.name = fmt::format("streamgage_fill_{}", name_of(type));
  program.text =
      fmt::format("#define NAME {}\n#define T {}\n{}", program.name, name_of(type), kFillText);
  return program;
}

DeviceProgram chase_program() {
  DeviceProgram program;
  program.name = "streamgage_chase";
  program.text = fmt::format("#define NAME {}\n{}", program.name, kChaseText);
  return program;
}

}  // namespace streamgage::engine
