// The kinds of store, each a policy of the loops. Included once for each instruction set.
//
// one() stores a vector, two() a pair of neighbours; addresses are aligned to the vector. finish()
// makes all stores visible to a thread that synchronises afterwards.
#if defined(STREAMGAGE_STORES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef STREAMGAGE_STORES_INL
#undef STREAMGAGE_STORES_INL
#else
#define STREAMGAGE_STORES_INL
#endif

#include "hwy/highway.h"
#include "kernels/vector/claim.hpp"
#include "kernels/vector/operations-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace streamgage::engine::HWY_NAMESPACE {

// Ordinary vector stores.
struct RegularStore {
  static constexpr bool kExists = true;
  static constexpr bool kClaims = false;
  static constexpr bool kPrefetchesForWriting = true;

  template <class D, class V, class T>
  static HWY_INLINE void one(D d, V value, T* to) {
    hn::StoreU(value, d, to);
  }
  template <class D, class V, class T>
  static HWY_INLINE void two(D d, V value, V next, T* to) {
    hn::StoreU(value, d, to);
    hn::StoreU(next, d, to + hn::Lanes(d));
  }
  static HWY_INLINE void finish() {}
};

// The base of policies with weakly ordered stores, which must be complete before a thread signals
// its end.
struct WeaklyOrdered {
  static HWY_INLINE void finish() {
#if defined(__x86_64__)
    asm volatile("sfence" : : : "memory");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
  }
};

// Non-temporal stores, where the instruction set has them; kInstruction is their name.
#if HWY_TARGET == HWY_NEON
struct StreamingStore : WeaklyOrdered {
  static constexpr bool kExists = true;
  static constexpr bool kClaims = false;
  // A prefetch would read the very lines that these stores avoid reading.
  static constexpr bool kPrefetchesForWriting = false;
  template <class T>
  static constexpr const char* kInstruction = "STNP";

  template <class D, class V, class T>
  static HWY_INLINE void one(D d, V value, T* to) {
    hn::StoreU(value, d, to);  // STNP stores pairs only; whole lines consist of them
  }
  // With gcc Highway stores plainly here.
  template <class D, class V, class T>
  static HWY_INLINE void two(D /*d*/, V value, V next, T* to) {
    asm volatile("stnp %q1, %q2, [%0]" : : "r"(to), "w"(value.raw), "w"(next.raw) : "memory");
  }
};
#elif HWY_ARCH_X86_64 || HWY_TARGET == HWY_SVE
struct StreamingStore : WeaklyOrdered {
  static constexpr bool kExists = true;
  static constexpr bool kClaims = false;
  static constexpr bool kPrefetchesForWriting = false;  // as above
  template <class T>
  static constexpr const char* kInstruction =
#if HWY_TARGET == HWY_SVE
      sizeof(T) == sizeof(double) ? "STNT1D" : "STNT1W";
#elif HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
      sizeof(T) == sizeof(double) ? "MOVNTPD" : "MOVNTPS";
#else
      sizeof(T) == sizeof(double) ? "VMOVNTPD" : "VMOVNTPS";
#endif

  template <class D, class V, class T>
  static HWY_INLINE void one(D d, V value, T* to) {
    hn::Stream(value, d, to);
  }
  template <class D, class V, class T>
  static HWY_INLINE void two(D d, V value, V next, T* to) {
    hn::Stream(value, d, to);
    hn::Stream(next, d, to + hn::Lanes(d));
  }
};
#else
struct StreamingStore : RegularStore {
  static constexpr bool kExists = false;
  template <class T>
  static constexpr const char* kInstruction = nullptr;
};
#endif

// Ordinary stores to lines that are claimed shortly before.
struct ClaimStore : RegularStore {
  static constexpr bool kClaims = true;
  static constexpr bool kPrefetchesForWriting = false;

  static HWY_INLINE void finish() { WeaklyOrdered::finish(); }  // CLZERO is weakly ordered, too
};

}  // namespace streamgage::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
