// What is known of something, or why it is not known. A fact that is known may well be "none": no
// quota, no hypervisor.
#pragma once

#include <string>
#include <utility>

#include <tl/expected.hpp>

namespace streamgage {

// Why a fact is not known: a clause without a full stop, such as "/sys is not mounted here".
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
