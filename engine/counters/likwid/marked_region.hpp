// LIKWID's markers around kernels, so that `likwid-perfctr -m -g MEM streamgage-engine ...` counts
// each by itself. Built with -DSTREAMGAGE_LIKWID=ON; else nothing of it is left.
#pragma once

#include <string>

namespace streamgage {

#ifdef STREAMGAGE_LIKWID

inline constexpr bool kHasMarkers = true;

// Whether likwid-perfctr -m started this program; without it nothing is marked.
bool markers_are_wanted();

// While it lives, this thread is inside the region of that name. Every thread has its own.
class MarkedRegion {
 public:
  explicit MarkedRegion(const std::string& name);
  MarkedRegion(const MarkedRegion&) = delete;
  MarkedRegion& operator=(const MarkedRegion&) = delete;
  MarkedRegion(MarkedRegion&&) = delete;
  MarkedRegion& operator=(MarkedRegion&&) = delete;
  ~MarkedRegion();

 private:
  const std::string& name_;
};

// Before the first region, and after the last: then LIKWID writes what it counted.
void open_markers();
void close_markers();

#else

inline constexpr bool kHasMarkers = false;

class MarkedRegion {
 public:
  explicit MarkedRegion(const std::string& /*name*/) {}
  MarkedRegion(const MarkedRegion&) = delete;
  MarkedRegion& operator=(const MarkedRegion&) = delete;
  MarkedRegion(MarkedRegion&&) = delete;
  MarkedRegion& operator=(MarkedRegion&&) = delete;
  ~MarkedRegion() {}  // NOLINT(modernize-use-equals-default): else it would be an unused variable
};

inline void open_markers() {}
inline void close_markers() {}

#endif

}  // namespace streamgage
