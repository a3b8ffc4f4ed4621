// Chooses the instance of the loops for a kernel and shape. Included once for each instruction set.
#if defined(STREAMGAGE_CHOOSE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREAMGAGE_CHOOSE_INL
#undef STREAMGAGE_CHOOSE_INL
#else
#define STREAMGAGE_CHOOSE_INL
#endif

#include "base/plan.hpp"
#include "hwy/highway.h"
#include "kernels/catalogue.hpp"
#include "kernels/vector/formulas-inl.hpp"
#include "kernels/vector/map_elements-inl.hpp"
#include "kernels/vector/reduce_elements-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace streamgage::engine::HWY_NAMESPACE {

// Loop is MapLoop<Store> or ReduceLoop; it names the instance for a formula, streams and a type.
template <class Store>
struct MapLoop {
  template <class Formula>
  static constexpr bool exists() {
    constexpr Kernel kFacts = facts_of(Formula::kId);
    return Store::kExists && kFacts.stores && (!Store::kClaims || kFacts.write_allocates());
  }
  template <class Formula, int kStreams, class T>
  static constexpr VectorKernel instance() {
    return &map_elements<Formula, Store, kStreams, T>;
  }
};

struct ReduceLoop {
  template <class Formula>
  static constexpr bool exists() {
    return facts_of(Formula::kId).reduces();
  }
  template <class Formula, int kStreams, class T>
  static constexpr VectorKernel instance() {
    return &reduce_elements<Formula, kStreams, T>;
  }
};

template <class Loop, class Formula, class T>
VectorKernel of_streams(int streams) {
  switch (streams) {
    case 1:
      return Loop::template instance<Formula, 1, T>();
    case 2:
      return Loop::template instance<Formula, 2, T>();
    case 4:
      return Loop::template instance<Formula, 4, T>();
    case 8:
      return Loop::template instance<Formula, 8, T>();
    default:
      return nullptr;
  }
}

template <class Loop, class Formula>
VectorKernel of_type(int streams, ElementType type) {
  if constexpr (Loop::template exists<Formula>()) {
    return type == ElementType::kDouble ? of_streams<Loop, Formula, double>(streams)
                                        : of_streams<Loop, Formula, float>(streams);
  } else {
    return nullptr;
  }
}

template <class Loop>
VectorKernel choose_kernel(KernelId kernel, int streams, ElementType type) {
  switch (kernel) {
    case KernelId::kInit:
      return of_type<Loop, Init>(streams, type);
    case KernelId::kSum:
      return of_type<Loop, Sum>(streams, type);
    case KernelId::kDot:
      return of_type<Loop, Dot>(streams, type);
    case KernelId::kCopy:
      return of_type<Loop, Copy>(streams, type);
    case KernelId::kScale:
      return of_type<Loop, Scale>(streams, type);
    case KernelId::kUpdate:
      return of_type<Loop, Update>(streams, type);
    case KernelId::kAdd:
      return of_type<Loop, AddTwo>(streams, type);
    case KernelId::kTriad:
      return of_type<Loop, Triad>(streams, type);
    case KernelId::kDaxpy:
      return of_type<Loop, Daxpy>(streams, type);
    case KernelId::kStriad:
      return of_type<Loop, Striad>(streams, type);
    case KernelId::kSdaxpy:
      return of_type<Loop, Sdaxpy>(streams, type);
    case KernelId::kBracket:
      return of_type<Loop, Bracket>(streams, type);
    case KernelId::kCopyOfHost:
    case KernelId::kOwn:
      break;
  }
  return nullptr;
}

}  // namespace streamgage::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
