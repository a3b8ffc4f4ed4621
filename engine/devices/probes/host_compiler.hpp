// For the drivers of tests: compiles a kernel for the host, by the compiler of this build.
#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>

#ifndef STREAMGAGE_TEST_COMPILER
#define STREAMGAGE_TEST_COMPILER "c++"
#endif

namespace streamgage::probes {

// What a driver that a test uses does wrong: the entry NAME=VALUE of STREAMGAGE_TEST_GPU, in which
// entries are parted by spaces.
inline std::optional<std::string> asked_for(const std::string& name) {
  const char* const all = std::getenv("STREAMGAGE_TEST_GPU");
  std::string text(1, ' ');
  text.append(all == nullptr ? "" : all).append(1, ' ');
  const std::size_t begin = text.find(" " + name + "=");
  if (begin == std::string::npos) {
    return std::nullopt;
  }
  const std::size_t value = begin + name.size() + 2;
  return text.substr(value, text.find(' ', value) - value);
}

inline long number_asked_for(const std::string& name, long otherwise) {
  const auto found = asked_for(name);
  return found ? std::stol(*found) : otherwise;
}

// Runs the compiler on a source; nothing where it fails, and then `log` is what it says.
inline bool run_compiler(const std::filesystem::path& folder, const std::string& source,
                         const std::string& options, std::string& log) {
  std::ofstream(folder / "kernel.cpp") << source;
  const std::string command =
      std::string(STREAMGAGE_TEST_COMPILER) + " -std=c++17 -O1 -w -fPIC -I'" +
      STREAMGAGE_TEST_PROBES "' -I'" STREAMGAGE_TEST_PROBES "/../code' " + options + " '" +
      (folder / "kernel.cpp").string() + "' 2>'" + (folder / "log").string() + "'";
  const bool compiled = std::system(command.c_str()) == 0;
  std::ifstream said(folder / "log");
  log.assign(std::istreambuf_iterator<char>(said), {});
  return compiled;
}

inline std::filesystem::path new_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "streamgage-probe-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) {
    std::perror("a folder for a kernel");
    std::abort();
  }
  return name;
}

// Whether a source that includes no kernel's caller compiles.
inline bool compiles(const std::string& source, std::string& log) {
  const auto folder = new_folder();
  const bool done =
      run_compiler(folder, "#include \"host_words.h\"\n" + source, "-fsyntax-only", log);
  std::filesystem::remove_all(folder);
  return done;
}

// Where what this process compiled is kept until it ends.
inline const std::filesystem::path& kept_folder() {
  struct Folder {
    std::filesystem::path path = new_folder();
    Folder() = default;
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    Folder(Folder&&) = delete;
    Folder& operator=(Folder&&) = delete;
    ~Folder() { std::filesystem::remove_all(path); }
  };
  static const Folder folder;
  return folder.path;
}

// Loads the kernel of that name in a source; null where it does not compile.
inline void* load_kernel(const std::string& source, const std::string& name) {
  const std::string whole = "#include \"host_words.h\"\n" + source + "\n#define KERNEL " + name +
                            "\n#include \"host_call.h\"\n";
  const auto object =
      kept_folder() / (name + "-" + std::to_string(std::hash<std::string>{}(whole)) + ".so");
  std::string log;
  if (!std::filesystem::exists(object) &&
      !run_compiler(kept_folder(), whole,
                    "-shared -Wl,-Bsymbolic '" STREAMGAGE_TEST_PROBES "/host_support.cpp' -o '" +
                        object.string() + "'",
                    log)) {
    std::fputs(log.c_str(), stderr);
    return nullptr;
  }
  void* const loaded = dlopen(object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
  }
  return loaded;
}

}  // namespace streamgage::probes
