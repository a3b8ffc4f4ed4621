#include "kernels/vector_kernels.hpp"

#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector_kernels.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/vector_formulas-inl.hpp"
#include "kernels/vector_loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace streamgage::HWY_NAMESPACE {

template <class Formula, class T>
streamgage_range_kernel of_store(VectorStore store) {
  if constexpr (!facts_of(Formula::kId).stores) {
    return store == VectorStore::kRegular ? &reduce_range<Formula, T> : nullptr;
  } else {
    return store == VectorStore::kRegular ? &map_range<Formula, RegularStore, T>
                                          : &map_range<Formula, StreamingStore, T>;
  }
}

template <class Formula>
streamgage_range_kernel of_type(VectorStore store, ElementType type) {
  return type == ElementType::kDouble ? of_store<Formula, double>(store)
                                      : of_store<Formula, float>(store);
}

streamgage_range_kernel choose(KernelId kernel, VectorStore store, ElementType type) {
  switch (kernel) {
    case KernelId::kInit:
      return of_type<Init>(store, type);
    case KernelId::kSum:
      return of_type<Sum>(store, type);
    case KernelId::kDot:
      return of_type<Dot>(store, type);
    case KernelId::kCopy:
      return of_type<Copy>(store, type);
    case KernelId::kScale:
      return of_type<Scale>(store, type);
    case KernelId::kUpdate:
      return of_type<Update>(store, type);
    case KernelId::kAdd:
      return of_type<AddTwo>(store, type);
    case KernelId::kTriad:
      return of_type<Triad>(store, type);
    case KernelId::kDaxpy:
      return of_type<Daxpy>(store, type);
    case KernelId::kStriad:
      return of_type<Striad>(store, type);
    case KernelId::kSdaxpy:
      return of_type<Sdaxpy>(store, type);
    case KernelId::kBracket:
      return of_type<Bracket>(store, type);
  }
  return nullptr;
}

}  // namespace streamgage::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace streamgage {
namespace {

HWY_EXPORT(choose);

std::string isa_name(std::int64_t target) {
  switch (target) {
#if HWY_ARCH_X86_64
    case HWY_AVX3_DL:
    case HWY_AVX3:
      return "AVX-512";
    case HWY_AVX2:
      return "AVX2";
    case HWY_SSE4:
      return "SSE4";
    case HWY_SSSE3:
      return "SSSE3";
    case HWY_EMU128:
    case HWY_SCALAR:
      return "SSE2";
#endif
    default:
      return hwy::TargetName(target);
  }
}

// Off x86 this Highway stores plainly where it is asked to stream, which must not be called
// streaming.
constexpr bool kHasStreamingStores = HWY_ARCH_X86_64 != 0;

}  // namespace

std::vector<VectorTarget> vector_targets() {
  std::vector<VectorTarget> targets;
  for (const std::int64_t id : hwy::SupportedAndGeneratedTargets()) {
    targets.push_back({id, isa_name(id)});
  }
  return targets;
}

streamgage_range_kernel vector_kernel(const VectorTarget& target, KernelId kernel,
                                      VectorStore store, ElementType type) {
  if (store == VectorStore::kStreaming && !kHasStreamingStores) {
    return nullptr;
  }
  // Highway dispatches by its own state; it is put back to "the best" at once.
  hwy::SetSupportedTargetsForTest(target.id);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  const streamgage_range_kernel run = HWY_DYNAMIC_DISPATCH(choose)(kernel, store, type);
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
  return run;
}

}  // namespace streamgage
#endif
