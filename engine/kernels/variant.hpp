// A variant: one kernel with one store mode, instruction set and access shape, on one element type,
// as code that can be called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/access_shape.hpp"
#include "base/plan.hpp"
#include "contract/variants.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/kernel_code.hpp"
#include "kernels/own/own_kernel.hpp"
#include "kernels/store_mode.hpp"

namespace streamgage::engine {

using record::Purpose;

struct Variant {
  int id = 0;
  const Kernel* kernel = nullptr;
  SharedOwnKernel own = nullptr;  // what `kernel` is a part of, where it is a user's kernel
  StoreMode store = StoreMode::kPlain;
  ElementType type = ElementType::kDouble;
  KernelCode run;
  std::string isa;
  std::string code;                               // what made it: compiler and flags, or library
  std::optional<std::string> store_instruction;   // where the mode stands for a special one
  std::optional<std::vector<std::string>> calls;  // of a plain loop, where known: "memcpy"
  std::optional<AccessShape> shape;               // of vector code
  bool tuned = false;                             // the shape is not the default one
  Purpose purpose = Purpose::kRate;
  std::optional<int> threads;            // that run it; none: all
  std::optional<std::int64_t> elements;  // that one pass covers, or iterations; none: all
};

// Returns whether the kernel overwrites lines that it does not read, with ordinary stores, in a
// shape that prefetches them for writing.
bool forces_reads(const Variant& variant);

// Orders variants by kernel, store mode and instruction set (as they first come), a tuned one
// behind its standard one, and numbers them from 0.
void number(std::vector<Variant>& variants);

nlohmann::ordered_json to_record(const Variant& variant);

}  // namespace streamgage::engine
