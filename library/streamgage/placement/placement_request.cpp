#include "streamgage/placement/placement_request.hpp"

namespace streamgage {

std::string_view name_of(PlacementKind kind) {
  switch (kind) {
    case PlacementKind::kCores:
      return "cores";
    case PlacementKind::kCpus:
      return "cpus";
    case PlacementKind::kNone:
      break;
  }
  return "none";
}

}  // namespace streamgage
