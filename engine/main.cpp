// streamgage-engine: measures by a plan and prints records, or a table for people.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/json_lines.hpp"
#include "base/latency_plan.hpp"
#include "base/plan.hpp"
#include "environment/activity.hpp"
#include "environment/binding_proof.hpp"
#include "kernels/choose_variants.hpp"
#include "kernels/variant.hpp"
#include "latency/latency.hpp"
#include "lock/machine_lock.hpp"
#include "measure/ending.hpp"
#include "measure/load/latency_session.hpp"
#include "measure/session.hpp"
#include "measure/stop_signal.hpp"
#include "measure/table.hpp"
#include "program/counter_commands.hpp"
#include "program/counter_survey.hpp"
#include "program/expansion_record.hpp"
#include "program/options.hpp"
#include "records/machine_record.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/placement/binding.hpp"
#include "streamgage/placement/expression/expand.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {
namespace {

Result<std::string> read_plan(const std::string& file) {
  if (file == "-") {
    return std::string(std::istreambuf_iterator<char>(std::cin), {});
  }
  std::ifstream stream(file);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream) {
    return usage_error(fmt::format("the plan '{}' cannot be read", file));
  }
  return text;
}

// How a command ends: with an exit status, or early.
using Ended = tl::expected<int, Stop>;

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
  return std::move(taken.lock);
}

// Where records go. What users' kernels print, buffered or not, would end up among them:
// it goes where messages go.
Result<int> records_descriptor(const Plan& plan) {
  if (plan.own_kernels.empty()) {
    return STDOUT_FILENO;
  }
  const int records = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (records < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    return failure(
        fmt::format("standard output cannot be kept for the records: {}", std::strerror(errno)));
  }
  return records;
}

// Says what failed in a run that wrote its records, and returns its exit status.
template <class Outcome>
int status_of(const Outcome& outcome) {
  if (outcome.message) {
    fmt::print(stderr, "streamgage-engine: {}.\n", *outcome.message);
  }
  return outcome.exit_status;
}

Ended measure(const Plan& plan, std::optional<CountersFound> counters, const Options& options) {
  const bool as_table = options.as_table;
  if (as_table && !plan.own_kernels.empty()) {
    return usage_error(
        "--table shows the kernels of the catalogue alone; leave own kernels out, or take the "
        "records");
  }
  STREAMGAGE_TRY(const auto descriptor, records_descriptor(plan));
  STREAMGAGE_TRY(choose_variants(plan));  // before any waiting
  STREAMGAGE_TRY(const auto lock, lock_machine(options.wait));
  STREAMGAGE_TRY(const auto machine, discover_machine());
  JsonLines records(descriptor);
  NoRecords nothing;
  RecordSink& sink = as_table ? static_cast<RecordSink&>(nothing) : records;
  if (as_table && isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "measuring for {} s at most ...\n", plan.sampling.budget_seconds);
  }
  STREAMGAGE_TRY(const auto outcome, run_session(machine, plan, sink, std::move(counters)));
  if (as_table) {
    fmt::print("{}", format_table(machine, outcome));
  }
  return status_of(outcome);
}

Ended measure_latency_by(const LatencyPlan& plan, const Options& options) {
  if (options.as_table || !options.root.empty() || !options.recording.empty()) {
    return usage_error(
        "--table, --root and --replay are for plans of kernels, and this one is of latency: leave "
        "them out");
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
  return print(to_record(latency));
}

// Nothing where the plan asks for none.
Result<std::optional<CountersFound>> counters_for(const Plan& plan, const Options& options) {
  if (plan.counters) {
    return survey_counters(options);
  }
  if (!options.root.empty() || !options.recording.empty()) {
    return usage_error("--root and --replay are for counters, which the plan does not ask for");
  }
  return std::nullopt;
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
  if (options.plan_file.empty()) {
    return measure(Plan{}, std::nullopt, options);
  }
  STREAMGAGE_TRY(const auto text, read_plan(options.plan_file));
  if (is_latency_plan(text)) {
    STREAMGAGE_TRY(const auto latency, parse_latency_plan(text));
    return measure_latency_by(latency, options);
  }
  STREAMGAGE_TRY(const auto plan, parse_plan(text));
  STREAMGAGE_TRY(auto counters, counters_for(plan, options));
  return measure(plan, std::move(counters), options);
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
    case Command::kMeasure:
      break;
  }
  return measure_by(options);
}

int run(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) {
    return options.error();
  }
  const Ended ended = carry_out(*options);
  if (ended) {
    return *ended;
  }
  const Stop& stop = ended.error();
  return stop.error ? complain(*stop.error) : 128 + stop.signal;
}

}  // namespace
}  // namespace streamgage::engine

int main(int argc, char** argv) {
  try {
    return streamgage::engine::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "streamgage-engine: {}.\n", error.what());
    return static_cast<int>(streamgage::ExitStatus::kFailed);
  }
}
