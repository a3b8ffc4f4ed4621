#include "devices/drivers/vendor_folders.hpp"

#include <glob.h>

#include <cstddef>
#include <cstdlib>
#include <utility>

namespace streamgage::engine {
namespace {

// Adds a folder in the one that a variable of the environment names.
void add_below(std::vector<std::string>& folders, const char* variable, const char* folder) {
  const char* const value = std::getenv(variable);
  if (value != nullptr && *value != '\0') {
    folders.push_back(std::string(value) + folder);
  }
}

std::vector<std::string> that_match(const std::string& pattern) {
  std::vector<std::string> found;
  glob_t paths{};
  if (glob(pattern.c_str(), 0, nullptr, &paths) == 0) {
    for (std::size_t number = 0; number < paths.gl_pathc; ++number) {
      found.emplace_back(paths.gl_pathv[number]);
    }
  }
  globfree(&paths);
  return found;
}

}  // namespace

std::vector<std::string> folders_of_nvidia_driver() {
  return {"/usr/local/nvidia/lib64", "/usr/lib/wsl/lib", "/run/opengl-driver/lib"};
}

std::vector<std::string> folders_of_cuda_toolkit() {
  std::vector<std::string> folders;
  add_below(folders, "CUDA_HOME", "/lib64");
  add_below(folders, "CUDA_PATH", "/lib64");
  if (folders.empty()) {
    folders.emplace_back("/usr/local/cuda/lib64");
  }
  add_below(folders, "CONDA_PREFIX", "/lib");
  std::vector<std::string> patterns;
  add_below(patterns, "VIRTUAL_ENV", "/lib/python3*/site-packages/nvidia/*/lib");
  for (const std::string& pattern : patterns) {
    for (std::string& folder : that_match(pattern)) {
      folders.push_back(std::move(folder));
    }
  }
  return folders;
}

std::vector<std::string> folders_of_rocm() {
  std::vector<std::string> folders;
  add_below(folders, "ROCM_PATH", "/lib");
  if (folders.empty()) {
    folders.emplace_back("/opt/rocm/lib");
  }
  return folders;
}

}  // namespace streamgage::engine
