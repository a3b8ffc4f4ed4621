#include "program/catalogue_record.hpp"

#include <nlohmann/json.hpp>

#include "contract/setting.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/store_mode.hpp"

namespace streamgage::engine {

Json catalogue_record() {
  record::Catalogue catalogue{.kernels = {}, .stores = {}};
  for (const Kernel& kernel : kCatalogue) {
    catalogue.kernels.emplace_back(kernel.name);
  }
  for (const StoreMode mode : kStoreModes) {
    catalogue.stores.emplace_back(name_of(mode));
  }
  return to_json(catalogue);
}

}  // namespace streamgage::engine
