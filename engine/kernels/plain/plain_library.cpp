#include "kernels/plain/plain_library.hpp"

#include <fmt/format.h>

#if STREAMGAGE_DLOPEN
#include <dlfcn.h>
#endif

namespace streamgage::engine {

std::string symbol_of(std::string_view kernel, ElementType type) {
  return fmt::format("streamgage_{}_{}", name_of(type), kernel);
}

#if STREAMGAGE_DLOPEN

Result<streamgage_range_kernel> kernel_of_library(const std::string& path, std::string_view kernel,
                                                  ElementType type) {
  // A second time it gives what is loaded already.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    return failure(fmt::format("the library {} cannot be loaded: {}", path,
                               why == nullptr ? "the reason is unknown" : why));
  }
  return reinterpret_cast<streamgage_range_kernel>(dlsym(library, symbol_of(kernel, type).c_str()));
}

#else

Result<streamgage_range_kernel> kernel_of_library(const std::string& path,
                                                  std::string_view /*kernel*/,
                                                  ElementType /*type*/) {
  return failure(
      fmt::format("the library {} cannot be loaded: this engine is statically linked; use one that "
                  "was built for this system",
                  path));
}

#endif

}  // namespace streamgage::engine
