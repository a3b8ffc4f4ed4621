// SIGINT and SIGTERM ask for an end: the sample that runs is finished, and the records are closed.
#pragma once

namespace streamgage::engine {

// Installs the handlers; from then on SIGPIPE is ignored, so that a reader that has gone shows as
// a failed write.
void watch_stop_signals();

// Also takes SIGUSR1 for SIGTERM and SIGUSR2 for SIGINT: launchers pass these on to their programs,
// where the others end the launcher itself.
void watch_stop_signals_of_launchers();

// The signal that asked for an end, or 0.
int stop_signal();

}  // namespace streamgage::engine
