#include "streamgage/counters/traffic_region.hpp"

#include <utility>

#include "streamgage/base/try.hpp"
#include "streamgage/counters/source/perf_opener.hpp"
#include "streamgage/counters/source/replay_opener.hpp"
#include "streamgage/topology/host/hypervisor.hpp"

namespace streamgage {
namespace {

// "perf uncore: this is a guest; resctrl: ..." of what each source says.
std::string by_source(const std::vector<SourceReport>& reports, std::string SourceReport::*what) {
  std::string text;
  for (const SourceReport& report : reports) {
    if (!(report.*what).empty()) {
      text += (text.empty() ? "" : "; ") + report.name + ": " + report.*what;
    }
  }
  return text;
}

}  // namespace

TrafficRegion TrafficRegion::open() {
  PerfOpener kernel;
  SurveyRequest request;
  request.opener = &kernel;
  request.hypervisor = find_hypervisor(request.roots).value_or(std::nullopt);
  return TrafficRegion(survey_sources(request));
}

Result<TrafficRegion> TrafficRegion::replay(const std::string& root, const std::string& recording) {
  STREAMGAGE_TRY(const auto played, ReplayOpener::from_file(recording));
  SurveyRequest request;
  request.roots = {root + "/proc", root + "/sys"};
  request.opener = played.get();
  return TrafficRegion(survey_sources(request));
}

TrafficRegion::TrafficRegion(Survey survey)
    : source_(std::move(survey.source)), reports_(std::move(survey.reports)) {}

std::string TrafficRegion::source() const { return is_counting() ? source_->name() : ""; }

std::string TrafficRegion::why_not() const {
  return is_counting() ? "" : by_source(reports_, &SourceReport::reason);
}

std::string TrafficRegion::remedy() const {
  return is_counting() ? "" : by_source(reports_, &SourceReport::remedy);
}

void TrafficRegion::start() {
  if (is_counting()) {
    before_ = source_->read();
  }
}

void TrafficRegion::stop() {
  if (is_counting()) {
    after_ = source_->read();
  }
}

std::span<const Counter> TrafficRegion::counters() const {
  return is_counting() ? source_->counters() : std::span<const Counter>{};
}

Reading TrafficRegion::spent() const {
  // Before the first pair nothing was spent.
  return before_.empty() || after_.empty() ? Reading{} : spent_between(counters(), before_, after_);
}

Traffic TrafficRegion::traffic() const {
  const Reading spent_now = spent();
  return spent_now.empty() ? Traffic{} : traffic_of(counters(), spent_now);
}

Result<Volume> TrafficRegion::volume() const {
  if (!is_counting()) {
    return failure(why_not());
  }
  const Traffic counted = traffic();
  if (counted.domains.empty()) {
    return failure("nothing was counted yet: call start() before the code and stop() after it");
  }
  return whole_volume(counted);
}

}  // namespace streamgage
