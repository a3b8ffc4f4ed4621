#include "devices/device.hpp"

#include <charconv>

#include <fmt/format.h>

#include "devices/opencl_device.hpp"

namespace streamgage::engine {

Result<std::unique_ptr<Device>> open_device(const std::string& id) {
  constexpr std::string_view kOpenCl = "opencl:";
  if (std::string_view(id).substr(0, kOpenCl.size()) == kOpenCl) {
    const char* const begin = id.data() + kOpenCl.size();
    const char* const end = id.data() + id.size();
    unsigned number = 0;
    const auto [last, error] = std::from_chars(begin, end, number);
    if (begin != end && error == std::errc{} && last == end) {
      return opencl::open(number);
    }
  }
  return usage_error(
      fmt::format("there is no device '{}': name one as opencl:NUMBER, such as opencl:0", id));
}

}  // namespace streamgage::engine
