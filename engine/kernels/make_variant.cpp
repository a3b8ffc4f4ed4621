#include "kernels/make_variant.hpp"

#include <utility>

#include <fmt/format.h>

#include "kernels/kernel_code.hpp"
#include "kernels/libc_kernels.hpp"
#include "kernels/plain/plain_kernels.hpp"
#include "kernels/plain/plain_library.hpp"
#include "kernels/vector/claim.hpp"
#include "kernels/vector/shapes.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

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
    STREAMGAGE_TRY(const auto claim, claim_instruction());
    variant.store_instruction = fmt::format("{}, {} bytes", claim.name, claim.bytes);
  }
  variant.isa = target.isa;
  variant.code = fmt::format("Highway vectors of {} bits, {}", target.vector_bytes * 8,
                             kind_of_stores(variant.store));
  take_shape(variant, target, AccessShape{});
  return variant;
}

MaybeVariant make_library_variant(Variant variant, const PlainLibrary& library) {
  STREAMGAGE_TRY(const auto run, kernel_of_library(library.path, variant.kernel->name, variant.type)
                                     .map_error([](const Error& error) { return error.message; }));
  if (run == nullptr) {
    return tl::unexpected(fmt::format("the library {} has no function {}", library.path,
                                      symbol_of(variant.kernel->name, variant.type)));
  }
  variant.run = run;
  variant.isa = "as compiled";
  variant.code = library.code;
  return variant;
}

// `level`: as plain_kernel() takes it.
Variant make_plain_variant(Variant variant, std::size_t level) {
  const PlainKernel plain = plain_kernel(variant.kernel->id, variant.type, level);
  variant.run = plain.run;
  variant.isa = plain.isa;
  variant.code = plain.code;
  variant.calls = plain.calls;
  return variant;
}

MaybeVariant make_libc_variant(Variant variant) {
  const LibcKernel libc = libc_kernel(variant.kernel->id, variant.type);
  if (libc.run == nullptr) {
    return tl::unexpected(
        fmt::format("the C library has no function that does {}", variant.kernel->name));
  }
  variant.run = libc.run;
  variant.isa = "chosen by the library";
  variant.code = libc.code;
  return variant;
}

}  // namespace

MaybeVariant make_variant(const Kernel& kernel, StoreMode mode, const Plan& plan,
                          const VectorTarget& target) {
  Variant variant;
  variant.kernel = &kernel;
  variant.store = mode;
  variant.type = plan.type;
  switch (mode) {
    case StoreMode::kPlain:
      return plan.plain_library
                 ? make_library_variant(std::move(variant), *plan.plain_library)
                 : make_plain_variant(std::move(variant),
                                      plan.isas ? plain_level_of(target.isa) : std::size_t{0});
    case StoreMode::kLibc:
      return make_libc_variant(std::move(variant));
    case StoreMode::kRegular:
    case StoreMode::kStreaming:
    case StoreMode::kClaim:
      break;
  }
  return make_vector_variant(std::move(variant), target);
}

Variant reshaped(const Variant& standard, const AccessShape& shape) {
  Variant variant = standard;
  take_shape(variant, find_vector_target(standard.isa).value(), shape);
  return variant;
}

}  // namespace streamgage::engine
