// One run of the engine with several ranks: like run_session() for one process.
#pragma once

#include "base/json_lines.hpp"
#include "measure/session.hpp"
#include "ranks/crew.hpp"
#include "ranks/settle.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// Runs on the root: measures by the plan with all ranks and writes the records. Does not tune
// shapes, and measures nothing only for the interpretation. Has the errors of run_session(). The
// others must serve() meanwhile; they are not dismissed.
Result<Outcome> run_ranks_session(Crew& crew, const Machine& machine, const RanksRequest& request,
                                  RecordSink& sink);

}  // namespace streamgage::engine
