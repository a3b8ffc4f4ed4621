#include "program/options.hpp"

#include <cstdio>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace streamgage::engine {
namespace {

// A command that is asked for by an option of its own, and goes only with its own further options.
struct Asked {
  CLI::Option* option;
  Command command;
};

tl::expected<Options, int> refuse(const std::string& sentence) {
  return tl::unexpected(complain({sentence, ExitStatus::kUsage}));
}

// The one command that was asked for.
tl::expected<Options, int> settle(Options options, const std::vector<Asked>& commands) {
  const bool measures = !options.plan_file.empty() || options.as_table;
  const Asked* chosen = nullptr;
  for (const Asked& asked : commands) {
    if (asked.option->count() == 0) {
      continue;
    }
    if (measures) {
      return refuse(fmt::format("{} goes with no other option", asked.option->get_name()));
    }
    if (chosen != nullptr) {
      return refuse(fmt::format("{} and {} exclude each other: give one of them",
                                chosen->option->get_name(), asked.option->get_name()));
    }
    chosen = &asked;
  }
  if (chosen != nullptr) {
    options.command = chosen->command;
    if (!options.wait && options.command != Command::kMeasureLatency) {
      return refuse("--no-wait goes only with what measures: --plan, --table or --latency");
    }
  } else if (!measures) {
    std::string names;
    for (const Asked& asked : commands) {
      names += (&asked == &commands.back() ? " or " : ", ") + asked.option->get_name();
    }
    return refuse("nothing to do: give --plan FILE, --plan -, --table" + names);
  }
  const bool made_up = !options.root.empty() || !options.recording.empty();
  const bool reads = options.command == Command::kLookForCounters ||
                     options.command == Command::kWatchTraffic || !options.plan_file.empty();
  if (made_up && !reads) {
    return refuse("--root and --replay go with --counters, --traffic or --plan alone");
  }
  return options;
}

}  // namespace

int complain(const Error& error) {
  fmt::print(stderr, "streamgage-engine: {}.\n", error.message);
  return static_cast<int>(error.status);
}

void print_note(const std::string& note) {
  fmt::print(stderr, "streamgage-engine: note: {}.\n", note);
}

tl::expected<Options, int> parse_options(int argc, char** argv) {
  CLI::App app("Measures memory bandwidth by a plan and prints what it finds as JSON Lines.",
               "streamgage-engine");
  Options options;
  std::vector<Asked> commands;
  const auto add_command = [&](const std::string& name, Command command,
                               const std::string& description) {
    commands.push_back({app.add_flag(name, description), command});
    return commands.back().option;
  };
  app.add_option("--plan", options.plan_file,
                 "Read the plan (JSON) from FILE, or from standard input (-)")
      ->type_name("FILE|-");
  app.add_flag("--table", options.as_table,
               "Print a table like STREAM's in place of records; without --plan, measure the "
               "customary kernels");
  app.add_flag_callback(
      "--no-wait", [&options] { options.wait = false; },
      "Do not wait for another measurement on this machine to end: fail at once");
  add_command("--machine", Command::kDescribeMachine,
              "Print the machine's record, which every measurement begins with, and measure "
              "nothing");
  add_command("--latency", Command::kMeasureLatency,
              "Measure the idle latency of memory alone, and print its record");
  add_command("--binding", Command::kProveBinding,
              "Run OpenMP threads as a launcher and the environment leave them, and print where "
              "they ran");
  commands.push_back({app.add_option("--activity", options.activity_seconds,
                                     "Print what other programs and the hypervisor take of the "
                                     "CPUs within so many seconds")
                          ->type_name("SECONDS"),
                      Command::kWatchActivity});
  add_command("--counters", Command::kLookForCounters,
              "Print which sources of memory traffic this system has, and why others are not to be "
              "had, and measure nothing");
  auto* traffic = add_command("--traffic", Command::kWatchTraffic,
                              "Print what crosses the memory bus, interval by interval, until "
                              "SIGINT or SIGTERM");
  app.add_option("--interval", options.interval, "Seconds of each interval; 1 without it")
      ->type_name("S")
      ->needs(traffic);
  auto* expand = app.add_option("--expand", options.expression,
                                "Print which CPUs the placement expression EXPR stands for, and "
                                "measure nothing")
                     ->type_name("EXPR");
  commands.push_back({expand, Command::kExpandExpression});
  app.add_flag("--allow-oversubscribe", options.oversubscribe,
               "Let EXPR name a CPU more than once, and begin anew where a domain ends")
      ->needs(expand);
  // For tests and demonstrations.
  app.add_option("--root", options.root, "Take DIR/proc and DIR/sys for this system's")->group("");
  app.add_option("--replay", options.recording, "Play counters back from FILE")->group("");
  app.set_version_flag("--version", "streamgage-engine " STREAMGAGE_VERSION);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help and --version
    return tl::unexpected(app.exit(success));
  } catch (const CLI::ParseError& error) {
    return refuse(fmt::format("{}; see streamgage-engine --help", error.what()));
  }
  return settle(std::move(options), commands);
}

}  // namespace streamgage::engine
