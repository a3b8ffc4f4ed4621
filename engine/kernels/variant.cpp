#include "kernels/variant.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/json_lines.hpp"
#include "kernels/libc_kernels.hpp"
#include "kernels/own/own_variants.hpp"
#include "kernels/plain/plain_kernels.hpp"
#include "kernels/plain/plain_library.hpp"
#include "kernels/vector/claim.hpp"
#include "kernels/vector/shapes.hpp"
#include "kernels/vector/vector_kernels.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

constexpr std::array kStoreModes{StoreMode::kPlain, StoreMode::kRegular, StoreMode::kStreaming,
                                 StoreMode::kClaim, StoreMode::kLibc};

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

using MaybeVariant = tl::expected<Variant, std::string>;  // or the reason why there is none

std::string_view kind_of_stores(StoreMode mode) {
  switch (mode) {
    case StoreMode::kStreaming:
      return "non-temporal stores";
    case StoreMode::kClaim:
      return "stores to claimed lines";
    default:
      return "ordinary stores";
  }
}

// Gives the variant the code of its kernel, stores and instruction set in that shape.
void take_shape(Variant& variant, const VectorTarget& target, const AccessShape& shape) {
  const VectorStore store = vector_store(variant.store);
  const bool claims = store == VectorStore::kClaim;
  variant.shape = that_matters(shape, *variant.kernel, store);
  variant.tuned = *variant.shape != AccessShape{};
  variant.run = KernelCode(
      vector_kernel(target, variant.kernel->id, store, variant.shape->streams, variant.type),
      *variant.shape, claims ? claim_instruction()->bytes : 0);
}

MaybeVariant make_vector_variant(Variant variant, const VectorTarget& target) {
  const Kernel& kernel = *variant.kernel;
  if (kernel.reduces() && variant.store != StoreMode::kRegular) {
    return tl::unexpected(fmt::format("{} stores nothing", kernel.name));
  }
  if (variant.store == StoreMode::kStreaming) {
    variant.store_instruction = streaming_instruction(target, variant.type);
    if (!variant.store_instruction) {
      return tl::unexpected(fmt::format("{} has no non-temporal store", target.isa));
    }
  }
  if (variant.store == StoreMode::kClaim) {
    if (!kernel.write_allocates()) {
      return tl::unexpected(fmt::format(
          "{} reads the lines that it overwrites, which claiming would zero", kernel.name));
    }
    const auto& claim = claim_instruction();
    if (!claim) {
      return tl::unexpected(claim.error());
    }
    variant.store_instruction = fmt::format("{}, {} bytes", claim->name, claim->bytes);
  }
  variant.isa = target.isa;
  variant.code = fmt::format("Highway vectors of {} bits, {}", target.vector_bytes * 8,
                             kind_of_stores(variant.store));
  take_shape(variant, target, AccessShape{});
  return variant;
}

MaybeVariant make_library_variant(Variant variant, const PlainLibrary& library) {
  const auto run = kernel_of_library(library.path, variant.kernel->name, variant.type);
  if (!run) {
    return tl::unexpected(run.error().message);
  }
  if (*run == nullptr) {
    return tl::unexpected(fmt::format("the library {} has no function {}", library.path,
                                      symbol_of(variant.kernel->name, variant.type)));
  }
  variant.run = *run;
  variant.isa = "as compiled";
  variant.code = library.code;
  return variant;
}

MaybeVariant make_variant(const Kernel& kernel, StoreMode mode, const Plan& plan,
                          const VectorTarget& target) {
  const ElementType type = plan.type;
  Variant variant;
  variant.kernel = &kernel;
  variant.store = mode;
  variant.type = type;
  if (mode == StoreMode::kPlain && plan.plain_library) {
    return make_library_variant(std::move(variant), *plan.plain_library);
  }
  if (mode == StoreMode::kPlain) {
    const PlainKernel plain =
        plain_kernel(kernel.id, type, plan.isas ? plain_level_of(target.isa) : 0);
    variant.run = plain.run;
    variant.isa = plain.isa;
    variant.code = plain.code;
    variant.calls = plain.calls;
    return variant;
  }
  if (mode == StoreMode::kLibc) {
    const LibcKernel libc = libc_kernel(kernel.id, type);
    if (libc.run == nullptr) {
      return tl::unexpected(fmt::format("the C library has no function that does {}", kernel.name));
    }
    variant.run = libc.run;
    variant.isa = "chosen by the library";
    variant.code = libc.code;
    return variant;
  }
  return make_vector_variant(std::move(variant), target);
}

std::string_view name_of(Purpose purpose) {
  switch (purpose) {
    case Purpose::kRate:
      return "rate";
    case Purpose::kForcedRead:
      return "forced-read";
    case Purpose::kSeries:
      break;
  }
  return "series";
}

template <class Item>
void add_once(std::vector<Item>& items, Item item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) {
    items.push_back(item);
  }
}

}  // namespace

std::string_view name_of(StoreMode mode) {
  switch (mode) {
    case StoreMode::kPlain:
      return "plain";
    case StoreMode::kRegular:
      return "regular";
    case StoreMode::kStreaming:
      return "streaming";
    case StoreMode::kClaim:
      return "claim";
    case StoreMode::kLibc:
      break;
  }
  return "libc";
}

VectorStore vector_store(StoreMode mode) {
  switch (mode) {
    case StoreMode::kStreaming:
      return VectorStore::kStreaming;
    case StoreMode::kClaim:
      return VectorStore::kClaim;
    default:
      return VectorStore::kRegular;
  }
}

