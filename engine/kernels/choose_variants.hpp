// Which variants a plan asks for, and which of them this machine has.
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

// A combination that was asked for and does not exist here.
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

// Whether the users' kernels are loaded, which runs their code, or left out of a first look at a
// plan.
enum class OwnFiles { kLoad, kLeave };

// Every kernel with every store mode and instruction set of the plan, in the default shape, and a
// second time in the shape that the plan gives. Without store modes, the customary ones of each
// kernel: plain and regular, streaming or claim where the kernel write-allocates and these are
// quick, libc where there is one. Own kernels come behind those of the catalogue, each as one
// variant. A kernel that is evidence comes with regular stores, unless it has them anyway. An
// unknown name, also in a tier, a shape that does not exist, or a choice without a variant, is an
// error.
Result<VariantChoice> choose_variants(const Plan& plan, OwnFiles files = OwnFiles::kLoad);

// For runs in which something better than times tells what crosses the memory bus.
void leave_out_evidence(VariantChoice& choice);

nlohmann::ordered_json to_record(const AbsentVariant& absent);

}  // namespace streamgage::engine
