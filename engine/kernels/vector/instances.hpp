// The compiled instances of the loops, one function a kind of loop; each kind is compiled by
// itself.
#pragma once

#include <cstdint>

#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/vector/vector_task.hpp"
#if defined(STREAMGAGE_WITH_RVV)
#include "kernels/vector/rvv.hpp"
#endif

namespace streamgage::engine {

struct Instance {
  std::int64_t target = 0;  // Highway's bit
  KernelId kernel = KernelId::kInit;
  int streams = 1;
  ElementType type = ElementType::kDouble;
};

// Returns the instance. Null if there is none.
VectorKernel regular_instance(const Instance& wanted);
VectorKernel streaming_instance(const Instance& wanted);
VectorKernel claiming_instance(const Instance& wanted);
VectorKernel reducing_instance(const Instance& wanted);

}  // namespace streamgage::engine
