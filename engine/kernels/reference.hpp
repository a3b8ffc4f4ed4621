// The formula of each kernel, for one element, in the arithmetic of the element type. Results are
// checked against it, so it is stated independently of the kernels' code.
#pragma once

#include "kernels/catalogue.hpp"

namespace streamgage::engine {

template <class T>
struct Elements {
  T a{};
  T b{};
  T c{};
  T d{};
};

// Returns the new value of a. For a reduction it is the term that the element adds.
template <class T>
T reference(KernelId kernel, const Elements<T>& in, T s) {
  switch (kernel) {
    case KernelId::kInit:
      return s;
    case KernelId::kSum:
      return in.a;
    case KernelId::kDot:
      return in.a * in.b;
    case KernelId::kCopy:
      return in.b;
    case KernelId::kScale:
      return s * in.b;
    case KernelId::kUpdate:
      return s * in.a;
    case KernelId::kAdd:
      return in.b + in.c;
    case KernelId::kTriad:
      return in.b + s * in.c;
    case KernelId::kDaxpy:
      return in.a + s * in.b;
    case KernelId::kStriad:
      return in.b + in.c * in.d;
    case KernelId::kSdaxpy:
      return in.a + in.b * in.c;
    case KernelId::kBracket:
      return in.a + in.b * in.c + in.d;
    case KernelId::kCopyOfHost:
    case KernelId::kOwn:
      break;  // its own check knows
  }
  return T{};
}

}  // namespace streamgage::engine
