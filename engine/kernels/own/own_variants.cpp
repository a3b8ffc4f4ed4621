#include "kernels/own/own_variants.hpp"

#include <algorithm>
#include <utility>

#include "kernels/own/own_kernel.hpp"

namespace streamgage::engine {

void add_own_variants(const Plan& plan, VariantChoice& choice) {
  int number = 0;
  for (const OwnKernelFile& file : plan.own_kernels) {
    auto kernel = load_own_kernel(file, number++);
    if (!kernel) {
      choice.failures.push_back(std::move(kernel.error()));
      continue;
    }
    const auto has_its_name = [&](const Variant& one) {
      return one.kernel->name == (*kernel)->name;
    };
    const auto same = std::find_if(choice.variants.begin(), choice.variants.end(), has_its_name);
    if (same != choice.variants.end()) {
      choice.failures.push_back(
          failure_of(**kernel, FailureReason::kDeclaration,
                     "has the same name as that of " + same->own->source + "; give it another"));
      continue;
    }
    Variant variant;
    variant.kernel = &(*kernel)->row;
    variant.own = *kernel;
    variant.type =
        (*kernel)->type() == ArrayType::kFloat ? ElementType::kFloat : ElementType::kDouble;
    variant.isa = "as compiled";
    variant.code = file.code;
    choice.variants.push_back(std::move(variant));
  }
}

}  // namespace streamgage::engine
