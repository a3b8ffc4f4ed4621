#include "watch/traffic_watch.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace streamgage {
namespace {

// From the reading before to this one.
struct Span {
  double start = 0.0;    // seconds since the first reading
  double seconds = 0.0;  // by the pace's clock; 0 where it has none
};

Json domain_record(const DomainTraffic& domain) {
  Json record{{"package", or_null(domain.domain.package)},
              {"node", or_null(domain.domain.node)},
              {"bytes_read", nullptr},
              {"bytes_written", nullptr},
              {"bytes_total", nullptr},
              {"reason", nullptr}};
  if (!domain.volume) {
    record["reason"] = domain.volume.error().message;
    return record;
  }
  record["bytes_read"] = or_null(domain.volume->read);
  record["bytes_written"] = or_null(domain.volume->written);
  record["bytes_total"] = domain.volume->total;
  return record;
}

// The counters know best for how long they counted.
double seconds_of(const Traffic& traffic, const Span& span) {
  return traffic.seconds > 0.0 ? traffic.seconds : span.seconds;
}

Json interval_record(const TrafficSource& source, const Traffic& traffic, const Span& span,
                     bool is_replayed) {
  Json domains = Json::array();
  for (const DomainTraffic& domain : traffic.domains) {
    domains.push_back(domain_record(domain));
  }
  return {{"record", "interval"},
          {"start", span.start},
          {"seconds", seconds_of(traffic, span)},
          {"source", source.name()},
          {"replayed", is_replayed},
          {"domains", domains},
          {"running_share", traffic.running_share}};
}

// An error where no domain tells anything any more.
Result<void> anything_left(const TrafficSource& source, const Traffic& traffic) {
  const auto is_lost = [](const DomainTraffic& domain) { return !domain.volume; };
  if (!std::all_of(traffic.domains.begin(), traffic.domains.end(), is_lost)) {
    return {};
  }
  return failure(fmt::format(
      "{} tells nothing any more: {}", source.name(),
      traffic.domains.empty() ? "it has no counter" : traffic.domains[0].volume.error().message));
}

}  // namespace

Result<void> watch_traffic(TrafficSource& source, const Reading& first, Pace& pace,
                           RecordSink& records, bool is_replayed) {
  Reading before = first;
  double start = 0.0;
  for (Beat beat = pace.await(); beat != Beat::kOver; beat = pace.await()) {
    Reading now = source.read();
    const auto elapsed = pace.elapsed();
    const Span span{start, elapsed.value_or(start) - start};
    const Traffic traffic = traffic_between(source.counters(), before, now);
    if (auto written = records.write(interval_record(source, traffic, span, is_replayed));
        !written) {
      return written;
    }
    if (auto left = anything_left(source, traffic); !left || beat == Beat::kLast) {
      return left;
    }
    start = elapsed.value_or(start + traffic.seconds);
    before = std::move(now);
  }
  return {};
}

}  // namespace streamgage
