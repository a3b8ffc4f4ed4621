// A fact, or why it is not known. A known fact may be "none": no quota, no hypervisor.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace streamgage {

// The reason why a fact is not known: a clause without a full stop, such as "/sys is not mounted
// here".
struct Unknown {
  std::string reason;

  bool operator==(const Unknown&) const = default;
};

template <class T>
using Fact = tl::expected<T, Unknown>;

inline tl::unexpected<Unknown> unknown(std::string reason) {
  return tl::unexpected<Unknown>(Unknown{std::move(reason)});
}

}  // namespace streamgage
