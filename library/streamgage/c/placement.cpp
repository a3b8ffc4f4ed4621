#include "streamgage/c/guard.hpp"
#include "streamgage/c/handles.hpp"
#include "streamgage/placement/binding.hpp"

using streamgage::PlacementKind;
using streamgage::PlacementRequest;
using streamgage::Result;

namespace {

streamgage_placement* choose(const streamgage_machine* machine, PlacementRequest request,
                             int threads, streamgage_error* error) {
  return streamgage::guarded<streamgage_placement*>(
      error, nullptr, [&]() -> Result<streamgage_placement*> {
        STREAMGAGE_TRY(streamgage::require(machine));
        if (threads < 0) {
          return streamgage::usage_error("the number of threads must not be negative");
        }
        if (threads > 0) {
          request.threads = threads;
        }
        return streamgage::choose_placement(machine->machine, request,
                                            streamgage::runtime_thread_count())
            .map([](streamgage::Placement placement) {
              return new streamgage_placement{std::move(placement)};
            });
      });
}

}  // namespace

streamgage_placement* streamgage_placement_choose(const streamgage_machine* machine,
                                                  const char* expression, int threads,
                                                  streamgage_error* error) {
  PlacementRequest request;
  if (expression != nullptr) {
    const auto set = streamgage::guarded_status(error, [&]() -> Result<void> {
      request.kind = PlacementKind::kCpus;
      request.expression = expression;
      return {};
    });
    if (set != STREAMGAGE_OK) {
      return nullptr;
    }
  }
  return choose(machine, std::move(request), threads, error);
}

streamgage_placement* streamgage_placement_choose_unbound(const streamgage_machine* machine,
                                                          int threads, streamgage_error* error) {
  PlacementRequest request;
  request.kind = PlacementKind::kNone;
  return choose(machine, std::move(request), threads, error);
}

void streamgage_placement_free(streamgage_placement* placement) { delete placement; }

int streamgage_placement_threads(const streamgage_placement* placement) {
  return placement == nullptr ? 0 : placement->placement.threads;
}

size_t streamgage_placement_cpus(const streamgage_placement* placement, int* cpus, size_t most) {
  return placement == nullptr ? 0 : streamgage::copy_out(placement->placement.cpus, cpus, most);
}

streamgage_status streamgage_bind_this_thread(int cpu, streamgage_error* error) {
  return streamgage::guarded_status(error, [&] { return streamgage::bind_this_thread(cpu); });
}
