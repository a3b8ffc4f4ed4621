// A library of a driver, loaded when a device is asked for: the engine links none, and starts where
// there is none.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// An error in a static program, which loads no library.
Result<void> can_load_libraries();

class SharedLibrary {
 public:
  // Loads the first of these that is where the system's loader looks, or else in one of the
  // folders; it stays. An error has what the loader says of the first one that is there, or of the
  // first name.
  static Result<SharedLibrary> load(std::initializer_list<const char*> names,
                                    const std::vector<std::string>& folders = {});

  // Sets the function of that name, or to null, and remembers the first name that is missing.
  template <class Function>
  void bind(const char* name, Function& function) {
    function = reinterpret_cast<Function>(find(name));
    if (function == nullptr && missing_.empty()) {
      missing_ = name;
    }
  }

  // The same for a function without which one can do.
  template <class Function>
  void bind_if_there(const char* name, Function& function) const {
    function = reinterpret_cast<Function>(find(name));
  }

  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  [[nodiscard]] void* find(const char* name) const;

  void* handle_;
  std::string missing_;
};

}  // namespace streamgage::engine
