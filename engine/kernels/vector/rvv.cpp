// All kernels for RISC-V's vectors, as one more instruction set next to those of Highway's
// foreach_target.h: compiled by itself, for processors with vectors, by a compiler that knows
// their intrinsics (see vector.cmake). For every other processor this file is empty.
#if defined(__riscv_vector)

// Of Highway only the macros are used.
#define HWY_COMPILE_ONLY_SCALAR
#include "hwy/highway.h"
#undef HWY_TARGET
#define HWY_TARGET HWY_RVV
#undef HWY_NAMESPACE
#define HWY_NAMESPACE N_RVV

#include "kernels/vector/choose-inl.hpp"
#include "kernels/vector/rvv.hpp"

namespace streamgage::engine::N_RVV {

VectorKernel choose_regular(KernelId kernel, int streams, ElementType type) {
  return choose_kernel<MapLoop<RegularStore>>(kernel, streams, type);
}

VectorKernel choose_streaming(KernelId kernel, int streams, ElementType type) {
  return choose_kernel<MapLoop<StreamingStore>>(kernel, streams, type);
}

VectorKernel choose_claiming(KernelId kernel, int streams, ElementType type) {
  return choose_kernel<MapLoop<ClaimStore>>(kernel, streams, type);
}

VectorKernel choose_reducing(KernelId kernel, int streams, ElementType type) {
  return choose_kernel<ReduceLoop>(kernel, streams, type);
}

int vector_bytes() {
  return static_cast<int>(sizeof(double) * hn::Lanes(hn::ScalableTag<double>()));
}

const char* streaming_instruction(ElementType type) {
  return type == ElementType::kDouble ? StreamingStore::kInstruction<double>
                                      : StreamingStore::kInstruction<float>;
}

}  // namespace streamgage::engine::N_RVV

#endif
