#include "watch/traffic_watch.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "contract/counters.hpp"
#include "records/domain_record.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine {
namespace {

// Intervals in which something did not run are reported together with the next, so many at most: a
// counter that something else keeps from running for good must not silence the others.
constexpr int kMostTogether = 10;

// What is reported as one interval: from one reading to the next, or over several of them.
struct Span {
  double start = 0.0;    // seconds since the first reading
  double seconds = 0.0;  // by the pace's clock; 0 where it has none
  int readings = 0;      // after the one that it starts with
  Reading spent;
};

// How long the counters counted. They know it best, even those that did not run in that time.
double seconds_of(const Span& span) {
  std::uint64_t enabled = 0;
  for (const auto& tally : span.spent) {
    enabled = tally ? std::max(enabled, tally->enabled) : enabled;
  }
  return enabled > 0 ? 1e-9 * static_cast<double>(enabled) : span.seconds;
}

Json interval_record(const TrafficSource& source, const Span& span, bool is_replayed) {
  const Traffic traffic = traffic_of(source.counters(), span.spent);
  return to_json(record::Interval{.start = span.start,
                                  .seconds = seconds_of(span),
                                  .source = source.name(),
                                  .replayed = is_replayed,
                                  .domains = domain_records(traffic.domains),
                                  .running_share = traffic.running_share});
}

// The domains that have lost a counter. One that did not run, because others had the hardware's
// counters, goes on as soon as it has its turn.
std::set<MemoryDomain> lost_domains(std::span<const Counter> counters, const Reading& spent) {
  std::set<MemoryDomain> lost;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (!spent[i]) {
      lost.insert(counters[i].domain);
    }
  }
  return lost;
}

// Whether a domain could be reported if only its counters had run.
bool waits_for_its_turn(std::span<const Counter> counters, const Reading& spent) {
  const auto lost = lost_domains(counters, spent);
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (spent[i] && spent[i]->running == 0 && !lost.contains(counters[i].domain)) {
      return true;
    }
  }
  return false;
}

// An error where every domain has a counter that died.
Result<void> anything_left(const TrafficSource& source, const Reading& spent) {
  const auto counters = source.counters();
  const auto lost = lost_domains(counters, spent);
  if (std::any_of(counters.begin(), counters.end(),
                  [&](const Counter& counter) { return !lost.contains(counter.domain); })) {
    return {};
  }
  const auto died = std::find_if(spent.begin(), spent.end(),
                                 [](const Result<Tally>& tally) { return !tally.has_value(); });
  return failure(fmt::format("{} no longer reports traffic: {}", source.name(),
                             died == spent.end() ? "it has no counter" : died->error().message));
}

}  // namespace

Result<void> watch_traffic(TrafficSource& source, const Reading& first, Pace& pace,
                           RecordSink& records, bool is_replayed) {
  Reading before = first;
  Span span;
  for (Beat beat = pace.await(); beat != Beat::kOver; beat = pace.await()) {
    Reading now = source.read();
    const Reading spent = spent_between(source.counters(), before, now);
    before = std::move(now);
    span.spent = span.readings == 0 ? spent : together(span.spent, spent);
    ++span.readings;
    const auto elapsed = pace.elapsed();
    span.seconds = elapsed.value_or(span.start) - span.start;
    auto left = anything_left(source, spent);
    if (left && beat == Beat::kNext && span.readings < kMostTogether &&
        waits_for_its_turn(source.counters(), span.spent)) {
      continue;
    }
    STREAMGAGE_TRY(records.write(interval_record(source, span, is_replayed)));
    if (!left || beat == Beat::kLast) {
      return left;
    }
    span = Span{elapsed.value_or(span.start + seconds_of(span)), 0.0, 0, {}};
  }
  return {};
}

}  // namespace streamgage::engine
