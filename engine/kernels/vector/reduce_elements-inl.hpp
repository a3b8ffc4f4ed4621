// The loop of the reductions, a template over the formula and the number of streams. Included once
// for each instruction set.
#if defined(STREAMGAGE_REDUCE_ELEMENTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREAMGAGE_REDUCE_ELEMENTS_INL
#undef STREAMGAGE_REDUCE_ELEMENTS_INL
#else
#define STREAMGAGE_REDUCE_ELEMENTS_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "kernels/vector/arrays-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace streamgage::engine::HWY_NAMESPACE {

// Enough to hide the latency of an addition where loads come from the nearest cache: two loads a
// cycle, an addition of four cycles.
inline constexpr std::size_t kAccumulators = 8;

// Vectors of scalable length can be members of nothing, so accumulators are handed along by name.
template <std::size_t kIndex, class V>
HWY_INLINE V& choose(V& v0, V& v1, V& v2, V& v3, V& v4, V& v5, V& v6, V& v7) {
  if constexpr (kIndex % kAccumulators == 0) {
    return v0;
  } else if constexpr (kIndex % kAccumulators == 1) {
    return v1;
  } else if constexpr (kIndex % kAccumulators == 2) {
    return v2;
  } else if constexpr (kIndex % kAccumulators == 3) {
    return v3;
  } else if constexpr (kIndex % kAccumulators == 4) {
    return v4;
  } else if constexpr (kIndex % kAccumulators == 5) {
    return v5;
  } else if constexpr (kIndex % kAccumulators == 6) {
    return v6;
  } else {
    return v7;
  }
}

template <class Formula, int kStreams, class T>
class ReduceWalk {
  using D = hn::ScalableTag<T>;
  static constexpr std::size_t kVectors = std::max(kAccumulators / kStreams, vectors_a_line<T>());

 public:
  static HWY_INLINE std::int64_t turn() {
    return static_cast<std::int64_t>(kVectors * hn::Lanes(D()));
  }

  template <bool kPrefetches, class... V>
  static HWY_INLINE void walk(const Arrays<Formula, T>& arrays, std::int64_t first,
                              std::int64_t length, const AccessShape& shape, V&... sums) {
    for (std::int64_t j = 0; j < length; j += turn()) {
      if constexpr (kPrefetches) {
        const std::size_t bytes = static_cast<std::size_t>(turn()) * sizeof(T);
        for (int stream = 0; stream < kStreams; ++stream) {
          arrays.prefetch_reads(first + stream * length + j, bytes, *shape.read_prefetch_bytes);
        }
      }
      turns(arrays, first + j, length, std::make_index_sequence<kStreams>(), sums...);
    }
  }

 private:
  template <std::size_t... kStream, class... V>
  static HWY_INLINE void turns(const Arrays<Formula, T>& arrays, std::int64_t i, std::int64_t apart,
                               std::index_sequence<kStream...> /*streams*/, V&... sums) {
    (one_turn<kStream>(arrays, i + static_cast<std::int64_t>(kStream) * apart,
                       std::make_index_sequence<kVectors>(), sums...),
     ...);
  }

  template <std::size_t kStream, std::size_t... kVector, class... V>
  static HWY_INLINE void one_turn(const Arrays<Formula, T>& arrays, std::int64_t i,
                                  std::index_sequence<kVector...> /*vectors*/, V&... sums) {
    (add(arrays, i + static_cast<std::int64_t>(kVector * hn::Lanes(D())),
         choose<kStream * kVectors + kVector>(sums...)),
     ...);
  }

  template <class V>
  static HWY_INLINE void add(const Arrays<Formula, T>& arrays, std::int64_t i, V& sum) {
    sum = arrays.value(D(), sum, i);
  }
};

// Passes are distinguished by a change of sign: after an odd number of them the accumulators hold
// the value of one, and none of them can be left out.
template <class Formula, int kStreams, class T>
double reduce_elements(const VectorTask& task) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 1> single;
  using Streams = ReduceWalk<Formula, kStreams, T>;
  const Arrays<Formula, T> arrays(task);
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(wide));
  const Layout layout =
      lay_out<kStreams, T>(task.end - task.begin, Streams::turn(), task.shape.block_bytes);
  const std::int64_t group = kStreams * layout.length;
  const std::int64_t streamed = task.begin + layout.count * group;
  auto sum0 = hn::Zero(wide);
  auto sum1 = sum0;
  auto sum2 = sum0;
  auto sum3 = sum0;
  auto sum4 = sum0;
  auto sum5 = sum0;
  auto sum6 = sum0;
  auto sum7 = sum0;
  auto last = hn::Zero(single);

  for (std::int64_t repeat = 0; repeat < task.repeats; ++repeat) {
    if (repeat != 0) {
      sum0 = hn::Neg(sum0);
      sum1 = hn::Neg(sum1);
      sum2 = hn::Neg(sum2);
      sum3 = hn::Neg(sum3);
      sum4 = hn::Neg(sum4);
      sum5 = hn::Neg(sum5);
      sum6 = hn::Neg(sum6);
      sum7 = hn::Neg(sum7);
      last = hn::Neg(last);
    }
    std::int64_t i = task.begin;
    if (task.shape.read_prefetch_bytes) {
      for (; i < streamed; i += group) {
        Streams::template walk<true>(arrays, i, layout.length, task.shape, sum0, sum1, sum2, sum3,
                                     sum4, sum5, sum6, sum7);
      }
    } else {
      for (; i < streamed; i += group) {
        Streams::template walk<false>(arrays, i, layout.length, task.shape, sum0, sum1, sum2, sum3,
                                      sum4, sum5, sum6, sum7);
      }
    }
    for (; i + lanes <= task.end; i += lanes) {
      sum0 = arrays.value(wide, sum0, i);
    }
    for (; i < task.end; ++i) {
      last = arrays.value(single, last, i);
    }
  }
  const auto sum = hn::Add(hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3)),
                           hn::Add(hn::Add(sum4, sum5), hn::Add(sum6, sum7)));
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(wide, sum))) +
         static_cast<double>(hn::GetLane(last));
}

}  // namespace streamgage::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
