#include "streamgage/counters/survey.hpp"

#include <utility>

#include <fmt/format.h>

#include "streamgage/counters/controllers/processor_model.hpp"
#include "streamgage/counters/source/open_failure.hpp"
#include "streamgage/counters/source/perf_source.hpp"
#include "streamgage/counters/source/resctrl_source.hpp"

namespace streamgage {
namespace {

void explain(SourceReport& report, Unavailable why) {
  report.state = why.is_absent ? SourceState::kAbsent : SourceState::kRejected;
  report.reason = std::move(why.reason);
  report.remedy = std::move(why.remedy);
}

// What could bring a PMU that is known, where the processor is in no row of the table.
std::string advice_for(const ProcessorModel& processor) {
  const auto model = fmt::format("family {:#x}, model {:#x}", processor.family, processor.model);
  switch (processor.maker) {
    case Maker::kIntel:
      return fmt::format("a version of streamgage that knows this Intel processor ({})", model);
    case Maker::kAmd:
      return fmt::format("a version of streamgage that knows this AMD processor ({})", model);
    case Maker::kOtherX86:
      return fmt::format(
          "resctrl, if the processor monitors memory bandwidth: of x86 processors, only the memory "
          "controllers of Intel and AMD are known ({})",
          model);
    case Maker::kOther:
      break;
  }
  return "the PMU's kernel module, if this is one of these: nvidia_cspmu (Grace), "
         "hisi_uncore_ddrc_pmu (Kunpeng), arm_dmc620_pmu (Ampere Altra)";
}

// Why there is no PMU to open.
Unavailable no_controllers(const ControllerPlan& plan, const SurveyRequest& request) {
  const auto& guest_of = request.hypervisor;
  if (guest_of) {
    return {true,
            fmt::format("this is a guest of {}, which shows no memory controller's PMU", *guest_of),
            "the bare machine: hypervisors hide the memory controllers from guests"};
  }
  if (plan.row != nullptr) {
    return {true,
            fmt::format("the kernel shows no memory controller's PMU ({})", plan.row->machine),
            std::string(plan.row->missing)};
  }
  return {true, "the kernel shows no PMU of a memory controller that is known for this processor",
          advice_for(find_processor_model(request.roots))};
}

SourceReport describe(const ControllerPlan& plan) {
  SourceReport report;
  report.name = plan.row == nullptr ? "perf uncore" : std::string(plan.row->source);
  report.notes = plan.passed_over;
  report.counters = plan.counters;
  if (plan.row != nullptr) {
    report.machine = std::string(plan.row->machine);
    report.is_total_only = counts_only_totals(*plan.row);
    if (!plan.row->caveat.empty()) {
      report.notes.emplace_back(plan.row->caveat);
    }
  }
  return report;
}

// A source that opens and cannot be read is none.
std::optional<Unavailable> cannot_be_read(TrafficSource& source) {
  for (const auto& tally : source.read()) {
    if (!tally) {
      return Unavailable{false, tally.error().message, ""};
    }
  }
  return std::nullopt;
}

// Takes over the source where it is the first that is available.
void settle(Survey& survey, SourceReport report, OpenedSource opened) {
  if (!opened) {
    explain(report, std::move(opened.error()));
  } else if (auto why = survey.is_replayed ? std::nullopt : cannot_be_read(**opened)) {
    explain(report, std::move(*why));
  } else {
    report.name = (*opened)->name();
    report.state = SourceState::kAvailable;
    if (!survey.source) {
      survey.source = std::move(*opened);
    }
  }
  survey.reports.push_back(std::move(report));
}

OpenedSource open_controllers(const ControllerPlan& plan, const SurveyRequest& request,
                              std::optional<int> paranoid_level) {
  if (plan.counters.empty() && plan.rejected.empty()) {
    return tl::unexpected(no_controllers(plan, request));
  }
  if (const auto incomplete = missing_controllers(plan)) {
    return tl::unexpected(*incomplete);
  }
  if (request.opener == nullptr) {
    return tl::unexpected(
        Unavailable{false, "it was not opened: its files are not this system's", ""});
  }
  return open_perf_source(plan, *request.opener, paranoid_level);
}

}  // namespace

Survey survey_sources(const SurveyRequest& request) {
  Survey survey;
  survey.hypervisor = request.hypervisor;
  survey.paranoid_level = read_paranoid_level(request.roots);
  survey.is_replayed = request.opener != nullptr && request.opener->is_replay();

  const ControllerPlan plan = plan_controllers(request.roots);
  settle(survey, describe(plan), open_controllers(plan, request, survey.paranoid_level));

  SourceReport resctrl;
  resctrl.name = "resctrl";
  resctrl.is_total_only = true;
  settle(survey, std::move(resctrl), open_resctrl_source(request.roots));
  return survey;
}

}  // namespace streamgage
