// SIGINT and SIGTERM ask for an end: the sample that runs is finished, and the records are closed.
#pragma once

namespace streamgage {

// Installs the handlers; from then on SIGPIPE is ignored, so that a reader that has gone shows as
// a failed write.
void watch_stop_signals();

// The signal that asked for an end, or 0.
int stop_signal();

}  // namespace streamgage
