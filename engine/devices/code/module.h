/* One kernel in all the shapes in which a GPU has it, for the compilers that write files: MODULE is
 * the beginning of the kernels' names, MOST_LANES (2, 4 or 8) the elements of the widest vector,
 * and LANES_OF_16_BYTES (2 or 4) those of the narrowest one that passes by the caches or goes
 * through a ring. The rest is as in stream.h. Without FORMULA it is the one kernel of the file
 * SOURCE. */
#include "cuda.h"

#ifdef FORMULA
#define NAMED(module, lanes, loads) NAMED_(module, lanes, loads)
#define NAME NAMED(MODULE, LANES, LOADS)

#define NAMED_(module, lanes, loads) module##_##lanes##_##loads
#if RING
#include "bulk.h"
#define LANES LANES_OF_16_BYTES
#include "loads.h"
#else
#define STREAMING 0
#include "lanes.h"
#undef NAMED_
#undef STREAMING

#define NAMED_(module, lanes, loads) module##_##lanes##_##loads##_streaming
#define STREAMING 1
#include "lanes.h"
#endif
#else
#define NAME MODULE
#include SOURCE
#endif
