#include "kernels/variant.hpp"

#include <algorithm>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/json_lines.hpp"
#include "kernels/vector/shapes.hpp"

namespace streamgage::engine {

bool forces_reads(const Variant& variant) {
  return variant.store == StoreMode::kRegular && variant.kernel->write_allocates() &&
         variant.shape && variant.shape->write_prefetch_bytes;
}

void number(std::vector<Variant>& variants) {
  std::vector<std::string> isas;
  for (const Variant& variant : variants) {
    if (std::find(isas.begin(), isas.end(), variant.isa) == isas.end()) {
      isas.push_back(variant.isa);
    }
  }
  const auto place = [&isas](const Variant& variant) {
    // Own kernels are the last of all; those of the catalogue are found by their ids.
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
  const auto builtin =
      variant.type == ElementType::kDouble ? ArrayType::kDouble : ArrayType::kFloat;
  return to_json(record::Variant{.id = variant.id,
                                 .kernel = std::string(variant.kernel->name),
                                 .store = std::string(name_of(variant.store)),
                                 .type = variant.own ? variant.own->type() : builtin,
                                 .isa = variant.isa,
                                 .code = variant.code,
                                 .store_instruction = variant.store_instruction,
                                 .calls = variant.calls,
                                 .purpose = variant.purpose,
                                 .threads = variant.threads,
                                 .elements = variant.elements,
                                 .tuned = variant.tuned,
                                 .shape = variant.shape});
}

}  // namespace streamgage::engine
