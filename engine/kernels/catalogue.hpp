// The catalogue: what each kernel computes and moves, declared once, one row a kernel.
//
// All facts follow from the row: bytes, which arrays are read, whether the store overwrites lines
// that the kernel does not itself read. They travel in the "kernel" records.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// Array operands as bits. The first one, a, is the target of every kernel that stores.
enum Operand : unsigned { kA = 1U, kB = 2U, kC = 4U, kD = 8U };

enum class KernelId {
  kInit,
  kSum,
  kDot,
  kCopy,
  kScale,
  kUpdate,
  kAdd,
  kTriad,
  kDaxpy,
  kStriad,
  kSdaxpy,
  kBracket,
  kCopyOfHost,  // of a device with the host or another device: see devices/device_copies.hpp
  kOwn,         // of a user: see kernels/own
};

struct OwnKernel;

struct Kernel {
  KernelId id;
  std::string_view name;
  std::string_view formula;
  unsigned reads;  // Operand bits
  bool stores;     // one element of a an iteration
  int flops;       // an iteration
  // For a user's kernel: its declaration, and its place among the users' kernels.
  const OwnKernel* own = nullptr;
  int own_number = 0;

  [[nodiscard]] constexpr int loads() const {
    int count = 0;
    for (unsigned bits = reads; bits != 0; bits &= bits - 1) {
      ++count;
    }
    return count;
  }
  [[nodiscard]] constexpr int store_count() const { return stores ? 1 : 0; }
  // Returns whether the kernel stores to lines that it does not read; an ordinary cache reads
  // those first.
  [[nodiscard]] constexpr bool write_allocates() const {
    return stores && (reads & kA) == 0 && id != KernelId::kCopyOfHost;
  }
  // Returns whether the kernel is a reduction, which returns a value and stores nothing.
  [[nodiscard]] constexpr bool reduces() const { return !stores; }
  // Returns the bytes of an iteration by STREAM's (nominal) counting.
  [[nodiscard]] constexpr std::size_t nominal_bytes(std::size_t element_bytes) const {
    return static_cast<std::size_t>(loads() + store_count()) * element_bytes;
  }
};

inline constexpr std::array<Kernel, 12> kCatalogue{{
    {KernelId::kInit, "init", "a = s", 0, true, 0},
    {KernelId::kSum, "sum", "s += a", kA, false, 1},
    {KernelId::kDot, "dot", "s += a*b", kA | kB, false, 2},
    {KernelId::kCopy, "copy", "a = b", kB, true, 0},
    {KernelId::kScale, "scale", "a = s*b", kB, true, 1},
    {KernelId::kUpdate, "update", "a = s*a", kA, true, 1},
    {KernelId::kAdd, "add", "a = b + c", kB | kC, true, 1},
    {KernelId::kTriad, "triad", "a = b + s*c", kB | kC, true, 2},
    {KernelId::kDaxpy, "daxpy", "a = a + s*b", kA | kB, true, 2},
    {KernelId::kStriad, "striad", "a = b + c*d", kB | kC | kD, true, 2},
    {KernelId::kSdaxpy, "sdaxpy", "a = a + b*c", kA | kB | kC, true, 2},
    {KernelId::kBracket, "bracket", "a = a + b*c + d", kA | kB | kC | kD, true, 3},
}};

// Returns the kernel of that name, or an error that lists all names.
Result<const Kernel*> find_kernel(std::string_view name);

nlohmann::ordered_json to_record(const Kernel& kernel);

}  // namespace streamgage::engine
