// What a kernel must compute, one element at a time, in the arithmetic of its element type: the
// independent statement of each formula that results are checked against.
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

// The new value of a; for a reduction, the term that the element adds.
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
