// The operands of a formula: loaded as vectors, and prefetched. Included once for each instruction
// set.
#if defined(STREAMGAGE_ARRAYS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREAMGAGE_ARRAYS_INL
#undef STREAMGAGE_ARRAYS_INL
#else
#define STREAMGAGE_ARRAYS_INL
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/catalogue.hpp"
#include "kernels/vector/operations-inl.hpp"
#include "kernels/vector/prefetch.hpp"
#include "kernels/vector/vector_task.hpp"

HWY_BEFORE_NAMESPACE();
namespace streamgage::engine::HWY_NAMESPACE {

constexpr Kernel facts_of(KernelId id) { return kCatalogue[static_cast<std::size_t>(id)]; }

template <class Formula, class T>
class Arrays {
 public:
  explicit Arrays(const VectorTask& task)
      : a_(static_cast<T*>(task.a)),
        b_(static_cast<const T*>(task.b)),
        c_(static_cast<const T*>(task.c)),
        d_(static_cast<const T*>(task.d)) {}

  // The formula's value for the vector of elements that starts at i.
  template <class D, class V>
  HWY_INLINE V value(D d, V s, std::int64_t i) const {
    const V none = hn::Zero(d);
    return Formula::apply(
        s, reads(kA) ? hn::LoadU(d, a_ + i) : none, reads(kB) ? hn::LoadU(d, b_ + i) : none,
        reads(kC) ? hn::LoadU(d, c_ + i) : none, reads(kD) ? hn::LoadU(d, d_ + i) : none);
  }

  // The lines of `bytes` bytes from element i on, `ahead` bytes further: of all that are read.
  HWY_INLINE void prefetch_reads(std::int64_t i, std::size_t bytes, std::int64_t ahead) const {
    for (std::size_t line = 0; line < bytes; line += std::size_t{kLineBytes}) {
      const std::int64_t far = ahead + static_cast<std::int64_t>(line);
      if (reads(kA)) {
        prefetch_to_read(a_ + i, far);
      }
      if (reads(kB)) {
        prefetch_to_read(b_ + i, far);
      }
      if (reads(kC)) {
        prefetch_to_read(c_ + i, far);
      }
      if (reads(kD)) {
        prefetch_to_read(d_ + i, far);
      }
    }
  }
  HWY_INLINE void prefetch_writes(std::int64_t i, std::size_t bytes, std::int64_t ahead) const {
    for (std::size_t line = 0; line < bytes; line += std::size_t{kLineBytes}) {
      prefetch_to_write(a_ + i, ahead + static_cast<std::int64_t>(line));
    }
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

// Part of a range as streams walk it: `count` groups of kStreams blocks of `length` elements, all
// of them neighbours; what is left behind them is walked as one stream.
struct Layout {
  std::int64_t length = 0;
  std::int64_t count = 0;
};

// Streams that start a power of two apart contend for the same cache sets and memory banks, so the
// shares of far streams are shortened by this odd number of lines. Found by trial: see
// docs/benchmarks.md.
inline constexpr std::int64_t kSkewBytes = 325 * kLineBytes;

// `unit` is what the length of a block must be a multiple of, in elements.
template <int kStreams, class T>
HWY_INLINE Layout lay_out(std::int64_t elements, std::int64_t unit, std::int64_t block_bytes) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  if (kStreams == 1 || block_bytes == 0) {
    const std::int64_t share = elements / kStreams;
    const std::int64_t skew = kStreams > 1 && share * kSize > 64 * kSkewBytes ? kSkewBytes : 0;
    return {(share - skew / kSize) / unit * unit, 1};
  }
  const std::int64_t wanted_length = block_bytes / kSize / unit * unit;
  const std::int64_t length = wanted_length > unit ? wanted_length : unit;
  return {length, elements / (length * kStreams)};
}

}  // namespace streamgage::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
