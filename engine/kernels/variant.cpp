#include "kernels/variant.hpp"

#include <algorithm>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/json_lines.hpp"
#include "kernels/vector/shapes.hpp"

namespace streamgage::engine {
namespace {

std::string_view name_of(Purpose purpose) {
  switch (purpose) {
    case Purpose::kRate:
      return "rate";
    case Purpose::kForcedRead:
      return "forced-read";
    case Purpose::kEvidence:
      return "evidence";
    case Purpose::kSeries:
      break;
  }
  return "series";
}

}  // namespace

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

}  // namespace streamgage::engine
