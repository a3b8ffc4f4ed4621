// A variant: one kernel with one store mode, on one element type, as code that can be called.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/error.hpp"
#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/range_kernel.h"

namespace streamgage {

enum class StoreMode {
  kPlain,      // what the compiler makes of the C loop
  kRegular,    // explicit ordinary vector stores
  kStreaming,  // non-temporal vector stores
  kLibc,       // memset, memcpy
};

std::string_view name_of(StoreMode mode);

// The mode of that name, or an error that lists the names.
Result<StoreMode> find_store_mode(std::string_view name);

struct Variant {
  int id = 0;
  const Kernel* kernel = nullptr;
  StoreMode store = StoreMode::kPlain;
  ElementType type = ElementType::kDouble;
  streamgage_range_kernel run = nullptr;
  std::string isa;
  std::string code;
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
};

// Every kernel with every store mode of the plan; without store modes, the customary ones of each
// kernel: plain and regular, streaming where the kernel write-allocates, libc where there is one.
// An unknown name, or a choice of which nothing exists, is an error.
Result<VariantChoice> choose_variants(const Plan& plan);

nlohmann::ordered_json to_record(const Variant& variant);
nlohmann::ordered_json to_record(const AbsentVariant& absent);

}  // namespace streamgage
