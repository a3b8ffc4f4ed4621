// The loop of the kernels that store, a template over the formula, the kind of store and the number
// of streams. Included once for each instruction set.
#if defined(STREAMGAGE_MAP_ELEMENTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREAMGAGE_MAP_ELEMENTS_INL
#undef STREAMGAGE_MAP_ELEMENTS_INL
#else
#define STREAMGAGE_MAP_ELEMENTS_INL
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/highway.h"
#include "kernels/vector/arrays-inl.hpp"
#include "kernels/vector/stores-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace streamgage::engine::HWY_NAMESPACE {

// Lines that a stream gets done before the next one has its turn.
constexpr std::size_t lines_a_turn(int streams) { return streams == 1 ? 4 : streams == 8 ? 1 : 2; }

template <class Formula, class Store, int kStreams, class T>
class MapWalk {
  using D = hn::ScalableTag<T>;
  static constexpr std::size_t kVectors = lines_a_turn(kStreams) * vectors_a_line<T>();

 public:
  // Elements of a turn.
  static HWY_INLINE std::int64_t turn() {
    return static_cast<std::int64_t>(kVectors * hn::Lanes(D()));
  }

  // Streams that start `length` apart, each of that many elements, the first at `first`.
  template <bool kPrefetches, class V>
  static HWY_INLINE void walk(const Arrays<Formula, T>& arrays, V s, std::int64_t first,
                              std::int64_t length, const VectorTask& task) {
    std::int64_t claimed = 0;
    for (std::int64_t j = 0; j < length; j += turn()) {
      if constexpr (Store::kClaims) {
        claim(arrays.target() + first, length, j, task, claimed);
      }
      turns<kPrefetches>(arrays, s, first + j, length, task.shape,
                         std::make_integer_sequence<int, kStreams>());
    }
  }

 private:
  template <bool kPrefetches, class V, int... kStream>
  static HWY_INLINE void turns(const Arrays<Formula, T>& arrays, V s, std::int64_t i,
                               std::int64_t apart, const AccessShape& shape,
                               std::integer_sequence<int, kStream...> /*streams*/) {
    (one_turn<kPrefetches>(arrays, s, i + kStream * apart, shape), ...);
  }

  template <bool kPrefetches, class V>
  static HWY_INLINE void one_turn(const Arrays<Formula, T>& arrays, V s, std::int64_t i,
                                  const AccessShape& shape) {
    if constexpr (kPrefetches) {
      const std::size_t bytes = static_cast<std::size_t>(turn()) * sizeof(T);
      if (shape.read_prefetch_bytes) {
        arrays.prefetch_reads(i, bytes, *shape.read_prefetch_bytes);
      }
      if (Store::kPrefetchesForWriting && shape.write_prefetch_bytes) {
        arrays.prefetch_writes(i, bytes, *shape.write_prefetch_bytes);
      }
    }
    if constexpr (kVectors == 1) {
      const D d;
      Store::one(d, arrays.value(d, s, i), arrays.target() + i);
    } else {
      pairs(arrays, s, i, std::make_index_sequence<kVectors / 2>());
    }
  }

  template <class V, std::size_t... kPair>
  static HWY_INLINE void pairs(const Arrays<Formula, T>& arrays, V s, std::int64_t i,
                               std::index_sequence<kPair...> /*pairs*/) {
    (pair(arrays, s, i + static_cast<std::int64_t>(2 * kPair * hn::Lanes(D()))), ...);
  }

  template <class V>
  static HWY_INLINE void pair(const Arrays<Formula, T>& arrays, V s, std::int64_t i) {
    const D d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    const V value = arrays.value(d, s, i);
    const V next = arrays.value(d, s, i + lanes);
    Store::two(d, value, next, arrays.target() + i);
  }

  // Claims what the next turn will write and as far ahead as the shape says, of every stream, but
  // never beyond its end.
  static HWY_INLINE void claim(T* to, std::int64_t length, std::int64_t j, const VectorTask& task,
                               std::int64_t& claimed) {
    const auto block = task.claim_bytes / static_cast<std::int64_t>(sizeof(T));
    const auto ahead =
        task.shape.write_prefetch_bytes.value_or(0) / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t upto = std::min(j + turn() + ahead, length);
    for (; claimed < upto; claimed += block) {
      for (int stream = 0; stream < kStreams; ++stream) {
        claim_block(to + stream * length + claimed);
      }
    }
  }
};

// Elements before the first aligned vector (or claimable block), and those after the last whole
// one, go one by one through the same formula: nothing is done twice and nothing is left out.
template <class Formula, class Store, int kStreams, class T>
double map_elements(const VectorTask& task) {
  const hn::ScalableTag<T> wide;
  const hn::CappedTag<T, 1> single;
  using Streams = MapWalk<Formula, Store, kStreams, T>;
  using Rest = MapWalk<Formula, Store, 1, T>;
  const Arrays<Formula, T> arrays(task);
  const auto s = hn::Set(wide, static_cast<T>(task.s));
  const auto s1 = hn::Set(single, static_cast<T>(task.s));
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(wide));
  const auto claim = Store::kClaims ? task.claim_bytes / static_cast<std::int64_t>(sizeof(T)) : 1;
  const std::int64_t unit = std::max(Streams::turn(), claim);
  const std::int64_t rest_unit = std::max(Rest::turn(), claim);
  const auto alignment = static_cast<std::size_t>(std::max(lanes, claim)) * sizeof(T);
  const bool prefetches = task.shape.read_prefetch_bytes || task.shape.write_prefetch_bytes;
  T* const to = arrays.target();

  std::int64_t first = task.begin;
  while (first < task.end && reinterpret_cast<std::uintptr_t>(to + first) % alignment != 0) {
    ++first;
  }
  const Layout layout = lay_out<kStreams, T>(task.end - first, unit, task.shape.block_bytes);
  const std::int64_t group = kStreams * layout.length;
  const std::int64_t streamed = first + layout.count * group;
  const std::int64_t rest = (task.end - streamed) / rest_unit * rest_unit;

  for (std::int64_t repeat = 0; repeat < task.repeats; ++repeat) {
    for (std::int64_t i = task.begin; i < first; ++i) {
      hn::StoreU(arrays.value(single, s1, i), single, to + i);
    }
    std::int64_t i = first;
    if (prefetches) {
      for (; i < streamed; i += group) {
        Streams::template walk<true>(arrays, s, i, layout.length, task);
      }
    } else {
      for (; i < streamed; i += group) {
        Streams::template walk<false>(arrays, s, i, layout.length, task);
      }
    }
    if constexpr (kStreams > 1) {  // one stream leaves less than a turn
      if (rest != 0) {
        Rest::template walk<false>(arrays, s, i, rest, task);
      }
    }
    for (i += rest; i + lanes <= task.end; i += lanes) {
      Store::one(wide, arrays.value(wide, s, i), to + i);
    }
    for (; i < task.end; ++i) {
      hn::StoreU(arrays.value(single, s1, i), single, to + i);
    }
  }
  Store::finish();
  return 0.0;
}

}  // namespace streamgage::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
