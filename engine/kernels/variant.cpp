#include "kernels/variant.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "kernels/libc_kernels.hpp"
#include "kernels/plain_kernels.hpp"
#include "kernels/vector_kernels.hpp"

namespace streamgage {
namespace {

constexpr std::array kStoreModes{StoreMode::kPlain, StoreMode::kRegular, StoreMode::kStreaming,
                                 StoreMode::kLibc};

bool is_customary(const Kernel& kernel, StoreMode mode) {
  switch (mode) {
    case StoreMode::kPlain:
    case StoreMode::kRegular:
      return true;
    case StoreMode::kStreaming:
      return kernel.write_allocates();
    case StoreMode::kLibc:
      return libc_kernel(kernel.id, ElementType::kDouble).run != nullptr;
  }
  return false;
}

// The variant, or the reason why there is none.
tl::expected<Variant, std::string> make_variant(const Kernel& kernel, StoreMode mode,
                                                ElementType type) {
  Variant variant{0, &kernel, mode, type, nullptr, {}, {}};
  switch (mode) {
    case StoreMode::kPlain: {
      const PlainKernel plain = plain_kernel(kernel.id, type);
      variant.run = plain.run;
      variant.isa = plain.isa;
      variant.code = plain.code;
      return variant;
    }
    case StoreMode::kRegular:
    case StoreMode::kStreaming: {
      const bool streaming = mode == StoreMode::kStreaming;
      if (streaming && kernel.reduces()) {
        return tl::unexpected(fmt::format("{} stores nothing", kernel.name));
      }
      const VectorTarget best = vector_targets().front();
      variant.run = vector_kernel(
          best, kernel.id, streaming ? VectorStore::kStreaming : VectorStore::kRegular, type);
      if (variant.run == nullptr) {
        return tl::unexpected(
            fmt::format("there is no streaming store in the {} code of this build", best.isa));
      }
      variant.isa = best.isa;
      variant.code =
          fmt::format("Highway vectors, {}", streaming ? "non-temporal stores" : "ordinary stores");
      return variant;
    }
    case StoreMode::kLibc: {
      const LibcKernel libc = libc_kernel(kernel.id, type);
      if (libc.run == nullptr) {
        return tl::unexpected(
            fmt::format("the C library has no function that does {}", kernel.name));
      }
      variant.run = libc.run;
      variant.isa = "chosen by the library";
      variant.code = libc.code;
      return variant;
    }
  }
  return tl::unexpected(std::string("unknown store mode"));
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
    case StoreMode::kLibc:
      break;
  }
  return "libc";
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

Result<VariantChoice> choose_variants(const Plan& plan) {
  std::vector<const Kernel*> kernels;
  for (const std::string& name : plan.kernels) {
    const auto kernel = find_kernel(name);
    if (!kernel) {
      return tl::unexpected<Error>(kernel.error());
    }
    add_once(kernels, *kernel);
  }
  std::sort(kernels.begin(), kernels.end());  // rows of one array: this is catalogue order

  std::vector<StoreMode> modes;
  for (const std::string& name : plan.stores.value_or(std::vector<std::string>{})) {
    const auto mode = find_store_mode(name);
    if (!mode) {
      return tl::unexpected<Error>(mode.error());
    }
    add_once(modes, *mode);
  }

  VariantChoice choice;
  for (const Kernel* kernel : kernels) {
    for (const StoreMode mode : kStoreModes) {
      const bool asked = plan.stores ? std::find(modes.begin(), modes.end(), mode) != modes.end()
                                     : is_customary(*kernel, mode);
      if (!asked) {
        continue;
      }
      auto variant = make_variant(*kernel, mode, plan.type);
      if (!variant) {
        choice.absent.push_back({kernel, mode, variant.error()});
        continue;
      }
      variant->id = static_cast<int>(choice.variants.size());
      choice.variants.push_back(std::move(*variant));
    }
  }
  if (choice.variants.empty()) {
    return usage_error(
        fmt::format("nothing is left to measure: {}; choose other kernels or store modes",
                    choice.absent.front().reason));
  }
  return choice;
}

nlohmann::ordered_json to_record(const Variant& variant) {
  return {{"record", "variant"},
          {"id", variant.id},
          {"kernel", variant.kernel->name},
          {"store", name_of(variant.store)},
          {"type", name_of(variant.type)},
          {"isa", variant.isa},
          {"code", variant.code}};
}

nlohmann::ordered_json to_record(const AbsentVariant& absent) {
  return {{"record", "absent"},
          {"kernel", absent.kernel->name},
          {"store", name_of(absent.store)},
          {"reason", absent.reason}};
}

}  // namespace streamgage
