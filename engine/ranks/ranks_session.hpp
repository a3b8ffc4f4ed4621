// One run of the engine by several ranks: what run_session() is for one process.
#pragma once

#include "base/json_lines.hpp"
#include "measure/session.hpp"
#include "ranks/crew.hpp"
#include "ranks/settle.hpp"
#include "streamgage/base/error.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {

// On the root: measures by the plan with all ranks and writes the records. Shapes are not searched
// for, and nothing is measured for the interpretation alone. Errors as those of run_session().
// The others serve() meanwhile; they are not dismissed.
Result<Outcome> run_ranks_session(Crew& crew, const Machine& machine, const RanksRequest& request,
                                  RecordSink& sink);

}  // namespace streamgage::engine
