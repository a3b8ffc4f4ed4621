#include "kernels/choose_variants.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "contract/variants.hpp"
#include "kernels/libc_kernels.hpp"
#include "kernels/make_variant.hpp"
#include "kernels/own/own_kernel.hpp"
#include "kernels/plain/plain_library.hpp"
#include "kernels/vector/claim.hpp"
#include "kernels/vector/shapes.hpp"
#include "kernels/vector/vector_kernels.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

// CLZERO is meant for recovery from memory errors and takes some 100 ns a line (Zen 5, measured),
// so that it is tried only where it is asked for.
#if defined(__x86_64__)
constexpr bool kClaimsAreQuick = false;
#else
constexpr bool kClaimsAreQuick = true;
#endif

bool is_customary(const Kernel& kernel, StoreMode mode, const VectorTarget& target) {
  switch (mode) {
    case StoreMode::kPlain:
    case StoreMode::kRegular:
      return true;
    case StoreMode::kStreaming:
      return kernel.write_allocates() &&
             streaming_instruction(target, ElementType::kDouble).has_value();
    case StoreMode::kClaim:
      return kernel.write_allocates() && kClaimsAreQuick && claim_instruction().has_value();
    case StoreMode::kLibc:
      return libc_kernel(kernel.id, ElementType::kDouble).run != nullptr;
  }
  return false;
}

template <class Item>
void add_once(std::vector<Item>& items, Item item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) {
    items.push_back(item);
  }
}

Result<std::vector<const Kernel*>> chosen_kernels(const Plan& plan) {
  std::vector<const Kernel*> kernels;
  if (plan.check_kernels) {
    return kernels;
  }
  for (const std::string& name : plan.kernels) {
    STREAMGAGE_TRY(const auto kernel, find_kernel(name));
    add_once(kernels, kernel);
  }
  std::sort(kernels.begin(), kernels.end());  // rows of one array: this is catalogue order
  return kernels;
}

Result<std::vector<StoreMode>> chosen_modes(const Plan& plan) {
  std::vector<StoreMode> modes;
  for (const std::string& name : plan.stores.value_or(std::vector<std::string>{})) {
    STREAMGAGE_TRY(const auto mode, find_store_mode(name));
    add_once(modes, mode);
  }
  return modes;
}

Result<void> check_tiers(const Plan& plan) {
  for (const Tier& tier : plan.tiers) {
    for (const std::string& kernel : tier.kernels) {
      STREAMGAGE_TRY(find_kernel(kernel));
    }
    for (const std::string& store : tier.stores.value_or(std::vector<std::string>{})) {
      STREAMGAGE_TRY(find_store_mode(store));
    }
  }
  return {};
}

Result<std::vector<VectorTarget>> chosen_targets(const Plan& plan) {
  if (!plan.isas) {
    return std::vector{vector_targets().front()};
  }
  std::vector<VectorTarget> targets;
  for (const std::string& name : *plan.isas) {
    STREAMGAGE_TRY(auto target, find_vector_target(name));
    const bool is_new = std::none_of(targets.begin(), targets.end(),
                                     [&](const VectorTarget& one) { return one.id == target.id; });
    if (is_new) {
      targets.push_back(std::move(target));
    }
  }
  return targets;
}

// A library that nobody can load, or that nothing asks for, would leave its name in the records.
Result<void> check_library(const Plan& plan, const std::vector<StoreMode>& modes) {
  if (!plan.plain_library) {
    return {};
  }
  if (plan.stores && std::find(modes.begin(), modes.end(), StoreMode::kPlain) == modes.end()) {
    return usage_error("plain_library needs the store mode plain; add it to the plan's stores");
  }
  if (plan.kernels.empty()) {
    return usage_error("plain_library needs built-in kernels, but the plan names none");
  }
  STREAMGAGE_TRY(kernel_of_library(plan.plain_library->path, plan.kernels.front(), plan.type));
  return {};
}

// Plain loops are compiled for fewer instruction sets than vectors, and the C library chooses its
// own: neither is measured twice.
bool has_same_code(const Variant& one, const Variant& other) {
  return one.kernel == other.kernel && one.store == other.store && one.isa == other.isa &&
         one.shape == other.shape;
}

// Of two that this processor has.
bool is_better(const VectorTarget& one, const VectorTarget& other) {
  const auto all = vector_targets();
  const auto place = [&all](const VectorTarget& target) {
    return std::find_if(all.begin(), all.end(),
                        [&](const VectorTarget& each) { return each.id == target.id; });
  };
  return place(one) < place(other);
}

class Chooser {
 public:
  Chooser(const Plan& plan, OwnFiles files) : plan_(plan), files_(files) {}

  Result<VariantChoice> choose() {
    STREAMGAGE_TRY(check_tiers(plan_));
    STREAMGAGE_TRY(const auto kernels, chosen_kernels(plan_));
    STREAMGAGE_TRY(modes_, chosen_modes(plan_));
    STREAMGAGE_TRY(const auto targets, chosen_targets(plan_));
    if (plan_.shape) {
      STREAMGAGE_TRY(check_shape(*plan_.shape));
    }
    STREAMGAGE_TRY(check_library(plan_, modes_));
    for (const Kernel* kernel : kernels) {
      for (const StoreMode mode : kStoreModes) {
        for (const VectorTarget& target : targets) {
          if (is_asked(*kernel, mode, target)) {
            take(*kernel, mode, target);
          }
        }
      }
    }
    if (files_ == OwnFiles::kLoad) {
      take_own_kernels();
    }
    STREAMGAGE_TRY(check_choice());
    STREAMGAGE_TRY(take_evidence(targets));
    number(choice_.variants);
    return std::move(choice_);
  }

