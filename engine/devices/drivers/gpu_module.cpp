#include "devices/drivers/gpu_module.hpp"

#include <array>

#include <fmt/format.h>

#include "devices/drivers/gpu_error.hpp"

namespace streamgage::engine::gpu {

Loading load_module(const Functions& api, std::string image) {
  // Filled by the driver's compiler.
  std::array<char, 512> log{};
  std::array<int, 2> options{kErrorLog, kErrorLogBytes};
  auto* const bytes =
      reinterpret_cast<void*>(log.size() - 1);  // NOLINT(performance-no-int-to-ptr): as CUDA has it
  std::array<void*, 2> values{log.data(), bytes};
  auto module = std::make_shared<LoadedModule>(api, std::move(image));
  Loading loading;
  loading.code = module->load(options, values);
  if (loading.code != kSuccess) {
    const std::string_view said = log.data();
    loading.reason = reason_of(api, loading.code);
    if (!said.empty()) {
      loading.reason += fmt::format(": {}", said.substr(0, said.find('\n')));
    }
    return loading;
  }
  loading.module = std::move(module);
  return loading;
}

const Assembly* find_assembly(std::span<const Assembly> all, std::string_view name) {
  for (const Assembly& each : all) {
    const bool begins = name.substr(0, each.module.size()) == each.module;
    if (begins && (name.size() == each.module.size() || name[each.module.size()] == '_')) {
      return &each;
    }
  }
  return nullptr;
}

}  // namespace streamgage::engine::gpu
