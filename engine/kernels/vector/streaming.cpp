// Kernels with non-temporal stores, for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector/streaming.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/vector/choose-inl.hpp"
#include "kernels/vector/instances.hpp"

HWY_BEFORE_NAMESPACE();
namespace streamgage::engine::HWY_NAMESPACE {

VectorKernel choose_streaming(KernelId kernel, int streams, ElementType type) {
  return choose_kernel<MapLoop<StreamingStore>>(kernel, streams, type);
}

}  // namespace streamgage::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace streamgage::engine {

VectorKernel streaming_instance(const Instance& wanted) {
  switch (wanted.target) {
#define STREAMGAGE_TARGET(target, space, isa) \
  case target:                                \
    return space::choose_streaming(wanted.kernel, wanted.streams, wanted.type);
#include "kernels/vector/targets.inc"
    default:
      return nullptr;
  }
}

}  // namespace streamgage::engine
#endif
