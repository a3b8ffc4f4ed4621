// The few vector operations that the kernels need, on RISC-V's vectors, under Highway's names.
//
// Highway 1.0 knows the intrinsics as they were named before their specification was settled;
// compilers since (clang 16, gcc 14) know only the settled names.
#pragma once

#include <cstddef>

#include <riscv_vector.h>

namespace streamgage::engine::vector_rvv {

// Vectors of as many elements as a register holds (kLanes = 0), or of that many. Elements behind
// them are computed on, too, but neither loaded nor stored.
template <class T, std::size_t kLanes>
struct Tag {};

template <class T>
using ScalableTag = Tag<T, 0>;
template <class T, std::size_t kLanes>
using CappedTag = Tag<T, kLanes>;

inline std::size_t all(vfloat64m1_t /*vec*/) { return __riscv_vsetvlmax_e64m1(); }
inline std::size_t all(vfloat32m1_t /*vec*/) { return __riscv_vsetvlmax_e32m1(); }

template <class T, std::size_t kLanes>
std::size_t Lanes(Tag<T, kLanes> /*tag*/) {
  if constexpr (kLanes != 0) {
    return kLanes;
  } else if constexpr (sizeof(T) == sizeof(double)) {
    return __riscv_vsetvlmax_e64m1();
  } else {
    return __riscv_vsetvlmax_e32m1();
  }
}

// The specification ends at vectors of 65,536 bits.
template <class T, std::size_t kLanes>
constexpr std::size_t MaxLanes(Tag<T, kLanes> /*tag*/) {
  return kLanes != 0 ? kLanes : 65536 / 8 / sizeof(T);
}

template <std::size_t kLanes>
vfloat64m1_t Set(Tag<double, kLanes> /*tag*/, double value) {
  return __riscv_vfmv_v_f_f64m1(value, __riscv_vsetvlmax_e64m1());
}
template <std::size_t kLanes>
vfloat32m1_t Set(Tag<float, kLanes> /*tag*/, float value) {
  return __riscv_vfmv_v_f_f32m1(value, __riscv_vsetvlmax_e32m1());
}

template <class T, std::size_t kLanes>
auto Zero(Tag<T, kLanes> tag) {
  return Set(tag, T{});
}

template <std::size_t kLanes>
vfloat64m1_t LoadU(Tag<double, kLanes> tag, const double* from) {
  return __riscv_vle64_v_f64m1(from, Lanes(tag));
}
template <std::size_t kLanes>
vfloat32m1_t LoadU(Tag<float, kLanes> tag, const float* from) {
  return __riscv_vle32_v_f32m1(from, Lanes(tag));
}

template <std::size_t kLanes>
void StoreU(vfloat64m1_t vec, Tag<double, kLanes> tag, double* to) {
  __riscv_vse64(to, vec, Lanes(tag));
}
template <std::size_t kLanes>
void StoreU(vfloat32m1_t vec, Tag<float, kLanes> tag, float* to) {
  __riscv_vse32(to, vec, Lanes(tag));
}

template <class V>
V Add(V one, V other) {
  return __riscv_vfadd(one, other, all(one));
}

template <class V>
V Neg(V vec) {
  return __riscv_vfneg(vec, all(vec));
}

template <class V>
V Mul(V one, V other) {
  return __riscv_vfmul(one, other, all(one));
}

template <class V>
V MulAdd(V one, V other, V addend) {
  return __riscv_vfmacc(addend, one, other, all(one));
}

template <class V>
auto GetLane(V vec) {
  return __riscv_vfmv_f(vec);
}

template <class T, class V>
V SumOfLanes(Tag<T, 0> tag, V vec) {
  return __riscv_vfredusum(vec, Zero(tag), all(vec));
}

}  // namespace streamgage::engine::vector_rvv
