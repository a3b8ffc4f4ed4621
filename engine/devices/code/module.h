/* One kernel in all the shapes in which a GPU has it, for the compilers that write files: MODULE is
 * the beginning of the kernels' names, MOST_LANES (2, 4 or 8) the elements of the widest vector.
 * The rest is as in stream.h. Without FORMULA it is the one kernel of the file SOURCE. */
#include "cuda.h"

#ifdef FORMULA
#define NAMED(module, lanes, loads) NAMED_(module, lanes, loads)
#define NAMED_(module, lanes, loads) module##_##lanes##_##loads
#define NAME NAMED(MODULE, LANES, LOADS)
#define LANES 1
#include "loads.h"
#undef LANES
#define LANES 2
#include "loads.h"
#undef LANES
#if MOST_LANES >= 4
#define LANES 4
#include "loads.h"
#undef LANES
#endif
#if MOST_LANES >= 8
#define LANES 8
#include "loads.h"
#endif
#else
#define NAME MODULE
#include SOURCE
#endif
