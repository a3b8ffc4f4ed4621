// The formulas of the kernels over vectors of any width, each written once.
//
// Included once for each instruction set (no include guard in the usual sense; see Highway's
// foreach_target.h). A formula says which operands it reads and how a result comes of them;
// operands that it does not read are passed as zero and vanish in compilation.
#if defined(STREAMGAGE_FORMULAS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREAMGAGE_FORMULAS_INL
#undef STREAMGAGE_FORMULAS_INL
#else
#define STREAMGAGE_FORMULAS_INL
#endif

#include "hwy/highway.h"
#include "kernels/catalogue.hpp"
#include "kernels/vector/operations-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace streamgage::engine::HWY_NAMESPACE {

struct Init {
  static constexpr KernelId kId = KernelId::kInit;
  template <class V>
  static HWY_INLINE V apply(V s, V, V, V, V) {
    return s;
  }
};

// A reduction's apply adds the element's term to the accumulator, which it gets in place of s.
struct Sum {
  static constexpr KernelId kId = KernelId::kSum;
  template <class V>
  static HWY_INLINE V apply(V accumulator, V a, V, V, V) {
    return hn::Add(accumulator, a);
  }
};

struct Dot {
  static constexpr KernelId kId = KernelId::kDot;
  template <class V>
  static HWY_INLINE V apply(V accumulator, V a, V b, V, V) {
    return hn::MulAdd(a, b, accumulator);
  }
};

struct Copy {
  static constexpr KernelId kId = KernelId::kCopy;
  template <class V>
  static HWY_INLINE V apply(V, V, V b, V, V) {
    return b;
  }
};

struct Scale {
  static constexpr KernelId kId = KernelId::kScale;
  template <class V>
  static HWY_INLINE V apply(V s, V, V b, V, V) {
    return hn::Mul(s, b);
  }
};

struct Update {
  static constexpr KernelId kId = KernelId::kUpdate;
  template <class V>
  static HWY_INLINE V apply(V s, V a, V, V, V) {
    return hn::Mul(s, a);
  }
};

struct AddTwo {
  static constexpr KernelId kId = KernelId::kAdd;
  template <class V>
  static HWY_INLINE V apply(V, V, V b, V c, V) {
    return hn::Add(b, c);
  }
};

struct Triad {
  static constexpr KernelId kId = KernelId::kTriad;
  template <class V>
  static HWY_INLINE V apply(V s, V, V b, V c, V) {
    return hn::MulAdd(s, c, b);
  }
};

struct Daxpy {
  static constexpr KernelId kId = KernelId::kDaxpy;
  template <class V>
  static HWY_INLINE V apply(V s, V a, V b, V, V) {
    return hn::MulAdd(s, b, a);
  }
};

struct Striad {
  static constexpr KernelId kId = KernelId::kStriad;
  template <class V>
  static HWY_INLINE V apply(V, V, V b, V c, V d) {
    return hn::MulAdd(c, d, b);
  }
};

struct Sdaxpy {
  static constexpr KernelId kId = KernelId::kSdaxpy;
  template <class V>
  static HWY_INLINE V apply(V, V a, V b, V c, V) {
    return hn::MulAdd(b, c, a);
  }
};

struct Bracket {
  static constexpr KernelId kId = KernelId::kBracket;
  template <class V>
  static HWY_INLINE V apply(V, V a, V b, V c, V d) {
    return hn::Add(hn::MulAdd(b, c, a), d);
  }
};

}  // namespace streamgage::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
