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
#include "measure/load/latency_session.hpp"
#include "measure/session.hpp"
#include "measure/stop_signal.hpp"
#include "measure/table.hpp"
#include "program/counter_commands.hpp"
#include "program/counter_survey.hpp"
#include "program/expansion_record.hpp"
#include "program/options.hpp"
#include "records/machine_record.hpp"
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

// The lock of the machine, or the exit status of a call that ends without it. Whatever is found of
// the machine is found later: until then another measurement may have its memory.
tl::expected<MachineLock, int> lock_machine(bool wait) {
  watch_stop_signals();
  LockRequest request;
  request.path = lock_path(std::getenv("STREAMGAGE_LOCK"));
  request.wait = wait;
  request.stop_signal = &stop_signal;
  request.note = &tell;
  auto taken = take_lock(request);
  if (!taken) {
    return tl::unexpected(complain(taken.error()));
  }
  if (taken->signal != 0) {
    return tl::unexpected(128 + taken->signal);
  }
  return std::move(taken->lock);
}

// Where records go. What kernels of a user's own print, buffered or not, would end up among them:
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

int measure(const Plan& plan, std::optional<CountersFound> counters, const Options& options) {
  const bool as_table = options.as_table;
  if (as_table && !plan.own_kernels.empty()) {
    return complain(
        Error{"--table shows the kernels of the catalogue alone; leave own kernels out, "
              "or take the records",
              ExitStatus::kUsage});
  }
  const auto descriptor = records_descriptor(plan);
  if (!descriptor) {
    return complain(descriptor.error());
  }
  if (const auto choice = choose_variants(plan); !choice) {
    return complain(choice.error());  // before any waiting
  }
  const auto lock = lock_machine(options.wait);
  if (!lock) {
    return lock.error();
  }
  const auto machine = discover_machine();
  if (!machine) {
    return complain(machine.error());
  }
  JsonLines records(*descriptor);
  NoRecords nothing;
  RecordSink& sink = as_table ? static_cast<RecordSink&>(nothing) : records;
  if (as_table && isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "measuring for {} s at most ...\n", plan.sampling.budget_seconds);
  }
  const auto outcome = run_session(*machine, plan, sink, std::move(counters));
  if (!outcome) {
    return complain(outcome.error());
  }
  if (as_table) {
    fmt::print("{}", format_table(*machine, *outcome));
  }
  if (outcome->message) {
    fmt::print(stderr, "streamgage-engine: {}.\n", *outcome->message);
  }
  return outcome->exit_status;
}

int measure_latency_by(const LatencyPlan& plan, const Options& options) {
  if (options.as_table || !options.root.empty() || !options.recording.empty()) {
    return complain(Error{
        "--table, --root and --replay are for plans of kernels, and this one is of latency: leave "
        "them out",
        ExitStatus::kUsage});
  }
  const auto lock = lock_machine(options.wait);
  if (!lock) {
    return lock.error();
  }
  const auto machine = discover_machine();
  if (!machine) {
    return complain(machine.error());
  }
  JsonLines records(STDOUT_FILENO);
  const auto outcome = run_latency_session(*machine, plan, records);
  if (!outcome) {
    return complain(outcome.error());
  }
  if (outcome->message) {
    fmt::print(stderr, "streamgage-engine: {}.\n", *outcome->message);
  }
  return outcome->exit_status;
}

int print(const Json& record) {
  const auto written = JsonLines(STDOUT_FILENO).write(record);
  return written ? 0 : complain(written.error());
}

int describe_machine() {
  const auto machine = discover_machine();
  return machine ? print(to_record(*machine)) : complain(machine.error());
}

// On the first CPU that this process may use, in the order in which threads are placed.
int measure_only_latency(bool wait) {
  const auto lock = lock_machine(wait);
  if (!lock) {
    return lock.error();
  }
  const auto machine = discover_machine();
  if (!machine) {
    return complain(machine.error());
  }
  const int cpu = machine->allowed.front().cpu;
  const auto request = latency_request(*machine, cpu, {});
  if (!request) {
    return complain(request.error());
  }
  if (const auto bound = bind_this_thread(cpu); !bound) {
    return complain(bound.error());
  }
  const auto latency = measure_latency(*request);
  return latency ? print(to_record(*latency)) : complain(latency.error());
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

int show_binding() {
  const auto machine = discover_machine();
  if (!machine) {
    return complain(machine.error());
  }
  const auto proof = prove_binding(*machine);
  return proof ? print(to_record(*proof)) : complain(proof.error());
}

int show_activity(double seconds) {
  const auto machine = discover_machine();
  if (!machine) {
    return complain(machine.error());
  }
  const auto activity = watch_activity(machine->allowed_cpus, seconds);
  return activity ? print(to_record(*activity)) : complain(activity.error());
}

// On the topology that HWLOC_* variables ask for, if any: nothing runs there.
int expand_expression(const Options& options) {
  const auto machine = discover_machine();
  if (!machine) {
    return complain(machine.error());
  }
  const auto how = options.oversubscribe ? Oversubscribe::kAllowed : Oversubscribe::kRefused;
  const auto cpus = expand(options.expression, *machine, how);
  return cpus ? print(expansion_record(options.expression, *cpus, *machine))
              : complain(cpus.error());
}

int measure_by(const Options& options) {
  if (options.plan_file.empty()) {
    return measure(Plan{}, std::nullopt, options);
  }
  const auto text = read_plan(options.plan_file);
  if (!text) {
    return complain(text.error());
  }
  if (is_latency_plan(*text)) {
    const auto latency = parse_latency_plan(*text);
    return latency ? measure_latency_by(*latency, options) : complain(latency.error());
  }
  const auto plan = parse_plan(*text);
  if (!plan) {
    return complain(plan.error());
  }
  auto counters = counters_for(*plan, options);
  return counters ? measure(*plan, std::move(*counters), options) : complain(counters.error());
}

int run(int argc, char** argv) {
  const auto options = parse_options(argc, argv);
  if (!options) {
    return options.error();
  }
  switch (options->command) {
    case Command::kDescribeMachine:
      return describe_machine();
    case Command::kMeasureLatency:
      return measure_only_latency(options->wait);
    case Command::kLookForCounters:
      return look_for_counters(*options);
    case Command::kProveBinding:
      return show_binding();
    case Command::kWatchActivity:
      return show_activity(options->activity_seconds);
    case Command::kWatchTraffic:
      return watch_traffic(*options);
    case Command::kExpandExpression:
      return expand_expression(*options);
    case Command::kMeasure:
      break;
  }
  return measure_by(*options);
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
