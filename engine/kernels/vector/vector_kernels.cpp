#include "kernels/vector/vector_kernels.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kernels/vector/instances.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/vector/vector_kernels.cpp"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/vector/stores-inl.hpp"

#if defined(__aarch64__) || defined(__riscv)
#include <sys/auxv.h>
#endif

HWY_BEFORE_NAMESPACE();
namespace streamgage::engine::HWY_NAMESPACE {

int vector_bytes() {
  return static_cast<int>(sizeof(double) * hn::Lanes(hn::ScalableTag<double>()));
}

const char* streaming_instruction(ElementType type) {
  return type == ElementType::kDouble ? StreamingStore::kInstruction<double>
                                      : StreamingStore::kInstruction<float>;
}

}  // namespace streamgage::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace streamgage::engine {
namespace {

// What every processor of the architecture has.
#if defined(__x86_64__)
#define STREAMGAGE_BASE_ISA "SSE2"
#elif defined(__powerpc64__)
#define STREAMGAGE_BASE_ISA "VSX"
#else
#define STREAMGAGE_BASE_ISA "scalar"
#endif

#if defined(__x86_64__)
bool has_avx2() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}
#endif

bool processor_has(std::int64_t target) {
  switch (target) {
#if defined(__x86_64__)
    case HWY_AVX3:
      return has_avx2() && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    case HWY_AVX2:
      return has_avx2();
#elif defined(__aarch64__)
    case HWY_SVE:
      return (getauxval(AT_HWCAP) & HWCAP_SVE) != 0;
#elif defined(__riscv)
    case HWY_RVV:
      return (getauxval(AT_HWCAP) >> ('V' - 'A') & 1U) != 0;
#endif
    default:
      return true;
  }
}

struct CompiledTarget {
  std::int64_t id;
  const char* isa;
  int (*vector_bytes)();
  const char* (*streaming_instruction)(ElementType);
};

constexpr CompiledTarget kCompiled[] = {
#define STREAMGAGE_TARGET(target, space, isa) \
  {target, isa, &space::vector_bytes, &space::streaming_instruction},
#include "kernels/vector/targets.inc"
};

const CompiledTarget& compiled(std::int64_t id) {
  return *std::find_if(std::begin(kCompiled), std::end(kCompiled),
                       [id](const CompiledTarget& one) { return one.id == id; });
}

}  // namespace

std::vector<VectorTarget> vector_targets() {
  std::vector<VectorTarget> targets;
  for (const CompiledTarget& one : kCompiled) {
    if (processor_has(one.id)) {
      targets.push_back({one.id, one.isa, one.vector_bytes()});
    }
  }
  return targets;
}

Result<VectorTarget> find_vector_target(const std::string& isa) {
  std::vector<std::string> names;
  for (VectorTarget& target : vector_targets()) {
    if (target.isa == isa) {
      return std::move(target);
    }
    names.push_back(target.isa);
  }
  const bool compiled_here =
      std::any_of(std::begin(kCompiled), std::end(kCompiled),
                  [&isa](const CompiledTarget& one) { return one.isa == isa; });
  return usage_error(fmt::format("{}; choose from {}",
                                 compiled_here
                                     ? fmt::format("this processor has no {}", isa)
                                     : fmt::format("there is no instruction set '{}' here", isa),
                                 fmt::join(names, ", ")));
}

VectorKernel vector_kernel(const VectorTarget& target, KernelId kernel, VectorStore store,
                           int streams, ElementType type) {
  const Instance wanted{target.id, kernel, streams, type};
  if (kCatalogue.at(static_cast<std::size_t>(kernel)).reduces()) {
    return store == VectorStore::kRegular ? reducing_instance(wanted) : nullptr;
  }
  switch (store) {
    case VectorStore::kRegular:
      return regular_instance(wanted);
    case VectorStore::kStreaming:
      return streaming_instance(wanted);
    case VectorStore::kClaim:
      break;
  }
  return claiming_instance(wanted);
}

std::optional<std::string> streaming_instruction(const VectorTarget& target, ElementType type) {
  const char* name = compiled(target.id).streaming_instruction(type);
  return name != nullptr ? std::optional<std::string>(name) : std::nullopt;
}

}  // namespace streamgage::engine
#endif
