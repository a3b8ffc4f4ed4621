#include "devices/drivers/device_backends.hpp"

#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "devices/drivers/gpu_device.hpp"
#include "devices/drivers/opencl_device.hpp"

namespace streamgage::engine {
namespace {

constexpr std::array<Backend, 3> kBackends{{{"cuda", gpu::open_cuda, gpu::list_cuda},
                                            {"hip", gpu::open_hip, gpu::list_hip},
                                            {"opencl", opencl::open, opencl::list}}};

// With the device that was asked for, also where its whole driver is missing.
Error naming(const std::string& id, Error error) {
  if (error.message.find(id) == std::string::npos) {
    error.message = fmt::format("{}: {}", id, error.message);
  }
  return error;
}

}  // namespace

std::span<const Backend> backends() { return kBackends; }

Result<std::unique_ptr<Device>> open_device(const std::string& id) {
  const std::string_view text = id;
  for (const Backend& backend : kBackends) {
    const std::size_t length = backend.word.size();
    if (text.substr(0, length) != backend.word || text.substr(length, 1) != ":") {
      continue;
    }
    const char* const end = text.data() + text.size();
    unsigned number = 0;
    const auto [last, error] = std::from_chars(text.data() + length + 1, end, number);
    if (error == std::errc{} && last == end) {
      return backend.open(number).map_error(
          [&id](Error cause) { return naming(id, std::move(cause)); });
    }
  }
  return usage_error(
      fmt::format("there is no device '{}': name one by its driver and number, such as cuda:0, "
                  "hip:0 or opencl:0",
                  id));
}

}  // namespace streamgage::engine
