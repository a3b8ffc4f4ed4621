#include "devices/shared_library.hpp"

#if STREAMGAGE_DLOPEN
#include <dlfcn.h>
#endif

namespace streamgage::engine {

#if STREAMGAGE_DLOPEN

Result<void> can_load_libraries() { return {}; }

Result<SharedLibrary> SharedLibrary::load(std::initializer_list<const char*> names) {
  std::string why;
  for (const char* const name : names) {
    void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) {
      return SharedLibrary(handle);
    }
    const char* const said = dlerror();
    if (why.empty()) {
      why = said == nullptr ? name : said;
    }
  }
  return usage_error(why);
}

void* SharedLibrary::find(const char* name) const { return dlsym(handle_, name); }

#else

Result<void> can_load_libraries() {
  return usage_error(
      "this engine is a static program, which loads no driver; use an engine that was built with "
      "shared libraries");
}

Result<SharedLibrary> SharedLibrary::load(std::initializer_list<const char*> /*names*/) {
  return usage_error("a static program loads no library");
}

void* SharedLibrary::find(const char* /*name*/) const { return handle_; }

#endif

}  // namespace streamgage::engine
