#include "program/options.hpp"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/output.hpp"
#include "program/notices.hpp"

namespace streamgage::engine {
namespace {

constexpr double kLongestTimeout = 86400.0;
constexpr int kMostRanks = 1 << 20;

// The option of a command, which works only with further options of that command.
struct CommandOption {
  CLI::Option* option;
  Command command;
};

tl::expected<Options, int> refuse(const std::string& sentence) {
  return tl::unexpected(complain({sentence, ExitStatus::kUsage}));
}

// Refuses options that exclude each other, and sets the command.
tl::expected<Options, int> settle(Options options, const std::vector<CommandOption>& commands,
                                  const CLI::Option* of_node) {
  const bool has_plan = !options.plan_file.empty();
  const CommandOption* chosen = nullptr;
  for (const CommandOption& each : commands) {
    if (each.option->count() == 0) {
      continue;
    }
    if (has_plan || of_node != nullptr) {
      return refuse(fmt::format("{} does not work with {}; leave one of them out",
                                each.option->get_name(),
                                has_plan ? std::string("--plan") : of_node->get_name()));
    }
    if (chosen != nullptr) {
      return refuse(fmt::format("{} and {} exclude each other: give one of them",
                                chosen->option->get_name(), each.option->get_name()));
    }
    chosen = &each;
  }
  if (chosen != nullptr) {
    options.command = chosen->command;
    if (!options.wait && options.command != Command::kMeasureLatency) {
      return refuse("--no-wait works only when something is measured");
    }
  } else if (has_plan) {
    if (of_node != nullptr) {
      return refuse(fmt::format("{} does not work with --plan, which says what to measure",
                                of_node->get_name()));
    }
    if (options.command != Command::kMeasureAsRank) {
      options.command = Command::kFollowPlan;
    }
  }
  const bool made_up = !options.root.empty() || !options.recording.empty();
  const bool reads = options.command == Command::kLookForCounters ||
                     options.command == Command::kWatchTraffic ||
                     options.command == Command::kFollowPlan;
  if (made_up && !reads) {
    return refuse("--root and --replay work only with --counters, --traffic or --plan");
  }
  return options;
}

constexpr const char* kNode = "To measure this node";
constexpr const char* kOther = "To do something else, in JSON";
constexpr const char* kExamples = R"(Examples:
  streamgage-engine
      Measure for about 10 s, and print a table.
  streamgage-engine --json
      The same as one line of JSON, for a script.
  srun -N 100 streamgage-engine --json --pieces > nodes.jsonl
      Many nodes, for streamgage fleet judge.
  streamgage-engine --seconds 3 --kernels triad --threads 2
      A shorter look at one kernel, with two threads.
  streamgage-engine --check --glance --expect triad=420GB/s,-5%
      Check if the node is slow: one line and an exit status, for a prolog.
  streamgage-engine --cpus S0:0-3 --size 1GiB
      Threads on four cores of the first socket, and larger arrays.
  streamgage-engine --plan plan.json > run.jsonl
      Measure by a plan, and print records, one a line.)";

// The options for measuring without a plan.
std::vector<CLI::Option*> add_node_options(CLI::App& app, NodeRequest& node) {
  const auto names = [&app](const char* name, std::vector<std::string>& list,
                            const std::string& text) {
    return app
        .add_option_function<std::string>(
            name, [&list](const std::string& value) { list = CLI::detail::split(value, ','); },
            text)
        ->type_name("A,B");
  };
  auto* check = app.add_flag("--check", node.check,
                             "Print one line: does this node reach the\n--expect figures? Exit "
                             "status 1: it does not,\n3: not measured or disturbed; at most 20 s");
  auto* expect =
      app.add_option(
             "--expect", node.expected,
             "A figure that it should reach, and how much\nlower it may be, e.g. triad=420GB/s,-5%")
          ->type_name("KERNEL=GB/s[,-%]")
          ->needs(check);
  auto* device =
      app.add_option("--device", node.device,
                     "Measure a device in place of the processor:\ncuda:0, hip:0, opencl:0; gpu: "
                     "every GPU; all: the\nprocessor, then every device")
          ->type_name("NAME");
  auto* json = app.add_flag("--json", node.as_json, "Print one line of JSON, at most 4 KiB");
  auto* glance = app.add_flag("--glance", node.glance, "Check in at most 5 s")->needs(check);
  auto* seconds =
      app.add_option("--seconds", node.seconds, "How long to measure; default: 10")->type_name("S");
  std::vector<CLI::Option*> added{
      device,
      check,
      expect,
      glance,
      json,
      app.add_flag("--pieces", node.pieces,
                   "Print it in pieces, as srun and others that\nforward the output of many nodes "
                   "need it")
          ->needs(json),
      app.add_flag("--examine", node.examine,
                   "Then measure each NUMA domain and each core by\nitself; at most 2 min more")
          ->excludes(check),
      seconds,
      app.add_option("--spent", node.spent,
                     "Seconds that the check has already used:\nit ends that much earlier")
          ->type_name("S")
          ->needs(check),
      names("--kernels", node.kernels, "Kernels to measure; default:\nsum,copy,scale,add,triad"),
      names("--stores", node.stores,
            "Kinds of store: plain, regular, streaming,\nclaim, libc; default: plain,streaming"),
      app.add_option("--threads", node.threads, "Number of threads; default: one per core")
          ->type_name("N"),
      app.add_option("--cpus", node.cpus,
                     "CPUs to bind threads to, e.g. 0-3,8 or\nS0:0-3; none: do not bind")
          ->type_name("EXPR"),
      app.add_option("--size", node.array_bytes,
                     "Size of each array, e.g. 1GiB; default: 4x\nthe last-level caches")
          ->transform(CLI::Validator(CLI::AsSizeValue(false)).description(""))
          ->type_name("SIZE"),
  };
  for (CLI::Option* each : added) {
    for (const char* choice : {"--kernels", "--stores"}) {
      if (each->get_name() == choice) {
        each->excludes(expect);
      }
    }
    for (const char* choice : {"--stores", "--threads", "--cpus"}) {
      if (each->get_name() == choice) {
        each->excludes(device);
      }
    }
    each->group(kNode);
  }
  return added;
}

}  // namespace

