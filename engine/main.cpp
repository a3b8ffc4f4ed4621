// streamgage-engine: measures by a plan and prints records, or a table for people.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/json_lines.hpp"
#include "base/plan.hpp"
#include "counters/source/perf_opener.hpp"
#include "counters/source/replay_opener.hpp"
#include "counters/survey.hpp"
#include "latency/latency.hpp"
#include "measure/session.hpp"
#include "measure/stop_signal.hpp"
#include "measure/table.hpp"
#include "placement/binding.hpp"
#include "topology/host/hypervisor.hpp"
#include "topology/machine.hpp"

namespace streamgage {
namespace {

int complain(const Error& error) {
  fmt::print(stderr, "streamgage-engine: {}.\n", error.message);
  return static_cast<int>(error.status);
}

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

int measure(const Plan& plan, bool as_table) {
  const auto machine = discover_machine();
  if (!machine) {
    return complain(machine.error());
  }
  watch_stop_signals();
  JsonLines records(STDOUT_FILENO);
  NoRecords nothing;
  RecordSink& sink = as_table ? static_cast<RecordSink&>(nothing) : records;
  if (as_table && isatty(STDERR_FILENO) != 0) {
    fmt::print(stderr, "measuring for {} s at most ...\n", plan.sampling.budget_seconds);
  }
  const auto outcome = run_session(*machine, plan, sink);
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

int print(const Json& record) {
  const auto written = JsonLines(STDOUT_FILENO).write(record);
  return written ? 0 : complain(written.error());
}

int describe_machine() {
  const auto machine = discover_machine();
  return machine ? print(to_record(*machine)) : complain(machine.error());
}

// On the first CPU that this process may use, in the order in which threads are placed.
int measure_only_latency() {
  const auto machine = discover_machine();
  if (!machine) {
    return complain(machine.error());
  }
  const int cpu = machine->allowed.front().cpu;
  const auto request = latency_request(*machine, cpu);
  if (!request) {
    return complain(request.error());
  }
  if (const auto bound = bind_this_thread(cpu); !bound) {
    return complain(bound.error());
  }
  const auto latency = measure_latency(*request);
  return latency ? print(to_record(*latency)) : complain(latency.error());
}

// Of this system, or of one whose files lie in the folder `root`; its counters are then opened only
// where a recording of them is played back.
int look_for_counters(const std::string& root, const std::string& recording) {
  SurveyRequest request;
  PerfOpener kernel;
  std::unique_ptr<ReplayOpener> replay;
  if (!recording.empty()) {
    auto read = ReplayOpener::from_file(recording);
    if (!read) {
      return complain(read.error());
    }
    replay = std::move(*read);
    request.opener = replay.get();
  }
  if (root.empty()) {
    request.opener = replay ? request.opener : &kernel;
    request.hypervisor = find_hypervisor(request.roots);
  } else {
    request.roots = {root + "/proc", root + "/sys"};
  }
  const Survey survey = survey_sources(request);
  return print(to_record(survey, root.empty() ? std::nullopt : std::optional(root)));
}

int run(int argc, char** argv) {
  CLI::App app("Measures memory bandwidth by a plan and prints what it finds as JSON Lines.",
               "streamgage-engine");
  std::string plan_file;
  bool as_table = false;
  bool only_machine = false;
  bool only_latency = false;
  bool only_counters = false;
  std::string root;
  std::string recording;
  app.add_option("--plan", plan_file, "Read the plan (JSON) from FILE, or from standard input (-)")
      ->type_name("FILE|-");
  app.add_flag("--table", as_table,
               "Print a table like STREAM's in place of records; without --plan, measure the "
               "customary kernels");
  app.add_flag("--machine", only_machine,
               "Print the machine's record, which every measurement begins with, and measure "
               "nothing");
  app.add_flag("--latency", only_latency,
               "Measure the idle latency of memory alone, and print its record");
  auto* counters = app.add_flag("--counters", only_counters,
                                "Print which sources of memory traffic this system has, and why "
                                "others are not to be had, and measure nothing");
  // For tests and demonstrations.
  app.add_option("--root", root, "Take DIR/proc and DIR/sys for this system's")
      ->group("")
      ->needs(counters);
  app.add_option("--replay", recording, "Play counters back from FILE")->group("")->needs(counters);
  app.set_version_flag("--version", "streamgage-engine " STREAMGAGE_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help and --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return complain(
        {fmt::format("{}; see streamgage-engine --help", error.what()), ExitStatus::kUsage});
  }
  if (only_counters) {
    return plan_file.empty() && !as_table && !only_machine && !only_latency
               ? look_for_counters(root, recording)
               : complain({"--counters goes with no other option", ExitStatus::kUsage});
  }
  if (only_machine) {
    return plan_file.empty() && !as_table && !only_latency
               ? describe_machine()
               : complain({"--machine goes with no other option", ExitStatus::kUsage});
  }
  if (only_latency) {
    return plan_file.empty() && !as_table
               ? measure_only_latency()
               : complain({"--latency goes with no other option", ExitStatus::kUsage});
  }
  if (plan_file.empty()) {
    return as_table
               ? measure(Plan{}, true)
               : complain(
                     {"nothing to do: give --plan FILE, --plan -, --table, --machine, --latency or "
                      "--counters",
                      ExitStatus::kUsage});
  }
  const auto text = read_plan(plan_file);
  if (!text) {
    return complain(text.error());
  }
  const auto plan = parse_plan(*text);
  return plan ? measure(*plan, as_table) : complain(plan.error());
}

}  // namespace
}  // namespace streamgage

int main(int argc, char** argv) {
  try {
    return streamgage::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "streamgage-engine: {}.\n", error.what());
    return static_cast<int>(streamgage::ExitStatus::kFailed);
  }
}
