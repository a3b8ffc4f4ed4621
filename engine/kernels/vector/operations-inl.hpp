// The vector operations of the instruction set that is being compiled, as namespace hn.
// Included once for each instruction set (see Highway's foreach_target.h).
#if defined(STREAMGAGE_OPERATIONS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREAMGAGE_OPERATIONS_INL
#undef STREAMGAGE_OPERATIONS_INL
#else
#define STREAMGAGE_OPERATIONS_INL
#endif

#include "hwy/highway.h"
#include "kernels/vector/prefetch.hpp"
#if HWY_TARGET == HWY_RVV
#include "kernels/vector/vector_rvv.hpp"
#else
#include "kernels/vector/vector16.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace streamgage::engine::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
namespace hn = streamgage::engine::vector16;
#elif HWY_TARGET == HWY_RVV
namespace hn = streamgage::engine::vector_rvv;
#else
namespace hn = hwy::HWY_NAMESPACE;
#endif

// True if the length of a vector is only known at run time.
#if HWY_TARGET == HWY_SVE || HWY_TARGET == HWY_RVV
inline constexpr bool kScalableVectors = true;
#else
inline constexpr bool kScalableVectors = false;
#endif

// Vectors that make up a line; of scalable ones as many as keep pairs whole.
template <class T>
constexpr std::size_t vectors_a_line() {
  if constexpr (kScalableVectors) {
    return 2;
  } else {
    return std::size_t{kLineBytes} / (sizeof(T) * hn::MaxLanes(hn::ScalableTag<T>()));
  }
}

}  // namespace streamgage::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
