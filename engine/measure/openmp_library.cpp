#include "measure/openmp_library.hpp"

#if STREAMGAGE_DLOPEN
#include <dlfcn.h>
#endif

namespace streamgage::engine {

std::optional<std::string> openmp_library() {
#if STREAMGAGE_DLOPEN
  // By its name: the address that this program knows may be one of its own.
  void* function = dlsym(RTLD_DEFAULT, "omp_get_max_threads");
  Dl_info found{};
  if (function != nullptr && dladdr(function, &found) != 0 && found.dli_fname != nullptr) {
    return std::string(found.dli_fname);
  }
#endif
  return std::nullopt;
}

}  // namespace streamgage::engine
