#include "devices/drivers/shared_library.hpp"

#if STREAMGAGE_DLOPEN
#include <dlfcn.h>

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#endif

namespace streamgage::engine {

#if STREAMGAGE_DLOPEN

namespace {

// The loader's words for a file that is not there are long; a library that lacks another one is
// named by them, too.
bool is_missing(std::string_view name, std::string_view said) {
  constexpr std::string_view kNoFile = "No such file or directory";
  return said.empty() || (said.substr(0, name.size()) == name && said.ends_with(kNoFile));
}

}  // namespace

Result<void> can_load_libraries() { return {}; }

Result<SharedLibrary> SharedLibrary::load(std::initializer_list<const char*> names,
                                          const std::vector<std::string>& folders) {
  std::vector<std::string> places(names.begin(), names.end());
  for (const std::string& folder : folders) {
    for (const char* const name : names) {
      places.push_back(fmt::format("{}/{}", folder, name));
    }
  }
  std::string why;
  for (const std::string& place : places) {
    void* const handle = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle != nullptr) {
      return SharedLibrary(handle);
    }
    const char* const said = dlerror();
    if (why.empty() && said != nullptr && !is_missing(place, said)) {
      why = said;
    }
  }
  if (why.empty()) {
    why = fmt::format("{} is missing", places.front());
    if (!folders.empty()) {
      why += fmt::format(", also in {}", fmt::join(folders, ", "));
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

Result<SharedLibrary> SharedLibrary::load(std::initializer_list<const char*> /*names*/,
                                          const std::vector<std::string>& /*folders*/) {
  return usage_error("a static program loads no library");
}

void* SharedLibrary::find(const char* /*name*/) const { return handle_; }

#endif

}  // namespace streamgage::engine