Result<StoreMode> find_store_mode(std::string_view name) {
  std::vector<std::string_view> names;
  for (const StoreMode mode : kStoreModes) {
    if (name_of(mode) == name) {
      return mode;
    }
    names.push_back(name_of(mode));
  }
  return usage_error(fmt::format("there is no store mode '{}'; the store modes are {}", name,
                                 fmt::join(names, ", ")));
}

namespace {

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
    return usage_error("plain_library is for the store mode plain, which is not asked for");
  }
  if (plan.kernels.empty()) {
    return usage_error("plain_library is for kernels of the catalogue, and the plan names none");
  }
  STREAMGAGE_TRY(kernel_of_library(plan.plain_library->path, plan.kernels.front(), plan.type));
  return {};
}

// Plain loops are compiled for fewer instruction sets than vectors, the C library's chooses its
// own: neither is to be measured twice.
bool has_same_code(const Variant& one, const Variant& other) {
  return one.kernel == other.kernel && one.store == other.store && one.isa == other.isa &&
         one.shape == other.shape;
}

}  // namespace

Result<VariantChoice> choose_variants(const Plan& plan) {
  STREAMGAGE_TRY(const auto kernels, chosen_kernels(plan));
  STREAMGAGE_TRY(const auto modes, chosen_modes(plan));
  STREAMGAGE_TRY(const auto targets, chosen_targets(plan));
  if (plan.shape) {
    STREAMGAGE_TRY(check_shape(*plan.shape));
  }
  STREAMGAGE_TRY(check_library(plan, modes));
  VariantChoice choice;
  const auto add = [&choice](Variant variant) {
    const auto same = [&variant](const Variant& one) { return has_same_code(one, variant); };
    if (std::none_of(choice.variants.begin(), choice.variants.end(), same)) {
      choice.variants.push_back(std::move(variant));
    }
  };
  for (const Kernel* kernel : kernels) {
    for (const StoreMode mode : kStoreModes) {
      for (const VectorTarget& target : targets) {
        const bool asked = plan.stores ? std::find(modes.begin(), modes.end(), mode) != modes.end()
                                       : is_customary(*kernel, mode, target);
        if (!asked) {
          continue;
        }
        auto variant = make_variant(*kernel, mode, plan, target);
        if (!variant) {
          if (choice.absent.empty() || choice.absent.back().kernel != kernel ||
              choice.absent.back().store != mode ||
              choice.absent.back().reason != variant.error()) {
            choice.absent.push_back({kernel, mode, variant.error()});
          }
          continue;
        }
        if (variant->shape && plan.shape) {
          add(reshaped(*variant, *plan.shape));
        }
        add(std::move(*variant));
      }
    }
  }
  add_own_variants(plan, choice);
  if (choice.variants.empty() && choice.failures.empty()) {
    return usage_error(
        fmt::format("nothing is left to measure: {}; choose other kernels or store modes",
                    choice.absent.front().reason));
  }
  const bool any_tuned = std::any_of(choice.variants.begin(), choice.variants.end(),
                                     [](const Variant& one) { return one.tuned; });
  if (plan.shape && !any_tuned) {
    return usage_error(
        "the shape changes nothing of what is measured: it is the default one, or only of use to "
        "other kernels or store modes (plain and libc have none); give another, or leave it out");
  }
  number(choice.variants);
  return choice;
}

Variant reshaped(const Variant& standard, const AccessShape& shape) {
  Variant variant = standard;
  take_shape(variant, find_vector_target(standard.isa).value(), shape);
  return variant;
}

bool forces_reads(const Variant& variant) {
  return variant.store == StoreMode::kRegular && variant.kernel->write_allocates() &&
         variant.shape && variant.shape->write_prefetch_bytes;
}

void number(std::vector<Variant>& variants) {
  std::vector<std::string> isas;
  for (const Variant& variant : variants) {
    add_once(isas, variant.isa);
  }
  const auto place = [&isas](const Variant& variant) {
    // Own kernels are the last of all; those of the catalogue are told by their ids.
    return std::tuple(variant.kernel->id, variant.kernel->own_number, variant.store,
                      std::find(isas.begin(), isas.end(), variant.isa), variant.purpose,
                      variant.tuned);
  };
  std::stable_sort(variants.begin(), variants.end(), [&](const Variant& one, const Variant& other) {
    return place(one) < place(other);
  });
  int id = 0;
  for (Variant& variant : variants) {
    variant.id = id++;
  }
}

nlohmann::ordered_json to_record(const Variant& variant) {
  return {{"record", "variant"},
          {"id", variant.id},
          {"kernel", variant.kernel->name},
          {"store", name_of(variant.store)},
          {"type", variant.own ? name_of(variant.own->type()) : name_of(variant.type)},
          {"isa", variant.isa},
          {"code", variant.code},
          {"store_instruction", or_null(variant.store_instruction)},
          {"calls", or_null(variant.calls)},
          {"purpose", name_of(variant.purpose)},
          {"threads", or_null(variant.threads)},
          {"elements", or_null(variant.elements)},
          {"tuned", variant.tuned},
          {"shape", variant.shape ? to_json(*variant.shape) : nlohmann::ordered_json(nullptr)}};
}

nlohmann::ordered_json to_record(const AbsentVariant& absent) {
  return {{"record", "absent"},
          {"kernel", absent.kernel->name},
          {"store", name_of(absent.store)},
          {"reason", absent.reason}};
}

}  // namespace streamgage::engine
