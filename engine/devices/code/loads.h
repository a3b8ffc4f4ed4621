/* See module.h. */
#define LOADS 1
#include "stream.h"
#undef LOADS
#define LOADS 2
#include "stream.h"
#undef LOADS
#define LOADS 4
#include "stream.h"
#undef LOADS
#define LOADS 8
#include "stream.h"
#undef LOADS
