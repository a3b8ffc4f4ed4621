/* See module.h. */
#if !STREAMING
#define LANES 1
#include "loads.h"
#undef LANES
#endif
#if !STREAMING || LANES_OF_16_BYTES <= 2
#define LANES 2
#include "loads.h"
#undef LANES
#endif
#if MOST_LANES >= 4
#define LANES 4
#include "loads.h"
#undef LANES
#endif
#if MOST_LANES >= 8
#define LANES 8
#include "loads.h"
#undef LANES
#endif
