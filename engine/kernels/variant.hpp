// A variant: one kernel with one store mode, instruction set and access shape, on one element type,
// as code that can be called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/kernel_code.hpp"
#include "kernels/own/own_kernel.hpp"
#include "kernels/vector/vector_kernels.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

enum class StoreMode {
  kPlain,      // what the compiler makes of the C loop
  kRegular,    // explicit ordinary vector stores
  kStreaming,  // non-temporal vector stores
  kClaim,      // lines zeroed before they are written, without being read
  kLibc,       // memset, memcpy
};

std::string_view name_of(StoreMode mode);

// The mode of that name, or an error that lists the names.
Result<StoreMode> find_store_mode(std::string_view name);

// The kind of vector store of a mode that has vector code; of any other, an ordinary one.
VectorStore vector_store(StoreMode mode);

// What a variant is measured for.
enum class Purpose {
  kRate,        // a figure of its own
  kForcedRead,  // ordinary stores to lines prefetched for writing: every one is certainly read
  kSeries,      // some of the threads, to see how bandwidth grows
};

struct Variant {
  int id = 0;
  const Kernel* kernel = nullptr;
  SharedOwnKernel own = nullptr;  // what `kernel` is a part of, where it is a user's own
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

// A combination that was asked for and does not exist here.
struct AbsentVariant {
  const Kernel* kernel = nullptr;
  StoreMode store = StoreMode::kPlain;
  std::string reason;
};

struct VariantChoice {
  std::vector<Variant> variants;  // in catalogue order of the kernels, numbered from 0
  std::vector<AbsentVariant> absent;
  std::vector<KernelFailure> failures;  // own kernels that declare nothing, or something wrong
};

// Every kernel with every store mode and instruction set of the plan, in the default shape, and a
// second time in the shape that the plan gives. Without store modes, the customary ones of each
// kernel: plain and regular, streaming or claim where the kernel write-allocates and these are
// quick, libc where there is one. Own kernels come behind those of the catalogue, each as one
// variant. An unknown name, a shape that does not exist, or a choice of which nothing exists, is an
// error.
Result<VariantChoice> choose_variants(const Plan& plan);

// The same kernel with the same stores in another shape; for vector code only. What a shape says
// of prefetches that the store mode has no use for is left out of the variant's.
Variant reshaped(const Variant& standard, const AccessShape& shape);

// Whether the kernel overwrites lines that it does not read, with ordinary stores, in a shape that
// prefetches them for writing.
bool forces_reads(const Variant& variant);

// Orders variants by kernel, store mode and instruction set (as they first come), a tuned one
// behind its standard one, and numbers them from 0.
void number(std::vector<Variant>& variants);

nlohmann::ordered_json to_record(const Variant& variant);
nlohmann::ordered_json to_record(const AbsentVariant& absent);

}  // namespace streamgage::engine
