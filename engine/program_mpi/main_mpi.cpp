// streamgage-engine-mpi: measures by a plan with all ranks of an MPI job; rank 0 prints records.
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "base/json_lines.hpp"
#include "measure/likwid/marked_region.hpp"
#include "measure/stop_signal.hpp"
#include "program_mpi/mpi_transport.hpp"
#include "program_mpi/ranks_options.hpp"
#include "ranks/crew.hpp"
#include "ranks/ranks_session.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/topology/machine.hpp"
#include "world/world.hpp"

namespace streamgage::engine {
namespace {

int complain(const Error& error) {
  fmt::print(stderr, "streamgage-engine: {}.\n", error.message);
  (void)std::fflush(stderr);
  return static_cast<int>(error.status);
}

void print_note(const std::string& note) {
  fmt::print(stderr, "streamgage-engine: note: {}.\n", note);
  (void)std::fflush(stderr);
}

// A sign of life: no record comes before the lock is there.
void print_waiting() {
  fmt::print(stderr, "streamgage-engine: still waiting.\n");
  (void)std::fflush(stderr);
}

constexpr unsigned kSecondsToAbort = 5;
constexpr unsigned kSecondsToPassOn = 1;

// Ends all ranks, wherever they are; some may wait for this one. On a host that was cut off
// MPI_Abort may wait for ever for its launcher: then this rank at least ends by itself.
[[noreturn]] void abandon(int status) {
  (void)std::signal(SIGALRM, SIG_DFL);
  // Hydra passes on nothing more of what was said once it is ordered to abort.
  sleep(kSecondsToPassOn);
  alarm(kSecondsToAbort);
  MPI_Abort(MPI_COMM_WORLD, status);
  _exit(status);
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

// The status that the job ends with.
Result<int> lead(Crew& crew, const Machine& machine, const RanksOptions& options) {
  STREAMGAGE_TRY(const auto plan, read_plan(options.plan_file));
  JsonLines records(STDOUT_FILENO);
  const RanksRequest request{
      plan, options.oversubscribe, {options.wait, &print_note, &print_waiting}};
  STREAMGAGE_TRY(const auto outcome, run_ranks_session(crew, machine, request, records));
  return outcome.message ? complain({*outcome.message, ExitStatus{outcome.exit_status}})
                         : outcome.exit_status;
}

int take_part(World& world, const RanksOptions& options) {
  const auto machine = discover_machine();
  if (!machine) {
    abandon(complain({fmt::format("{}: {}", world.name(world.rank()), machine.error().message),
                      machine.error().status}));
  }
  if (const auto met = world.meet(machine->host, host_identity(machine->host)); !met) {
    abandon(complain(met.error()));
  }
  open_markers();
  Part part(world, *machine);
  if (!world.is_root()) {
    if (const auto served = serve(world, part); !served) {
      abandon(complain(served.error()));
    }
    close_markers();
    return 0;
  }
  Crew crew(world, part);
  const auto led = lead(crew, *machine, options);
  const int status = led ? *led : complain(led.error());
  crew.dismiss();
  if (crew.is_broken()) {
    abandon(status);
  }
  close_markers();
  return status;
}

// The root is asked to stop, and orders the others to; a launcher sends its signal to all.
void watch_signals(bool is_root) {
  if (is_root) {
    watch_stop_signals();
    watch_stop_signals_of_launchers();
  } else {
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) {
      (void)std::signal(signal, SIG_IGN);
    }
  }
}

int run(int argc, char** argv) {
  MpiTransport transport([] { return stop_signal() != 0; });
  const auto options = parse_ranks_options(argc, argv, transport.rank() == 0);
  if (!options) {
    // Every rank has come to the same; only the root's status is not 0, so that it is reported
    // once.
    return transport.rank() == 0 ? options.error() : 0;
  }
  if (const auto same = compare_world(*options, transport.size()); !same) {
    return transport.rank() == 0 ? complain(same.error()) : 0;
  }
  watch_signals(transport.rank() == 0);
  World world(transport, options->timeout_seconds);
  return take_part(world, *options);
}

}  // namespace
}  // namespace streamgage::engine

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  try {
    const int status = streamgage::engine::run(argc, argv);
    MPI_Finalize();
    return status;
  } catch (const std::exception& error) {
    streamgage::engine::abandon(
        streamgage::engine::complain({error.what(), streamgage::ExitStatus::kFailed}));
  }
}
