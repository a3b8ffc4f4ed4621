// For fuzzing: the kernel's files with texts that an input brings, in memory.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

// A folder that the program goes into, so that paths, which the fuzzer sees compared, are the same
// in every run.
class FuzzedTree {
 public:
  FuzzedTree() {
    const char* top = std::filesystem::is_directory("/dev/shm") ? "/dev/shm" : "/tmp";
    std::string name = std::string(top) + "/streamgage-fuzz-XXXXXX";
    if (mkdtemp(name.data()) == nullptr || chdir(name.c_str()) != 0) {
      std::abort();
    }
    folder_ = name;
  }
  ~FuzzedTree() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  FuzzedTree(const FuzzedTree&) = delete;
  FuzzedTree& operator=(const FuzzedTree&) = delete;
  FuzzedTree(FuzzedTree&&) = delete;
  FuzzedTree& operator=(FuzzedTree&&) = delete;

  static FileRoots roots() { return {"proc", "sys"}; }

  // The file with that text; without one there is no such file.
  void set(const std::string& path, std::optional<std::string_view> text) {
    const auto known = files_.find(path);
    if (known != files_.end() && known->second == text) {
      return;
    }
    if (known == files_.end()) {
      std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    }
    files_[path] = text;
    if (!text) {
      unlink(path.c_str());
      return;
    }
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0 || write(file, text->data(), text->size()) != static_cast<ssize_t>(text->size())) {
      std::abort();
    }
    close(file);
  }

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::optional<std::string>> files_;
};

}  // namespace streamgage
