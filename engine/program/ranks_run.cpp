#include "program/ranks_run.hpp"

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include <fmt/format.h>

#include "base/json_lines.hpp"
#include "base/output.hpp"
#include "measure/likwid/marked_region.hpp"
#include "measure/process_stop.hpp"
#include "measure/stop_signal.hpp"
#include "mpi/launch.hpp"
#include "mpi/mpi_transport.hpp"
#include "mpi/open_mpi.hpp"
#include "program/read_plan.hpp"
#include "ranks/crew.hpp"
#include "ranks/ranks_session.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/topology/machine.hpp"
#include "world/world.hpp"

namespace streamgage::engine {
namespace {

// A sign of life: no record comes before the lock is there.
void print_waiting() { say("still waiting"); }

constexpr unsigned kSecondsToAbort = 5;
constexpr unsigned kSecondsToPassOn = 1;

// Of this process, for a thread that has to end the run.
Mpi* job = nullptr;

// Ends all ranks, wherever they are; some may wait for this one. On a host that was cut off
// MPI_Abort may wait for ever for its launcher: then this rank at least ends by itself.
[[noreturn]] void abandon(int status) {
  (void)std::signal(SIGALRM, SIG_DFL);
  // Hydra passes on nothing more of what was said once it is ordered to abort.
  sleep(kSecondsToPassOn);
  alarm(kSecondsToAbort);
  job->abort(status);
  _exit(status);
}

// The status that the job ends with.
Result<int> lead(Crew& crew, const Machine& machine, const Options& options,
                 const std::string& mpi) {
  STREAMGAGE_TRY(const auto plan, read_plan(options.plan_file));
  JsonLines records(STDOUT_FILENO);
  const RanksRequest request{
      plan, options.oversubscribe, mpi, {options.wait, &print_note, &print_waiting}};
  STREAMGAGE_TRY(const auto outcome, run_ranks_session(crew, machine, request, records));
  return status_of(outcome);
}

int take_part(World& world, const Options& options, const std::string& mpi) {
  const auto machine = discover_machine();
  if (!machine) {
    abandon(complain({fmt::format("{}: {}", world.name(world.rank()), machine.error().message),
                      machine.error().status}));
  }
  const std::string host = machine->host.value_or("");  // a described machine's, refused later
  if (const auto met = world.meet(host, host_identity(host)); !met) {
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
  const auto led = lead(crew, *machine, options, mpi);
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
    end_overdue_runs_by(&abandon);
    watch_process_stops();
  } else {
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGUSR2}) {
      (void)std::signal(signal, SIG_IGN);
    }
  }
}

int run_in(Mpi& mpi, const Launch& launch, const Options& options) {
  if (const auto same = check_world(mpi, launch, options.ranks); !same) {
    // Each rank may be the root of a world of its own.
    return speaks_for_its_host(launch) ? complain(same.error()) : 0;
  }
  MpiTransport transport(mpi);
  watch_signals(transport.rank() == 0);
  World world(transport, options.timeout_seconds);
  return take_part(world, options, mpi.name());
}

}  // namespace

int run_as_rank(const Options& options) {
  const Variable variable = [](const char* name) { return std::getenv(name); };
  const Launch launch = find_launch(variable);
  const auto mpi = open_mpi(search_by(launch, variable));
  if (!mpi) {
    return speaks_for_its_host(launch) ? complain(mpi.error()) : 0;
  }
  if (const auto started = (*mpi)->start(); !started) {
    return complain(started.error());
  }
  job = mpi->get();
  try {
    const int status = run_in(**mpi, launch, options);
    job->finish();
    return status;
  } catch (const std::bad_alloc&) {
    abandon(complain(out_of_memory()));
  } catch (const std::exception& error) {
    abandon(complain({error.what(), ExitStatus::kFailed}));
  }
}

}  // namespace streamgage::engine
