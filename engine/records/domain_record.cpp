#include "records/domain_record.hpp"

#include "base/json_lines.hpp"

namespace streamgage::engine {

Json domain_record(const DomainTraffic& traffic) {
  const auto& [domain, volume, share] = traffic;
  Json record{{"package", or_null(domain.package)},
              {"node", or_null(domain.node)},
              {"bytes_read", volume ? or_null(volume->read) : Json(nullptr)},
              {"bytes_written", volume ? or_null(volume->written) : Json(nullptr)},
              {"bytes_total", volume ? Json(volume->total) : Json(nullptr)},
              {"reason", volume ? Json(nullptr) : Json(volume.error().message)}};
  if (volume && volume->local) {
    record["bytes_local"] = *volume->local;
  }
  return record;
}

}  // namespace streamgage::engine
