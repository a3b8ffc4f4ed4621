#include "records/domain_record.hpp"

namespace streamgage::engine {

std::vector<record::DomainTraffic> domain_records(std::span<const DomainTraffic> domains) {
  std::vector<record::DomainTraffic> records;
  for (const auto& [domain, volume, share] : domains) {
    record::DomainTraffic& record =
        records.emplace_back(record::DomainTraffic{.package = domain.package,
                                                   .node = domain.node,
                                                   .bytes_read = std::nullopt,
                                                   .bytes_written = std::nullopt,
                                                   .bytes_total = std::nullopt});
    if (volume) {
      record.bytes_read = volume->read;
      record.bytes_written = volume->written;
      record.bytes_total = volume->total;
      record.bytes_local = volume->local;
    } else {
      record.reason = volume.error().message;
    }
  }
  return records;
}

}  // namespace streamgage::engine
