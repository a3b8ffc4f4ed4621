// For tests: machines that hwloc is made to find, in place of this one.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "streamgage/topology/machine.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {

// The variable is one of hwloc's, such as HWLOC_SYNTHETIC.
inline Machine machine_of(const char* variable, const std::string& value) {
  const EnvironmentGuard guard(variable, value);
  const auto machine = discover_machine();
  if (!machine) {
    ADD_FAILURE() << machine.error().message;
    return {};
  }
  return *machine;
}

}  // namespace streamgage
