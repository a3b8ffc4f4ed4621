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
namespace streamgage::HWY_NAMESPACE {

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

// Non-temporal stores, where the instruction set has them.
struct StreamingStore {
#if HWY_ARCH_X86_64 || HWY_TARGET == HWY_SVE || HWY_TARGET == HWY_NEON
  static constexpr bool kExists = true;
#else
  static constexpr bool kExists = false;
#endif
  static constexpr bool kClaims = false;
  // It would read the very lines that these stores leave unread.
  static constexpr bool kPrefetchesForWriting = false;

  template <class T>
  static constexpr const char* instruction() {
    constexpr bool kDouble = sizeof(T) == sizeof(double);
#if HWY_ARCH_X86_64 && (HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128)
    return kDouble ? "MOVNTPD" : "MOVNTPS";
#elif HWY_ARCH_X86_64
    return kDouble ? "VMOVNTPD" : "VMOVNTPS";
#elif HWY_TARGET == HWY_SVE
    return kDouble ? "STNT1D" : "STNT1W";
#elif HWY_TARGET == HWY_NEON
    return "STNP";
#else
    return kDouble ? "" : "";
#endif
  }

#if HWY_TARGET == HWY_NEON
  template <class D, class V, class T>
  static HWY_INLINE void one(D d, V value, T* to) {
    hn::StoreU(value, d, to);  // STNP stores pairs only; whole lines consist of them
  }
  // With gcc Highway stores plainly here.
  template <class D, class V, class T>
  static HWY_INLINE void two(D /*d*/, V value, V next, T* to) {
    asm volatile("stnp %q1, %q2, [%0]" : : "r"(to), "w"(value.raw), "w"(next.raw) : "memory");
  }
#else
  template <class D, class V, class T>
  static HWY_INLINE void one(D d, V value, T* to) {
    hn::Stream(value, d, to);
  }
  template <class D, class V, class T>
  static HWY_INLINE void two(D d, V value, V next, T* to) {
    hn::Stream(value, d, to);
    hn::Stream(next, d, to + hn::Lanes(d));
  }
#endif
  // Non-temporal stores are weakly ordered: they must be out before the end is signalled.
  static HWY_INLINE void finish() {
#if defined(__x86_64__)
    asm volatile("sfence" : : : "memory");
#else
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
#endif
  }
};

// Ordinary stores to lines that are claimed shortly before.
struct ClaimStore : RegularStore {
  static constexpr bool kClaims = true;
  static constexpr bool kPrefetchesForWriting = false;

  static HWY_INLINE void finish() { StreamingStore::finish(); }  // CLZERO is weakly ordered, too
};

}  // namespace streamgage::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
