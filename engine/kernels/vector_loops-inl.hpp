// How a thread's range is walked: one loop for kernels that store, one for reductions, each a
// template over the formula and the kind of store. Included once for each instruction set.
#if defined(STREAMGAGE_VECTOR_LOOPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREAMGAGE_VECTOR_LOOPS_INL
#undef STREAMGAGE_VECTOR_LOOPS_INL
#else
#define STREAMGAGE_VECTOR_LOOPS_INL
#endif

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/catalogue.hpp"
#include "kernels/vector_formulas-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace streamgage::HWY_NAMESPACE {

constexpr Kernel facts_of(KernelId id) { return kCatalogue[static_cast<std::size_t>(id)]; }

// Ordinary vector stores.
struct RegularStore {
  template <class D, class V, class T>
  static HWY_INLINE void store(D d, V value, T* to) {
    hn::StoreU(value, d, to);
  }
  static HWY_INLINE void finish() {}
};

// Non-temporal stores; the address must be aligned to the vector.
struct StreamingStore {
  template <class D, class V, class T>
  static HWY_INLINE void store(D d, V value, T* to) {
    hn::Stream(value, d, to);
  }
  // Non-temporal stores are weakly ordered: they must be out before the end is signalled.
  static HWY_INLINE void finish() {
#if defined(__x86_64__)
    _mm_sfence();
#else
    std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
  }
};

template <class Formula, class T>
class Arrays {
 public:
  Arrays(void* a, const void* b, const void* c, const void* d)
      : a_(static_cast<T*>(a)),
        b_(static_cast<const T*>(b)),
        c_(static_cast<const T*>(c)),
        d_(static_cast<const T*>(d)) {}

  // The formula's value for the vector of elements that starts at i.
  template <class D, class V>
  HWY_INLINE V value(D d, V s, std::int64_t i) const {
    const V none = hn::Zero(d);
    return Formula::apply(
        s, reads(kA) ? hn::LoadU(d, a_ + i) : none, reads(kB) ? hn::LoadU(d, b_ + i) : none,
        reads(kC) ? hn::LoadU(d, c_ + i) : none, reads(kD) ? hn::LoadU(d, d_ + i) : none);
  }

  [[nodiscard]] HWY_INLINE T* target() const { return a_; }

 private:
  static constexpr bool reads(Operand operand) {
    return (facts_of(Formula::kId).reads & operand) != 0;
  }

  T* a_;
  const T* b_;
  const T* c_;
  const T* d_;
};

// Elements before the first vector-aligned one, and those after the last whole vector, go one by
// one through the same formula: nothing is done twice and nothing is left out.
template <class Formula, class Store, class T>
double map_range(void* a, const void* b, const void* c, const void* d, double scalar,
                 std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 1> single;
  const Arrays<Formula, T> arrays(a, b, c, d);
  const auto s = hn::Set(wide, static_cast<T>(scalar));
  const auto s1 = hn::Set(single, static_cast<T>(scalar));
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(wide));
  const auto vector_bytes = static_cast<std::size_t>(lanes) * sizeof(T);
  T* const to = arrays.target();

  std::int64_t i = begin;
  for (; i < end && reinterpret_cast<std::uintptr_t>(to + i) % vector_bytes != 0; ++i) {
    hn::StoreU(arrays.value(single, s1, i), single, to + i);
  }
  for (; i + 4 * lanes <= end; i += 4 * lanes) {
    const auto v0 = arrays.value(wide, s, i);
    const auto v1 = arrays.value(wide, s, i + lanes);
    const auto v2 = arrays.value(wide, s, i + 2 * lanes);
    const auto v3 = arrays.value(wide, s, i + 3 * lanes);
    Store::store(wide, v0, to + i);
    Store::store(wide, v1, to + i + lanes);
    Store::store(wide, v2, to + i + 2 * lanes);
    Store::store(wide, v3, to + i + 3 * lanes);
  }
  for (; i + lanes <= end; i += lanes) {
    Store::store(wide, arrays.value(wide, s, i), to + i);
  }
  for (; i < end; ++i) {
    hn::StoreU(arrays.value(single, s1, i), single, to + i);
  }
  Store::finish();
  return 0.0;
}

// Four accumulators hide the latency of an addition behind the loads.
template <class Formula, class T>
double reduce_range(void* a, const void* b, const void* c, const void* d, double /*scalar*/,
                    std::int64_t begin, std::int64_t end) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 1> single;
  const Arrays<Formula, T> arrays(a, b, c, d);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(wide));
  auto sum0 = hn::Zero(wide);
  auto sum1 = hn::Zero(wide);
  auto sum2 = hn::Zero(wide);
  auto sum3 = hn::Zero(wide);
  auto rest = hn::Zero(single);

  std::int64_t i = begin;
  for (; i + 4 * lanes <= end; i += 4 * lanes) {
    sum0 = arrays.value(wide, sum0, i);
    sum1 = arrays.value(wide, sum1, i + lanes);
    sum2 = arrays.value(wide, sum2, i + 2 * lanes);
    sum3 = arrays.value(wide, sum3, i + 3 * lanes);
  }
  for (; i + lanes <= end; i += lanes) {
    sum0 = arrays.value(wide, sum0, i);
  }
  for (; i < end; ++i) {
    rest = arrays.value(single, rest, i);
  }
  const auto sum = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(wide, sum))) +
         static_cast<double>(hn::GetLane(rest));
}

}  // namespace streamgage::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
