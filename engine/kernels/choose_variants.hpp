// Finds the variants that a plan asks for, and those of them that this machine has.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "base/plan.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/own/kernel_failure.hpp"
#include "kernels/store_mode.hpp"
#include "kernels/variant.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// A requested combination that does not exist on this machine.
struct AbsentVariant {
  const Kernel* kernel = nullptr;
  StoreMode store = StoreMode::kPlain;
  std::string reason;

  bool operator==(const AbsentVariant&) const = default;
};

struct VariantChoice {
  std::vector<Variant> variants;  // in catalogue order of the kernels, numbered from 0
  std::vector<AbsentVariant> absent;
  std::vector<KernelFailure> failures;  // own kernels that declare nothing, or something wrong
};

// Whether to load the users' kernels, which runs their code, or to leave them out, as in a first
// look at a plan.
enum class OwnFiles { kLoad, kLeave };

// Returns every kernel of the plan with every store mode and instruction set, in the default shape,
// and again in the shape that the plan gives. If the plan names no store modes, each kernel gets
// its usual ones: plain and regular; streaming or claim if the kernel write-allocates and these are
// fast; libc if the C library has it. Own kernels follow the built-in ones, with one variant each.
// A kernel that is evidence gets regular stores, unless it has them already. It is an error if a
// name is unknown, also in a tier, if the shape does not exist, or if no variant is left.
Result<VariantChoice> choose_variants(const Plan& plan, OwnFiles files = OwnFiles::kLoad);

// Removes the kernels that are only evidence, for runs in which counters show the memory traffic.
void leave_out_evidence(VariantChoice& choice);

nlohmann::ordered_json to_record(const AbsentVariant& absent);

}  // namespace streamgage::engine
