// Counters of this system's kernel, by perf_event_open.
#pragma once

#include "counters/source/counter_opener.hpp"

namespace streamgage {

// Each is opened alone, on its CPU, for all processes.
class PerfOpener final : public CounterOpener {
 public:
  OpenedCounter open(const CounterRequest& request) override;
  [[nodiscard]] bool is_replay() const override { return false; }
};

}  // namespace streamgage
