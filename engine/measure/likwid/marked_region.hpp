// LIKWID's markers around kernels, so that `likwid-perfctr -m -g MEM streamgage-engine ...` counts
// each by itself. Built with -DSTREAMGAGE_LIKWID=ON; else nothing of it is left.
#pragma once

#include <string>

namespace streamgage::engine {

#ifdef STREAMGAGE_LIKWID

inline constexpr bool kHasMarkers = true;

// Returns whether likwid-perfctr -m started this program. Otherwise nothing is marked.
bool markers_are_wanted();

// Between the two calls, this thread is inside the region of that name. Every thread has its own.
void start_region(const std::string& name);
void stop_region(const std::string& name);

// Call these before the first region and after the last one, when LIKWID writes its counts.
void open_markers();
void close_markers();

#else

inline constexpr bool kHasMarkers = false;

inline void start_region(const std::string& /*name*/) {}
inline void stop_region(const std::string& /*name*/) {}
inline void open_markers() {}
inline void close_markers() {}

#endif

}  // namespace streamgage::engine
