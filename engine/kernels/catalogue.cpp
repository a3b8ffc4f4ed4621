#include "kernels/catalogue.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "contract/variants.hpp"

namespace streamgage::engine {

Result<const Kernel*> find_kernel(std::string_view name) {
  const auto* row = std::find_if(kCatalogue.begin(), kCatalogue.end(),
                                 [name](const Kernel& kernel) { return kernel.name == name; });
  if (row != kCatalogue.end()) {
    return row;
  }
  std::vector<std::string_view> names;
  names.reserve(kCatalogue.size());
  for (const Kernel& kernel : kCatalogue) {
    names.push_back(kernel.name);
  }
  return usage_error(
      fmt::format("there is no kernel '{}'; the kernels are {}", name, fmt::join(names, ", ")));
}

nlohmann::ordered_json to_record(const Kernel& kernel) {
  return to_json(record::Kernel{.name = std::string(kernel.name),
                                .formula = std::string(kernel.formula),
                                .loads = kernel.loads(),
                                .stores = kernel.store_count(),
                                .write_allocates = kernel.write_allocates(),
                                .flops = kernel.flops});
}

}  // namespace streamgage::engine
