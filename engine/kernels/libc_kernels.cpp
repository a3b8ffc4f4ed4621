#include "kernels/libc_kernels.hpp"

#include <cstring>

#include <fmt/format.h>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

namespace streamgage::engine {
namespace {

std::string library_name() {
#if defined(__GLIBC__)
  return fmt::format("glibc {}", gnu_get_libc_version());
#else
  return "libc";
#endif
}

template <class T>
double init_by_memset(void* a, const void* /*b*/, const void* /*c*/, const void* /*d*/, double s,
                      std::int64_t begin, std::int64_t end) {
  const T element = static_cast<T>(s);
  unsigned char byte = 0;
  std::memcpy(&byte, &element, 1);
  std::memset(static_cast<T*>(a) + begin, byte, static_cast<std::size_t>(end - begin) * sizeof(T));
  return 0.0;
}

template <class T>
double copy_by_memcpy(void* a, const void* b, const void* /*c*/, const void* /*d*/, double /*s*/,
                      std::int64_t begin, std::int64_t end) {
  std::memcpy(static_cast<T*>(a) + begin, static_cast<const T*>(b) + begin,
              static_cast<std::size_t>(end - begin) * sizeof(T));
  return 0.0;
}

template <class T>
T fill(std::uint8_t byte) {
  T element{};
  std::memset(&element, byte, sizeof element);
  return element;
}

}  // namespace

LibcKernel libc_kernel(KernelId kernel, ElementType type) {
  const bool is_double = type == ElementType::kDouble;
  if (kernel == KernelId::kInit) {
    return {is_double ? &init_by_memset<double> : &init_by_memset<float>,
            library_name() + " memset"};
  }
  if (kernel == KernelId::kCopy) {
    return {is_double ? &copy_by_memcpy<double> : &copy_by_memcpy<float>,
            library_name() + " memcpy"};
  }
  return {};
}

double element_of_byte(std::uint8_t byte, ElementType type) {
  return type == ElementType::kDouble ? fill<double>(byte) : fill<float>(byte);
}

}  // namespace streamgage::engine
