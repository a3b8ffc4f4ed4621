// Kernels that a GPU's driver has loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "devices/code_texts.hpp"
#include "devices/device.hpp"
#include "devices/drivers/gpu_functions.hpp"

namespace streamgage::engine::gpu {

// What the driver has loaded: the kernels of one compilation. HIP keeps the address of the image,
// and may read it when a kernel is asked for (hip_fatbin.cpp of ROCm/clr), so that it stays as
// long.
class LoadedModule {
 public:
  LoadedModule(const Functions& api, std::string image) : api_(api), image_(std::move(image)) {}
  LoadedModule(const LoadedModule&) = delete;
  LoadedModule& operator=(const LoadedModule&) = delete;
  LoadedModule(LoadedModule&&) = delete;
  LoadedModule& operator=(LoadedModule&&) = delete;
  ~LoadedModule() {
    if (handle_ != nullptr) {
      (void)api_.ModuleUnload(handle_);
    }
  }

  // To be called once, before anything else.
  Code load(std::span<int> options, std::span<void*> values) {
    return api_.ModuleLoadDataEx(&handle_, image_.c_str(), static_cast<unsigned>(options.size()),
                                 options.data(), values.data());
  }
  [[nodiscard]] Module handle() const { return handle_; }

 private:
  const Functions& api_;
  std::string image_;
  Module handle_ = nullptr;
};

class GpuKernel final : public DeviceKernel {
 public:
  GpuKernel(std::shared_ptr<LoadedModule> module, Function handle, std::uint64_t most)
      : module_(std::move(module)), handle_(handle), most_(most) {}
  [[nodiscard]] std::uint64_t most_group_items() const override { return most_; }
  [[nodiscard]] Function handle() const { return handle_; }

 private:
  std::shared_ptr<LoadedModule> module_;
  Function handle_;
  std::uint64_t most_;
};

// A module, or why the driver does not take it.
struct Loading {
  std::shared_ptr<LoadedModule> module;
  Code code = kSuccess;
  std::string reason;
};

Loading load_module(const Functions& api, std::string image);

// The one that has the kernel of that name; null: none has it.
const Assembly* find_assembly(std::span<const Assembly> all, std::string_view name);

}  // namespace streamgage::engine::gpu
