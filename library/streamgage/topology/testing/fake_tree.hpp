// For tests: a folder with proc/ and sys/ of its own, and environment variables for a while.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

class FakeTree {
 public:
  FakeTree() {
    std::string name = (std::filesystem::temp_directory_path() / "streamgage-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("no temporary folder");
    }
    folder_ = name;
    std::filesystem::create_directories(folder_ / "proc");
    std::filesystem::create_directories(folder_ / "sys");
  }
  ~FakeTree() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  FakeTree(const FakeTree&) = delete;
  FakeTree(FakeTree&&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;
  FakeTree& operator=(FakeTree&&) = delete;

  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  [[nodiscard]] FileRoots roots() const { return {path("proc"), path("sys")}; }

  // Writes the file, and the folders above it.
  void write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream file(folder_ / name, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file.flush()) {
      throw std::runtime_error("cannot write " + name);
    }
  }

 private:
  std::filesystem::path folder_;
};

// Sets an environment variable, or removes it, and puts the old value back at the end.
class EnvironmentGuard {
 public:
  EnvironmentGuard(std::string name, const std::optional<std::string>& value)
      : name_(std::move(name)) {
    if (const char* old = std::getenv(name_.c_str()); old != nullptr) {
      old_ = old;
    }
    set(value);
  }
  ~EnvironmentGuard() { set(old_); }
  EnvironmentGuard(const EnvironmentGuard&) = delete;
  EnvironmentGuard(EnvironmentGuard&&) = delete;
  EnvironmentGuard& operator=(const EnvironmentGuard&) = delete;
  EnvironmentGuard& operator=(EnvironmentGuard&&) = delete;

 private:
  void set(const std::optional<std::string>& value) const {
    if (value) {
      setenv(name_.c_str(), value->c_str(), 1);
    } else {
      unsetenv(name_.c_str());
    }
  }

  std::string name_;
  std::optional<std::string> old_;
};

// As if OpenMP had not been asked to bind threads.
struct NoOpenMpBinding {
  EnvironmentGuard bind{"OMP_PROC_BIND", std::nullopt};
  EnvironmentGuard places{"OMP_PLACES", std::nullopt};
  EnvironmentGuard list{"GOMP_CPU_AFFINITY", std::nullopt};
};

}  // namespace streamgage
