#include "program/catalogue_record.hpp"

#include <nlohmann/json.hpp>

#include "kernels/catalogue.hpp"
#include "kernels/store_mode.hpp"

namespace streamgage::engine {

Json catalogue_record() {
  Json kernels = Json::array();
  for (const Kernel& kernel : kCatalogue) {
    kernels.push_back(kernel.name);
  }
  Json stores = Json::array();
  for (const StoreMode mode : kStoreModes) {
    stores.push_back(name_of(mode));
  }
  return {{"record", "catalogue"}, {"kernels", kernels}, {"stores", stores}};
}

}  // namespace streamgage::engine
