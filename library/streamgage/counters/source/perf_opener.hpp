// Counters of this system's kernel, by perf_event_open.
#pragma once

#include "streamgage/counters/source/counter_opener.hpp"

namespace streamgage {

// Opens each counter alone, on its CPU, for all processes.
class PerfOpener final : public CounterOpener {
 public:
  // Needs kernel.perf_event_paranoid below 1, CAP_PERFMON or root.
  OpenedCounter open(const CounterRequest& request) override;
  // Returns false: these counters are never replayed.
  [[nodiscard]] bool is_replay() const override { return false; }
};

}  // namespace streamgage