tl::expected<Options, int> parse_options(int argc, char** argv) {
  CLI::App app("Measures this node's memory bandwidth and prints a table.", "streamgage-engine");
  app.footer(kExamples);
  Options options;
  const std::vector<CLI::Option*> node = add_node_options(app, options.node);
  app.add_flag_callback(
         "--no-wait", [&options] { options.wait = false; },
         "Fail if another measurement runs, instead of\nwaiting for it")
      ->group(kNode);
  std::vector<CommandOption> commands;
  const auto add_command = [&](CLI::Option* option, Command command) {
    commands.push_back({option, command});
    return option->group(kOther);
  };
  const auto flag = [&app](const char* name, const std::string& text) {
    return app.add_flag(name, text);
  };
  auto* plan =
      app.add_option("--plan", options.plan_file,
                     "Measure by the plan in FILE, or on standard\ninput (-), and print records")
          ->type_name("FILE|-")
          ->group(kOther);
  add_command(flag("--machine", "Describe this machine; measure nothing"),
              Command::kDescribeMachine);
  add_command(flag("--latency", "Measure the idle latency of memory"), Command::kMeasureLatency);
  add_command(
      flag("--binding",
           "Print where OpenMP threads run as the launcher\nand the environment place them"),
      Command::kProveBinding);
  add_command(app.add_option("--activity", options.activity_seconds,
                             "Watch for this many seconds how much CPU time\nother programs and "
                             "the hypervisor take")
                  ->type_name("SECONDS"),
              Command::kWatchActivity);
  add_command(flag("--counters",
                   "Print which sources of memory traffic exist,\nand why others are missing"),
              Command::kLookForCounters);
  auto* traffic =
      add_command(flag("--traffic", "Print the memory traffic until SIGINT or\nSIGTERM"),
                  Command::kWatchTraffic);
  app.add_option("--interval", options.interval, "Seconds of each interval; default: 1")
      ->type_name("S")
      ->needs(traffic)
      ->group(kOther);
  auto* expand =
      add_command(app.add_option("--expand", options.expression, "Print which CPUs EXPR stands for")
                      ->type_name("EXPR"),
                  Command::kExpandExpression);
  add_command(flag("--catalogue", "Print the names of kernels and store modes"),
              Command::kListCatalogue);
  add_command(
      app.add_option("--devices", options.devices,
                     "Print which devices NAME stands for: opencl:0,\ngpu (all GPUs) or all")
          ->type_name("NAME"),
      Command::kListDevices);
  auto* as_rank = app.add_flag_callback(
                         "--mpi", [&options] { options.command = Command::kMeasureAsRank; },
                         "Measure with all ranks that an MPI launcher\nstarts with this command; "
                         "rank 0 reads the plan\nand prints the records")
                      ->needs(plan)
                      ->group(kOther);
  app.add_option("--ranks", options.ranks, "Refuse to measure with another number of ranks")
      ->type_name("N")
      ->check(CLI::Range(1, kMostRanks).description(""))
      ->needs(as_rank)
      ->group(kOther);
  app.add_option("--timeout", options.timeout_seconds,
                 "End the run when a rank has not answered for\nthis many seconds; default: 60")
      ->type_name("S")
      ->check(CLI::Range(1.0, kLongestTimeout).description(""))
      ->needs(as_rank)
      ->group(kOther);
  auto* oversubscribe =
      app.add_flag("--allow-oversubscribe", options.oversubscribe,
                   "Let EXPR name a CPU more than once, and start\nagain where a domain ends; let "
                   "threads of ranks\ntake turns on a CPU")
          ->group(kOther);
  // For tests and demonstrations.
  add_command(flag("--judge", "Judge the lines of nodes on standard input"), Command::kJudgeLines)
      ->group("");
  app.add_option("--root", options.root, "Read DIR/proc and DIR/sys instead of this\nsystem's")
      ->group("");
  app.add_option("--replay", options.recording, "Play counters back from FILE")->group("");
  app.set_version_flag("--version", "streamgage-engine " STREAMGAGE_VERSION);
  app.add_flag_callback(
      "--licenses", [] { throw CLI::CallForVersion(std::string(kNotices), 0); },
      "Print the licences of this program and of what\nit contains, and exit");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {  // --help, --version, --licenses
    std::ostringstream text;
    const int status = app.exit(success, text, text);
    const auto printed = print_text(text.str());
    return tl::unexpected(printed ? status : complain(printed.error()));
  } catch (const CLI::ParseError& error) {
    return refuse(fmt::format("{}; see streamgage-engine --help", error.what()));
  }
  if (oversubscribe->count() > 0 && expand->count() + as_rank->count() == 0) {
    return refuse("--allow-oversubscribe works only with --expand and --mpi");
  }
  const auto node_option = std::find_if(node.begin(), node.end(),
                                        [](const CLI::Option* each) { return each->count() > 0; });
  return settle(std::move(options), commands, node_option == node.end() ? nullptr : *node_option);
}

}  // namespace streamgage::engine
