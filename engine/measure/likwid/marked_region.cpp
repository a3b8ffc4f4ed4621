#include "measure/likwid/marked_region.hpp"

#ifdef STREAMGAGE_LIKWID

#include <cstdlib>

#define LIKWID_PERFMON
#include <likwid-marker.h>

namespace streamgage::engine {

bool markers_are_wanted() {
  // LIKWID would print on stderr that it is not wanted. NOLINTNEXTLINE(concurrency-mt-unsafe)
  static const bool wanted = std::getenv("LIKWID_MODE") != nullptr;
  return wanted;
}

void start_region(const std::string& name) {
  if (markers_are_wanted()) {
    LIKWID_MARKER_THREADINIT;
    LIKWID_MARKER_START(name.c_str());
  }
}

void stop_region(const std::string& name) {
  if (markers_are_wanted()) {
    LIKWID_MARKER_STOP(name.c_str());
  }
}

void open_markers() {
  if (markers_are_wanted()) {
    LIKWID_MARKER_INIT;
  }
}

void close_markers() {
  if (markers_are_wanted()) {
    LIKWID_MARKER_CLOSE;
  }
}

}  // namespace streamgage::engine

#endif
