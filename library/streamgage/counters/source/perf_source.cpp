#include "streamgage/counters/source/perf_source.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "streamgage/counters/source/open_failure.hpp"

namespace streamgage {
namespace {

class PerfSource final : public TrafficSource {
 public:
  explicit PerfSource(std::string name) : name_(std::move(name)) {}

  void add(const Counter& counter, std::unique_ptr<OpenCounter> handle) {
    counters_.push_back(counter);
    handles_.push_back(std::move(handle));
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::span<const Counter> counters() const override { return counters_; }

  Reading read() override {
    Reading reading;
    reading.reserve(handles_.size());
    for (std::size_t i = 0; i < handles_.size(); ++i) {
      if (const auto tally = handles_[i]->read()) {
        reading.emplace_back(*tally);
      } else {
        reading.emplace_back(failure(fmt::format("{} cannot be read any more: {}",
                                                 counters_[i].name, tally.error().message())));
      }
    }
    return reading;
  }

 private:
  std::string name_;
  std::vector<Counter> counters_;
  std::vector<std::unique_ptr<OpenCounter>> handles_;
};

// Which counters could not be opened, and the first one's error.
struct Refused {
  std::vector<const PlannedCounter*> counters;
  std::error_code error;
};

Unavailable explain(const ControllerPlan& plan, const Refused& refused,
                    std::optional<int> paranoid_level) {
  const OpenFailure failure = explain_open_failure(refused.error, paranoid_level);
  if (refused.counters.size() == plan.counters.size()) {
    return {false,
            fmt::format("none of the {} counters could be opened: {}", plan.counters.size(),
                        failure.reason),
            failure.remedy};
  }
  std::set<std::string> domains;
  for (const PlannedCounter* each : refused.counters) {
    domains.insert(name_of(each->counter.domain));
  }
  return {
      false,
      fmt::format("{} of the {} counters could not be opened, first {}: {}; without them the "
                  "traffic of {} would be incomplete",
                  refused.counters.size(), plan.counters.size(),
                  refused.counters.front()->counter.name, failure.reason, fmt::join(domains, ", ")),
      failure.remedy};
}

}  // namespace

std::optional<Unavailable> missing_controllers(const ControllerPlan& plan) {
  if (plan.rejected.empty()) {
    return std::nullopt;
  }
  return Unavailable{
      false, fmt::format("not every controller can be counted: {}", fmt::join(plan.rejected, "; ")),
      "use a newer kernel, which may describe all controllers; counting only some of them would "
      "report too little traffic"};
}

OpenedSource open_perf_source(const ControllerPlan& plan, CounterOpener& opener,
                              std::optional<int> paranoid_level) {
  if (auto incomplete = missing_controllers(plan)) {
    return tl::unexpected(std::move(*incomplete));
  }
  auto source = std::make_unique<PerfSource>(std::string(plan.row->source) +
                                             (opener.is_replay() ? " (replayed)" : ""));
  Refused refused;
  for (const PlannedCounter& planned : plan.counters) {
    auto handle = opener.open(planned.request);
    if (handle) {
      source->add(planned.counter, std::move(*handle));
      continue;
    }
    if (refused.counters.empty()) {
      refused.error = handle.error();
    }
    refused.counters.push_back(&planned);
  }
  if (!refused.counters.empty()) {
    return tl::unexpected(explain(plan, refused, paranoid_level));
  }
  return source;
}

}  // namespace streamgage
