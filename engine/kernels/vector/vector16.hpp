// The few vector operations that the kernels need, on vectors of 16 bytes, under Highway's names.
//
// Every x86-64 processor has SSE2 and every ppc64le one VSX, but Highway 1.0 has no target for
// them: its fallback is scalar. Vectors are the compiler's own (vector_size), which it makes of
// whatever the architecture has.
#pragma once

#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace streamgage::engine::vector16 {

template <class T, std::size_t N>
struct Raw {
  using type __attribute__((vector_size(sizeof(T) * N))) = T;
};
template <class T>
struct Raw<T, 1> {
  using type = T;
};

template <class T, std::size_t N>
struct Vec {
  typename Raw<T, N>::type raw;
};

template <class T, std::size_t N>
struct Tag {};

template <class T>
using ScalableTag = Tag<T, 16 / sizeof(T)>;
template <class T, std::size_t N>
using CappedTag = Tag<T, N>;

template <class T, std::size_t N>
constexpr std::size_t Lanes(Tag<T, N> /*tag*/) {
  return N;
}

template <class T, std::size_t N>
constexpr std::size_t MaxLanes(Tag<T, N> /*tag*/) {
  return N;
}

template <class T, std::size_t N>
Vec<T, N> Zero(Tag<T, N> /*tag*/) {
  return Vec<T, N>{typename Raw<T, N>::type{}};
}

template <class T, std::size_t N>
Vec<T, N> Set(Tag<T, N> tag, T value) {
  return {Zero(tag).raw + value};
}

template <class T, std::size_t N>
Vec<T, N> LoadU(Tag<T, N> /*tag*/, const T* from) {
  Vec<T, N> vec;
  std::memcpy(&vec, from, sizeof vec);
  return vec;
}

template <class T, std::size_t N>
void StoreU(Vec<T, N> vec, Tag<T, N> /*tag*/, T* to) {
  std::memcpy(to, &vec, sizeof vec);
}

#if defined(__x86_64__)
// Non-temporal (MOVNTPD, MOVNTPS); the address must be aligned to 16 bytes.
inline void Stream(Vec<double, 2> vec, Tag<double, 2> /*tag*/, double* to) {
  _mm_stream_pd(to, vec.raw);
}
inline void Stream(Vec<float, 4> vec, Tag<float, 4> /*tag*/, float* to) {
  _mm_stream_ps(to, vec.raw);
}
#endif

template <class T, std::size_t N>
Vec<T, N> Add(Vec<T, N> one, Vec<T, N> other) {
  return {one.raw + other.raw};
}

template <class T, std::size_t N>
Vec<T, N> Neg(Vec<T, N> vec) {
  return {-vec.raw};
}

template <class T, std::size_t N>
Vec<T, N> Mul(Vec<T, N> one, Vec<T, N> other) {
  return {one.raw * other.raw};
}

template <class T, std::size_t N>
Vec<T, N> MulAdd(Vec<T, N> one, Vec<T, N> other, Vec<T, N> addend) {
  return {one.raw * other.raw + addend.raw};
}

template <class T, std::size_t N>
T GetLane(Vec<T, N> vec) {
  T first;
  std::memcpy(&first, &vec, sizeof first);
  return first;
}

template <class T, std::size_t N>
Vec<T, N> SumOfLanes(Tag<T, N> tag, Vec<T, N> vec) {
  T sum{};
  for (std::size_t lane = 0; lane < N; ++lane) {
    T value;
    std::memcpy(&value, reinterpret_cast<const char*>(&vec) + lane * sizeof(T), sizeof value);
    sum += value;
  }
  return Set(tag, sum);
}

}  // namespace streamgage::engine::vector16
