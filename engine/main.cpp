// streamgage-engine: measures this node for people, or by a plan for the front.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/json_lines.hpp"
#include "base/latency_plan.hpp"
#include "base/output.hpp"
#include "base/plan.hpp"
#include "devices/drivers/device_backends.hpp"
#include "devices/drivers/device_list.hpp"
#include "devices/measure/device_copies_session.hpp"
#include "devices/measure/device_latency_session.hpp"
#include "devices/measure/device_session.hpp"
#include "environment/activity.hpp"
#include "environment/binding_proof.hpp"
#include "kernels/choose_variants.hpp"
#include "kernels/own/supervisor.hpp"
#include "kernels/variant.hpp"
#include "latency/latency.hpp"
#include "lock/machine_lock.hpp"
#include "measure/ending.hpp"
#include "measure/load/latency_session.hpp"
#include "measure/process_stop.hpp"
#include "measure/session.hpp"
#include "measure/stop_signal.hpp"
#include "node/check.hpp"
#include "node/deadline.hpp"
#include "node/expected_rate.hpp"
#include "node/frames.hpp"
#include "node/judged_lines.hpp"
#include "node/node_line.hpp"
#include "node/node_result.hpp"
#include "node/node_table.hpp"
#include "node/parts.hpp"
#include "node/request.hpp"
#include "program/catalogue_record.hpp"
#include "program/counter_commands.hpp"
#include "program/counter_survey.hpp"
#include "program/expansion_record.hpp"
#include "program/options.hpp"
#include "program/ranks_run.hpp"
#include "program/read_plan.hpp"
#include "records/machine_record.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/placement/binding.hpp"
#include "streamgage/placement/expression/expand.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {
namespace {

// How a command ends: with an exit status, or early.
using Ended = tl::expected<int, Stop>;

int exit_status_of(const Ended& ended) {
  if (ended) {
    return *ended;
  }
  const Stop& stop = ended.error();
  return stop.error ? complain(*stop.error) : 128 + stop.signal;
}

// The lock of the machine. Whatever is found of the machine is found later: until then another
// measurement may have its memory.
tl::expected<MachineLock, Stop> lock_machine(bool wait) {
  watch_stop_signals();
  LockRequest request;
  request.path = lock_path(std::getenv("STREAMGAGE_LOCK"));
  request.wait = wait;
  request.stop_signal = &stop_signal;
  request.note = &print_note;
  STREAMGAGE_TRY(auto taken, take_lock(request));
  if (taken.signal != 0) {
    return tl::unexpected(Stop(taken.signal));
  }
  watch_process_stops();
  return std::move(taken.lock);
}

// Where records go. What users' kernels and drivers print, buffered or not, would end up among
// them: it goes where messages go.
Result<int> reserved_descriptor() {
  const int records = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (records < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    return failure(fmt::format("standard output cannot be reserved for the records: {}",
                               std::strerror(errno)));
  }
  return records;
}

// Nothing where the plan asks for none.
Result<std::optional<CountersFound>> counters_for(const Plan& plan, const Options& options) {
  if (plan.counters) {
    return survey_counters(options);
  }
  if (!options.root.empty() || !options.recording.empty()) {
    return usage_error(
        "--root and --replay need counters, but the plan does not ask for any; leave them out");
  }
  return std::nullopt;
}

Ended measure_locked(const Plan& plan, std::optional<CountersFound> counters, int descriptor) {
  STREAMGAGE_TRY(const auto machine, discover_machine());
  JsonLines records(descriptor);
  STREAMGAGE_TRY(const auto outcome, run_session(machine, plan, records, std::move(counters)));
  return status_of(outcome);
}

// "a.c", or "one of a.c, b.c".
std::string sources_of(const Plan& plan) {
  std::vector<std::string> sources;
  for (const OwnKernelFile& file : plan.own_kernels) {
    sources.push_back(file.source.value_or(file.path));
  }
  return (sources.size() > 1 ? "one of " : "") + fmt::format("{}", fmt::join(sources, ", "));
}

// The lock and the records' end stay with this process, out of reach of what a kernel leaves
// behind.
Ended measure_own_kernels(const Plan& plan, const Options& options, int descriptor) {
  const Supervision supervision{descriptor, sources_of(plan), plan.kernel_timeout_seconds};
  STREAMGAGE_TRY(const int status, supervise(supervision, [&] {
                   watch_stop_signals_after_fork();
                   watch_process_stops();
                   const auto measured = [&]() -> Ended {
                     // Here: they count the process that opens them.
                     STREAMGAGE_TRY(auto counters, counters_for(plan, options));
                     return measure_locked(plan, std::move(counters), descriptor);
                   };
                   return exit_status_of(measured());
                 }));
  return status;
}

Ended measure_device_locked(const Plan& plan, int descriptor) {
  STREAMGAGE_TRY(const auto device, open_device(*plan.device));
  STREAMGAGE_TRY(check_device_plan(plan, *device));
  STREAMGAGE_TRY(const auto machine, discover_machine());
  JsonLines records(descriptor);
  STREAMGAGE_TRY(const auto outcome, run_device_session(machine, plan, *device, records));
  return status_of(outcome);
}

// In a process of its own, as on a processor: a device that hangs is not waited for. A driver does
// not survive a fork, so it is loaded there.
Ended measure_own_kernels_of_device(const Plan& plan, const Options& options, int descriptor) {
  STREAMGAGE_TRY(const auto lock, lock_machine(options.wait));
  const Supervision asked{descriptor, sources_of(plan), plan.kernel_timeout_seconds};
  STREAMGAGE_TRY(const int status, supervise(asked, [&] {
                   watch_stop_signals_after_fork();
                   watch_process_stops();
                   return exit_status_of(measure_device_locked(plan, descriptor));
                 }));
  return status;
}

// What cannot be met is refused before any waiting.
Ended measure_device(const Plan& plan, const Options& options) {
  if (!options.root.empty() || !options.recording.empty()) {
    return usage_error("--root and --replay are for counters of the processor: leave them out");
  }
  STREAMGAGE_TRY(const auto descriptor, reserved_descriptor());
  if (!plan.own_kernels.empty()) {
    return measure_own_kernels_of_device(plan, options, descriptor);
  }
  STREAMGAGE_TRY(const auto device, open_device(*plan.device));
  if (!plan.copies) {
    STREAMGAGE_TRY(check_device_plan(plan, *device));
  }
  std::unique_ptr<Device> peer;
  if (plan.peer) {
    STREAMGAGE_TRY(peer, open_device(*plan.peer));
  }
  STREAMGAGE_TRY(const auto lock, lock_machine(options.wait));
  STREAMGAGE_TRY(const auto machine, discover_machine());
  JsonLines records(descriptor);
  if (plan.copies) {
    STREAMGAGE_TRY(const auto outcome,
                   run_device_copies_session(machine, plan, *device, peer.get(), records));
    return status_of(outcome);
  }
  STREAMGAGE_TRY(const auto outcome, run_device_session(machine, plan, *device, records));
  return status_of(outcome);
}

Ended measure(const Plan& plan, const Options& options) {
  const bool is_own = !plan.own_kernels.empty();
  std::optional<CountersFound> counters;
  if (!is_own) {
    STREAMGAGE_TRY(counters, counters_for(plan, options));
  }
  int descriptor = STDOUT_FILENO;
  if (is_own) {
    STREAMGAGE_TRY(descriptor, reserved_descriptor());
  }
  STREAMGAGE_TRY(choose_variants(plan, OwnFiles::kLeave));  // before any waiting
  STREAMGAGE_TRY(const auto lock, lock_machine(options.wait));
  return is_own ? measure_own_kernels(plan, options, descriptor)
                : measure_locked(plan, std::move(counters), descriptor);
}

// What became of a run without a plan, in a sentence, where it did not end by itself.
std::optional<std::string> early_end(const Outcome& outcome, bool has_figures) {
  if (outcome.message || outcome.exit_status <= 128) {
    return outcome.message;
  }
  return fmt::format("stopped by signal {}{}", outcome.exit_status - 128,
                     has_figures ? "; the figures cover what was measured until then"
                                 : " before the first sample: there are no figures");
}

// What is measured of a node without a plan: the processor, or a device.
struct NodeUnit {
  Plan plan;
  std::unique_ptr<Device> device;  // none: the processor
};

Result<NodeUnit> open_unit(const NodeRequest& request, const std::string& name) {
  NodeUnit unit;
  if (name.empty()) {
    STREAMGAGE_TRY(unit.plan, plan_of(request));
    return unit;
  }
  STREAMGAGE_TRY(unit.device, open_device(name));
  STREAMGAGE_TRY(unit.plan, plan_of_device(request, *unit.device));
  return unit;
}

// The names of all units that are asked for; that of the processor is empty.
Result<std::vector<std::string>> units_of(const NodeRequest& request) {
  std::vector<std::string> names;
  if (request.device.empty() || request.device == kAllDevices) {
    names.emplace_back();
  }
  if (!request.device.empty()) {
    STREAMGAGE_TRY(const auto list, choose_devices(request.device, list_devices()));
    for (const DeviceFacts& each : list.devices) {
      names.push_back(each.id);
    }
  }
  if (request.check && names.size() > 1) {
    return usage_error(
        fmt::format("--check judges one device, but --device {} stands for more; "
                    "name one, such as {}",
                    request.device, names.back()));
  }
  return names;
}

struct UnitRun {
  Outcome outcome;
  NodeResult result;
};

Result<UnitRun> run_unit(const Machine& machine, const NodeUnit& unit) {
  NoRecords nothing;
  if (unit.device) {
    STREAMGAGE_TRY(const auto run, run_device_session(machine, unit.plan, *unit.device, nothing));
    const Outcome& outcome = run;
    return UnitRun{outcome, node_result(machine, unit.plan, outcome,
                                        MeasuredDevice{unit.device->facts(), run.states})};
  }
  STREAMGAGE_TRY(auto outcome, run_session(machine, unit.plan, nothing));
  return UnitRun{outcome, node_result(machine, unit.plan, outcome)};
}

// A verdict in one line. A check that fails says nothing of the node.
Ended check_by(const Options& options, const NodeUnit& unit, const Machine& machine, Instant start,
               int descriptor) {
  const CheckLength& length = length_of(options.node);
  STREAMGAGE_TRY(const auto expected, parse_expected_rates(options.node.expected));
  for (int runs = 1;; ++runs) {
    const Instant begun = now();
    STREAMGAGE_TRY(UnitRun run, run_unit(machine, unit));
    auto& [outcome, result] = run;
    result.expected = expected;
    const record::NodeLine line = record_of(result);
    const RunVerdict verdict = judge(line);
    if (outcome.exit_status != 0 && verdict != RunVerdict::kWrong) {
      return tl::unexpected(outcome.exit_status > 128
                                ? Stop(outcome.exit_status - 128)
                                : Stop(Error{outcome.message.value_or("nothing was measured")}));
    }
    const Instant end = now();
    const double spent = options.node.spent + seconds_between(start, end);
    if (runs < kMostRunsOfCheck &&
        needs_second(verdict, seconds_between(begun, end), spent, length)) {
      continue;
    }
    const Verdict settled = settle(verdict);
    STREAMGAGE_TRY(print_text(format_verdict(settled, line, runs), descriptor));
    return exit_status_of(settled);
  }
}

// Each NUMA domain and each core by itself.
PartRates examine(const Machine& machine, std::optional<std::uint64_t> array_bytes) {
  const Instant start = now();
  const auto measure = [&](const CpuList& cpus, double seconds) -> Result<PartRun> {
    const Plan plan = plan_of_part(cpus, seconds, array_bytes);
    NoRecords nothing;
    STREAMGAGE_TRY(const auto outcome, run_session(machine, plan, nothing));
    if (outcome.exit_status > 128) {
      return PartRun{{}, true};
    }
    return PartRun{rate_of_part(node_result(machine, plan, outcome)), false};
  };
  PartRates rates =
      measure_parts(machine, measure, [start] { return seconds_between(start, now()); });
  for (const std::string& each : rates.left_out) {
    say(each);
  }
  return rates;
}

// Carries out a check. A failure of this program is no slow node, which a launcher would drain.
template <class Work>
Ended as_check(const Work& work) {
  try {
    Ended ended = work();
    if (ended || !ended.error().error || ended.error().error->status == ExitStatus::kUsage) {
      return ended;
    }
    complain(*ended.error().error);
  } catch (const std::bad_alloc&) {
    complain(out_of_memory());
  } catch (const std::exception& error) {
    complain({error.what(), ExitStatus::kFailed});
  }
  return exit_status_of(Verdict::kCannotTell);
}

// Nothing of a check whose length is asked for.
void set_deadline(const NodeRequest& request, std::optional<Deadline>& deadline) {
  if (!request.check || request.seconds) {
    return;
  }
  const double whole = length_of(request).whole;
  deadline.emplace(
      whole - request.spent,
      fmt::format("the check did not end within {:g} s, so the node was not judged: other programs "
                  "delay it, or the system is slow to provide memory; try again on an idle node{}",
                  whole, request.glance ? ", or without --glance" : ""),
      exit_status_of(Verdict::kCannotTell));
}

// Prints a table, one line of JSON, or a verdict.
Ended measure_unit(const Options& options, const NodeUnit& unit, const Machine& machine,
                   Instant start, int descriptor) {
  const NodeRequest& request = options.node;
  if (request.check && !request.as_json) {
    return check_by(options, unit, machine, start, descriptor);
  }
  if (isatty(STDERR_FILENO) != 0) {
    print_note(fmt::format("measuring for {:g} s at most", unit.plan.sampling.budget_seconds));
  }
  STREAMGAGE_TRY(UnitRun run, run_unit(machine, unit));
  auto& [outcome, result] = run;
  result.firmware = find_firmware({});
  if (request.check) {
    result.check_seconds = length_of(request).whole;
    STREAMGAGE_TRY(result.expected, parse_expected_rates(request.expected));
  }
  if (request.examine && !unit.device && outcome.exit_status == 0) {
    result.parts = examine(machine, request.array_bytes);
  }
  if (!result.figures.empty()) {
    std::string text = request.as_json ? format_line(result) : format_table(result);
    if (request.pieces) {
      text = in_frames(machine.host.value_or("?"), text);
    }
    STREAMGAGE_TRY(print_text(text, descriptor));
  }
  if (const auto sentence = early_end(outcome, !result.figures.empty())) {
    say(*sentence);
  }
  return outcome.exit_status;
}

// Without a plan. What cannot be printed is not measured, and what a driver prints goes where
// messages go. Of several units, one that fails does not keep the others from being measured.
Ended measure_node(const Options& options) {
  const Instant start = now();
  const NodeRequest& request = options.node;
  STREAMGAGE_TRY(require_output());
  int descriptor = STDOUT_FILENO;
  if (!request.device.empty()) {
    STREAMGAGE_TRY(descriptor, reserved_descriptor());
  }
  STREAMGAGE_TRY(check_request(request));
  STREAMGAGE_TRY(const auto names, units_of(request));
  std::optional<NodeUnit> alone;
  if (names.size() == 1) {
    STREAMGAGE_TRY(alone, open_unit(request, names.front()));
  }
  std::optional<Deadline> deadline;
  set_deadline(request, deadline);
  STREAMGAGE_TRY(const auto lock, lock_machine(options.wait && !request.check));
  STREAMGAGE_TRY(const auto machine, discover_machine());
  if (alone) {
    return measure_unit(options, *alone, machine, start, descriptor);
  }
  int status = 0;
  for (const std::string& name : names) {
    const auto one = [&]() -> Ended {
      STREAMGAGE_TRY(const NodeUnit unit, open_unit(request, name));
      return measure_unit(options, unit, machine, start, descriptor);
    };
    status = std::max(status, exit_status_of(request.check ? as_check(one) : one()));
    if (status > 128) {  // a signal ended it
      break;
    }
  }
  return status;
}

Ended measure_latency_of_device(const LatencyPlan& plan, const Options& options) {
  STREAMGAGE_TRY(const auto descriptor, reserved_descriptor());
  STREAMGAGE_TRY(const auto device, open_device(*plan.device));
  STREAMGAGE_TRY(const auto lock, lock_machine(options.wait));
  STREAMGAGE_TRY(const auto machine, discover_machine());
  JsonLines records(descriptor);
  STREAMGAGE_TRY(const auto outcome, run_device_latency_session(machine, plan, *device, records));
  return status_of(outcome);
}

Ended measure_latency_by(const LatencyPlan& plan, const Options& options) {
  if (!options.root.empty() || !options.recording.empty()) {
    return usage_error("--root and --replay do not work with a plan of latency; leave them out");
  }
  if (plan.device) {
    return measure_latency_of_device(plan, options);
  }
  STREAMGAGE_TRY(const auto lock, lock_machine(options.wait));
  STREAMGAGE_TRY(const auto machine, discover_machine());
  JsonLines records(STDOUT_FILENO);
  STREAMGAGE_TRY(const auto outcome, run_latency_session(machine, plan, records));
  return status_of(outcome);
}

Ended print(const Json& record) {
  STREAMGAGE_TRY(JsonLines(STDOUT_FILENO).write(record));
  return 0;
}

// What drivers print must not be next to the record.
Ended list_devices_of(const std::string& name) {
  STREAMGAGE_TRY(const auto descriptor, reserved_descriptor());
  STREAMGAGE_TRY(const auto list, choose_devices(name, list_devices()));
  STREAMGAGE_TRY(JsonLines(descriptor).write(devices_record(name, list)));
  return 0;
}

Ended describe_machine() {
  STREAMGAGE_TRY(const auto machine, discover_machine());
  return print(to_record(machine));
}

// On the first CPU that this process may use, in the order in which threads are placed.
Ended measure_only_latency(bool wait) {
  STREAMGAGE_TRY(const auto lock, lock_machine(wait));
  STREAMGAGE_TRY(const auto machine, discover_machine());
  const int cpu = machine.allowed.front().cpu;
  STREAMGAGE_TRY(const auto request, latency_request(machine, cpu, {}));
  STREAMGAGE_TRY(bind_this_thread(cpu));
  STREAMGAGE_TRY(const auto latency, measure_latency(request));
  return print(to_json(record_of(latency)));
}

Ended show_binding() {
  STREAMGAGE_TRY(const auto machine, discover_machine());
  STREAMGAGE_TRY(const auto proof, prove_binding(machine));
  return print(to_record(proof));
}

Ended show_activity(double seconds) {
  STREAMGAGE_TRY(const auto machine, discover_machine());
  STREAMGAGE_TRY(const auto activity, watch_activity(machine.allowed_cpus, seconds));
  return print(to_record(activity));
}

// On the topology that HWLOC_* variables ask for, if any: nothing runs there.
Ended expand_expression(const Options& options) {
  STREAMGAGE_TRY(const auto machine, discover_machine());
  const auto how = options.oversubscribe ? Oversubscribe::kAllowed : Oversubscribe::kRefused;
  STREAMGAGE_TRY(const auto cpus, expand(options.expression, machine, how));
  return print(expansion_record(options.expression, cpus, machine));
}

Ended measure_by(const Options& options) {
  STREAMGAGE_TRY(const auto text, read_plan(options.plan_file));
  if (is_latency_plan(text)) {
    STREAMGAGE_TRY(const auto latency, parse_latency_plan(text));
    return measure_latency_by(latency, options);
  }
  STREAMGAGE_TRY(const auto plan, parse_plan(text));
  return plan.device ? measure_device(plan, options) : measure(plan, options);
}

Ended carry_out(const Options& options) {
  switch (options.command) {
    case Command::kDescribeMachine:
      return describe_machine();
    case Command::kMeasureLatency:
      return measure_only_latency(options.wait);
    case Command::kLookForCounters:
      STREAMGAGE_TRY(look_for_counters(options));
      return 0;
    case Command::kProveBinding:
      return show_binding();
    case Command::kWatchActivity:
      return show_activity(options.activity_seconds);
    case Command::kWatchTraffic:
      STREAMGAGE_TRY(watch_traffic(options));
      return 0;
    case Command::kExpandExpression:
      return expand_expression(options);
    case Command::kListCatalogue:
      return print(catalogue_record());
    case Command::kListDevices:
      return list_devices_of(options.devices);
    case Command::kMeasureAsRank:
      return run_as_rank(options);
    case Command::kJudgeLines: {
      STREAMGAGE_TRY(const auto verdicts, judge_lines(std::cin));
      STREAMGAGE_TRY(print_text(verdicts));
      return 0;
    }
    case Command::kMeasureNode:
      return options.node.check ? as_check([&] { return measure_node(options); })
                                : measure_node(options);
    case Command::kFollowPlan:
      break;
  }
  return measure_by(options);
}

// hwloc would say in its own words, ahead of ours, why it cannot use such a machine.
void silence_hwloc_about_described_machines() {
  for (const char* each : {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT"}) {
    if (std::getenv(each) != nullptr) {
      (void)setenv("HWLOC_HIDE_ERRORS", "2", 0);
    }
  }
}

int run(int argc, char** argv) {
  silence_hwloc_about_described_machines();
  watch_front(std::getenv("STREAMGAGE_FRONT"));
  const auto options = parse_options(argc, argv);
  if (!options) {
    return options.error();
  }
  return exit_status_of(carry_out(*options));
}

}  // namespace
}  // namespace streamgage::engine

int main(int argc, char** argv) {
  streamgage::engine::keep_standard_streams_apart();
  streamgage::engine::let_writes_fail();
  try {
    return streamgage::engine::run(argc, argv);
  } catch (const std::bad_alloc&) {
    return streamgage::engine::complain(streamgage::engine::out_of_memory());
  } catch (const std::exception& error) {
    return streamgage::engine::complain({error.what(), streamgage::ExitStatus::kFailed});
  }
}
