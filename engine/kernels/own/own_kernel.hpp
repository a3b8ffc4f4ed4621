// A user's kernel: what a shared object declares by streamgage/kernel.h, verified.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>
#include <tl/expected.hpp>

#include "base/plan.hpp"
#include "contract/variants.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/own/kernel_failure.hpp"
#include "streamgage/kernel.h"
#include "streamgage/memory/partition.hpp"

namespace streamgage::engine {

using record::ArrayType;

std::size_t size_of(ArrayType type);  // bytes

struct OwnArray {
  std::string name;
  ArrayType type = ArrayType::kDouble;
  bool is_read = false;
  bool is_written = false;
  double per_iteration = 1.0;  // elements
  std::int64_t extra = 0;      // elements
  double bytes = 0.0;          // an iteration, each way

  // Returns the elements that belong to a range of the iterations. Elements beyond the last
  // iteration belong to the range that ends there.
  [[nodiscard]] Range elements_of(const Range& range, std::int64_t iterations) const;
  [[nodiscard]] std::int64_t elements(std::int64_t iterations) const;
  [[nodiscard]] std::uint64_t array_bytes(std::int64_t iterations) const;
};

// Must not move: `row` refers to it.
struct OwnKernel {
  OwnKernel() = default;
  OwnKernel(const OwnKernel&) = delete;
  OwnKernel& operator=(const OwnKernel&) = delete;
  OwnKernel(OwnKernel&&) = delete;
  OwnKernel& operator=(OwnKernel&&) = delete;
  ~OwnKernel() = default;

  std::string name;
  std::string formula;
  std::string source;  // the file as the user named it
  std::string code;    // what made it
  std::vector<OwnArray> arrays;
  double flops = 0.0;
  std::int64_t grain = 1;
  double (*run)(const streamgage_call* call) = nullptr;
  void (*fill)(const streamgage_call* call) = nullptr;  // may be none
  std::int64_t (*check)(const streamgage_call* call, char* why, std::size_t size) = nullptr;
  Kernel row{};  // as the catalogue would have it

  // Returns the type of its first floating-point array; if it has none, of its first array.
  [[nodiscard]] ArrayType type() const;
  // Returns whether a pass changes values that the next pass reads.
  [[nodiscard]] bool changes_what_it_reads() const;
};

using SharedOwnKernel = std::shared_ptr<const OwnKernel>;

// Loads the file that a plan names and verifies every fact that it declares; the library stays
// loaded. `number`: its place among the users' kernels. The time limits its constructors and its
// declaration.
tl::expected<SharedOwnKernel, KernelFailure> load_own_kernel(const OwnKernelFile& file, int number,
                                                             double timeout_seconds);

// The kernel of a declaration, verified; for one that runs elsewhere, its functions cannot be
// called.
tl::expected<SharedOwnKernel, KernelFailure> declared_kernel(const streamgage_kernel& declared,
                                                             const std::string& source,
                                                             const std::string& code, int number);

// Returns a failure of this kernel; the sentence begins with its name.
KernelFailure failure_of(const OwnKernel& kernel, FailureReason reason, const std::string& what);

nlohmann::ordered_json to_record(const OwnKernel& kernel, std::int64_t iterations);

}  // namespace streamgage::engine
