// For tests: a source of traffic that sees what a test says crossed the bus. No hardware is read.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/variant.hpp"
#include "streamgage/counters/source/traffic_source.hpp"

namespace streamgage::engine {

// What crosses the bus of a machine that does not exist, of one package or several.
struct SimulatedBus {
  double idle_read_rate = 0.0;  // bytes per second
  double idle_write_rate = 0.0;
  double rest_seconds = 0.3;  // that pass between any two readings
  double rate = 1e9;          // bytes per second of a kernel
  double alpha = 1.0;         // of ordinary stores; streaming ones read nothing
  double bytes_read = 0.0;
  double bytes_written = 0.0;
  double seconds = 0.0;

  void rest(double passing) {
    bytes_read += passing * idle_read_rate;
    bytes_written += passing * idle_write_rate;
    seconds += passing;
  }

  // The seconds that the kernel took.
  double run(const Variant& variant, std::int64_t passes, double array_bytes) {
    const Kernel& kernel = *variant.kernel;
    const bool allocates = kernel.write_allocates() && variant.store != StoreMode::kStreaming;
    const double swept = array_bytes * static_cast<double>(passes);
    const double read = swept * (kernel.loads() + (allocates ? alpha : 0.0));
    const double written = swept * kernel.store_count();
    bytes_read += read;
    bytes_written += written;
    const double taken = (read + written) / rate;
    rest(taken);
    return taken;
  }
};

// Counts lines of 64 bytes, in equal shares over its packages.
class SimulatedSource final : public TrafficSource {
 public:
  struct Manner {
    bool total_only = false;
    int packages = 1;
    double share_seen = 1.0;     // of the bytes
    double running_share = 1.0;  // of the time
    int readings_until_death = -1;
  };

  SimulatedSource(SimulatedBus& bus, const Manner& manner) : bus_(bus), manner_(manner) {
    for (int package = 0; package < manner.packages; ++package) {
      const MemoryDomain domain{package, std::nullopt};
      if (manner.total_only) {
        counters_.push_back({"total", domain, Direction::kBoth, 64.0, 64});
      } else {
        counters_.push_back({"reads", domain, Direction::kRead, 64.0, 64});
        counters_.push_back({"writes", domain, Direction::kWrite, 64.0, 64});
      }
    }
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::span<const Counter> counters() const override { return counters_; }

  Reading read() override {
    bus_.rest(bus_.rest_seconds);
    const bool dead = readings_++ == manner_.readings_until_death;
    Reading reading;
    for (const Counter& counter : counters_) {
      reading.emplace_back(tally(counter.direction));
    }
    if (dead) {
      reading.back() = failure("writes of package 1 cannot be read any more: No such device");
    }
    return reading;
  }

 private:
  [[nodiscard]] Tally tally(Direction direction) const {
    const double bytes = (direction != Direction::kWrite ? bus_.bytes_read : 0.0) +
                         (direction != Direction::kRead ? bus_.bytes_written : 0.0);
    const double seen = bytes * manner_.share_seen * manner_.running_share / manner_.packages;
    return {static_cast<std::uint64_t>(seen / 64.0), static_cast<std::uint64_t>(bus_.seconds * 1e9),
            static_cast<std::uint64_t>(bus_.seconds * manner_.running_share * 1e9)};
  }

  SimulatedBus& bus_;
  Manner manner_;
  std::string name_ = "a simulated bus";
  std::vector<Counter> counters_;
  int readings_ = 0;
};

}  // namespace streamgage::engine
