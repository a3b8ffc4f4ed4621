// The arrays of a user's kernel, and the arguments that it is called with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "kernels/own/kernel_guard.hpp"
#include "kernels/own/own_kernel.hpp"
#include "measure/own/guarded_array.hpp"
#include "streamgage/base/cpu_list.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/memory/partition.hpp"

namespace streamgage::engine {

// The source of the arrays' memory.
struct OwnMemory {
  Guards guards = Guards::kApart;
  PageSize pages = PageSize::kSmall;
  CpuList nodes = {};
};

class OwnArrays {
 public:
  static Result<OwnArrays> reserve(const OwnKernel& kernel, std::int64_t iterations,
                                   const OwnMemory& memory, double timeout_seconds);

  [[nodiscard]] std::int64_t iterations() const { return iterations_; }
  [[nodiscard]] const std::vector<GuardedArray>& arrays() const { return arrays_; }
  [[nodiscard]] const WatchedKernel& watched() const { return *watched_; }

  // Returns the arguments of the kernel's functions for a range of the iterations.
  [[nodiscard]] streamgage_call call(const Range& range, double scalar = 0.0,
                                     double value = 0.0) const;

  // Returns the table that the kernel gets as `arrays`. Null pointers follow the declared arrays.
  [[nodiscard]] void** table() const { return table_->data(); }

  // Writes the elements that belong to a range of the iterations for the first time or again:
  // floating-point ones with multiples of 1/8 in [-1, 1], others with 0.
  void fill_plainly(const Range& range) const;

  // Fills the elements by the kernel's own function, if it has one; call it after fill_plainly().
  void fill_by_kernel(const Range& range) const;

  void paint() const;

  // Returns what was written outside the arrays, if anything: "writes element -1 of its array a,
  // ...".
  [[nodiscard]] std::optional<std::string> damage() const;

 private:
  OwnArrays(const OwnKernel& kernel, std::int64_t iterations, std::vector<GuardedArray> arrays,
            double timeout_seconds);

  const OwnKernel* kernel_;
  std::int64_t iterations_;
  std::vector<GuardedArray> arrays_;
  std::unique_ptr<std::vector<void*>> table_;  // stays where it is
  std::unique_ptr<WatchedKernel> watched_;     // so does this
};

}  // namespace streamgage::engine
