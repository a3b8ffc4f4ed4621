#include "devices/shared_library.hpp"

#if STREAMGAGE_DLOPEN
#include <dlfcn.h>

#include <string>
#include <string_view>

#include <fmt/format.h>
#endif

namespace streamgage::engine {

#if STREAMGAGE_DLOPEN

namespace {

// The loader's words for a file that is not there are long; a library that lacks another one is
// named by them, too.
std::string reason_of(std::string_view name, std::string_view said) {
  constexpr std::string_view kNoFile = "No such file or directory";
  const bool is_missing =
      said.empty() || (said.substr(0, name.size()) == name && said.ends_with(kNoFile));
  return is_missing ? fmt::format("{} is missing", name) : std::string(said);
}

}  // namespace

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
      why = reason_of(name, said == nullptr ? "" : said);
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
