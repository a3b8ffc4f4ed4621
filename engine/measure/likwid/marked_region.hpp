// LIKWID's markers around kernels, so that `likwid-perfctr -m -g MEM streamgage-engine ...` counts
// each by itself. Built with -DSTREAMGAGE_LIKWID=ON; else nothing of it is left.
#pragma once

#include <string>

namespace streamgage::engine {

#ifdef STREAMGAGE_LIKWID

inline constexpr bool kHasMarkers = true;

// Whether likwid-perfctr -m started this program; without it nothing is marked.
bool markers_are_wanted();

// Between the two, this thread is inside the region of that name. Every thread has its own.
void start_region(const std::string& name);
void stop_region(const std::string& name);

// Before the first region, and after the last: then LIKWID writes what it counted.
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
