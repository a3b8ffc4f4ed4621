// The engine's command line.
#pragma once

#include <string>

#include <tl/expected.hpp>

#include "streamgage/base/error.hpp"

namespace streamgage::engine {

// What one call of the program does.
enum class Command {
  kMeasure,
  kDescribeMachine,
  kMeasureLatency,
  kLookForCounters,
  kProveBinding,
  kWatchActivity,
  kWatchTraffic,
  kExpandExpression,
};

struct Options {
  Command command = Command::kMeasure;
  std::string plan_file;  // "-": standard input; empty: none, measure the customary kernels
  bool as_table = false;
  bool wait = true;               // while another process measures
  double activity_seconds = 0.0;  // with kWatchActivity
  double interval = 1.0;          // seconds; with kWatchTraffic
  // With kLookForCounters and kWatchTraffic, and with a plan that asks for counters.
  std::string root;            // DIR/proc and DIR/sys are this system's
  std::string recording;       // counters are played back from it
  std::string expression;      // with kExpandExpression: of CPUs
  bool oversubscribe = false;  // with kExpandExpression: a CPU may be named twice
};

// Either options, or the exit status of a call that is done: --help, --version, or a mistake, which
// was printed on stderr.
tl::expected<Options, int> parse_options(int argc, char** argv);

// One sentence on stderr; the exit status of the error.
int complain(const Error& error);

// One sentence on stderr that changes nothing; whoever started this program shows it at once.
void print_note(const std::string& note);

}  // namespace streamgage::engine
