#include "streamgage/topology/host/kernel_files.hpp"

#include <cstddef>
#include <filesystem>

#include <fmt/format.h>

#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

constexpr std::size_t kMostShown = 40;

// Whether anything is there: where a file system is hidden, its folder is absent or empty.
bool is_mounted(const std::string& root) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(root, error);
  return !error && entries != std::filesystem::directory_iterator();
}

}  // namespace

std::error_code folder_error(const std::string& path) {
  std::error_code error;
  const std::filesystem::directory_iterator entries(path, error);
  return error;
}

std::string why_unreadable(const FileRoots& roots, const std::string& path,
                           const std::error_code& error) {
  for (const std::string& root : {roots.sys, roots.proc}) {
    if (path.starts_with(root) && !is_mounted(root)) {
      return fmt::format("{} is not mounted here", root);
    }
  }
  return fmt::format("{} cannot be read ({})", path, error.message());
}

std::string why_unclear(const std::string& path, const std::string& text) {
  std::string shown(trim_blanks(text).substr(0, kMostShown));
  for (char& one : shown) {
    one = one < ' ' || one > '~' ? '?' : one;
  }
  return fmt::format("{} says '{}', which is not known", path, shown);
}

}  // namespace streamgage
