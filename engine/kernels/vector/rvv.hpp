// The kernels for RISC-V's vectors, which a compiler of their own makes (see rvv.cpp).
#pragma once

#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/vector/vector_task.hpp"

namespace streamgage::engine::N_RVV {

VectorKernel choose_regular(KernelId kernel, int streams, ElementType type);
VectorKernel choose_streaming(KernelId kernel, int streams, ElementType type);
VectorKernel choose_claiming(KernelId kernel, int streams, ElementType type);
VectorKernel choose_reducing(KernelId kernel, int streams, ElementType type);

int vector_bytes();
const char* streaming_instruction(ElementType type);

}  // namespace streamgage::engine::N_RVV