 private:
  [[nodiscard]] bool is_asked(const Kernel& kernel, StoreMode mode,
                              const VectorTarget& target) const {
    return plan_.stores ? std::find(modes_.begin(), modes_.end(), mode) != modes_.end()
                        : is_customary(kernel, mode, target);
  }

  void take(const Kernel& kernel, StoreMode mode, const VectorTarget& target) {
    auto variant = make_variant(kernel, mode, plan_, target);
    if (!variant) {
      const AbsentVariant absent{&kernel, mode, std::move(variant.error())};
      if (choice_.absent.empty() || choice_.absent.back() != absent) {
        choice_.absent.push_back(absent);
      }
      return;
    }
    if (variant->shape && plan_.shape) {
      add(reshaped(*variant, *plan_.shape));
    }
    add(std::move(*variant));
  }

  void add(Variant variant) {
    const auto same = [&variant](const Variant& one) { return has_same_code(one, variant); };
    if (std::none_of(choice_.variants.begin(), choice_.variants.end(), same)) {
      choice_.variants.push_back(std::move(variant));
    }
  }

  // With the best of the instruction sets: one is enough to compare with.
  Result<void> take_evidence(const std::vector<VectorTarget>& targets) {
    if (plan_.check_kernels) {
      return {};
    }
    const auto best = std::min_element(targets.begin(), targets.end(), is_better);
    for (const std::string& name : plan_.evidence) {
      STREAMGAGE_TRY(const auto kernel, find_kernel(name));
      auto variant = make_variant(*kernel, StoreMode::kRegular, plan_, *best);
      if (variant && !is_measured(*kernel)) {
        variant->purpose = Purpose::kEvidence;
        choice_.variants.push_back(std::move(*variant));
      }
    }
    return {};
  }

  [[nodiscard]] bool is_measured(const Kernel& kernel) const {
    return std::any_of(choice_.variants.begin(), choice_.variants.end(), [&](const Variant& one) {
      return one.kernel == &kernel && one.store == StoreMode::kRegular;
    });
  }

  void take_own_kernels() {
    int number = 0;
    for (const OwnKernelFile& file : plan_.own_kernels) {
      auto kernel = load_own_kernel(file, number++, plan_.kernel_timeout_seconds);
      if (kernel) {
        take_own(*kernel, file.code);
      } else {
        choice_.failures.push_back(std::move(kernel.error()));
      }
    }
  }

  void take_own(const SharedOwnKernel& kernel, const std::string& code) {
    std::vector<Variant>& variants = choice_.variants;
    const auto same = std::find_if(variants.begin(), variants.end(), [&](const Variant& one) {
      return one.kernel->name == kernel->name;
    });
    if (same != variants.end()) {
      choice_.failures.push_back(failure_of(
          *kernel, FailureReason::kDeclaration,
          "has the same name as the kernel of " + same->own->source + "; rename one of them"));
      return;
    }
    Variant variant;
    variant.kernel = &kernel->row;
    variant.own = kernel;
    variant.type = kernel->type() == ArrayType::kFloat ? ElementType::kFloat : ElementType::kDouble;
    variant.isa = "as compiled";
    variant.code = code;
    variants.push_back(std::move(variant));
  }

  [[nodiscard]] Result<void> check_choice() const {
    const bool any_own = files_ == OwnFiles::kLeave && !plan_.own_kernels.empty();
    if (choice_.variants.empty() && choice_.failures.empty() && !any_own) {
      return usage_error(
          fmt::format("nothing is left to measure: {}; choose other kernels or store modes",
                      choice_.absent.front().reason));
    }
    const bool any_tuned = std::any_of(choice_.variants.begin(), choice_.variants.end(),
                                       [](const Variant& one) { return one.tuned; });
    if (plan_.shape && !any_tuned) {
      return usage_error(
          "the shape has no effect: it is the default one, or no chosen kernel and store mode uses "
          "it (plain and libc never do); give another, or leave it out");
    }
    return {};
  }

  const Plan& plan_;
  OwnFiles files_;
  std::vector<StoreMode> modes_;
  VariantChoice choice_;
};

}  // namespace

Result<VariantChoice> choose_variants(const Plan& plan, OwnFiles files) {
  return Chooser(plan, files).choose();
}

void leave_out_evidence(VariantChoice& choice) {
  const auto is_evidence = [](const Variant& one) { return one.purpose == Purpose::kEvidence; };
  choice.variants.erase(std::remove_if(choice.variants.begin(), choice.variants.end(), is_evidence),
                        choice.variants.end());
  number(choice.variants);
}

nlohmann::ordered_json to_record(const AbsentVariant& absent) {
  return to_json(record::AbsentVariant{.kernel = std::string(absent.kernel->name),
                                       .store = std::string(name_of(absent.store)),
                                       .reason = absent.reason});
}

}  // namespace streamgage::engine
