#include "devices/measure/device_copies_session.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "contract/device.hpp"
#include "devices/device_record.hpp"
#include "devices/measure/device_copies.hpp"
#include "measure/memory_record.hpp"
#include "measure/run.hpp"
#include "measure/setup.hpp"
#include "measure/workers.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/memory/memory_nodes.hpp"
#include "streamgage/placement/binding.hpp"
#include "streamgage/topology/allowed_cpus.hpp"

namespace streamgage::engine {
namespace {

// Long enough that the start of a copy does not count, short enough for many samples.
constexpr std::uint64_t kUsualCopy = 128 * kMiB;
constexpr std::uint64_t kLeastCopy = 4 * kKiB;
constexpr std::uint64_t kWordOfCopy = 8;
constexpr int kHostArraysOfCopies = 4;
constexpr int kDeviceArraysOfCopies = 2;
// What a device's memory is filled from and compared with is small against these.
constexpr int kHostArraysOfPeers = 1;
// The usual size takes at most this part of the memory, on either side.
constexpr std::uint64_t kPartOfMemoryOfCopy = 16;

// The other device, and by what the copies go.
struct Peer {
  Device* device = nullptr;
  bool is_reached = false;  // by the first one
  bool reaches = false;     // the first one
};

std::span<const Copy> copies_with(const Peer& peer) {
  return peer.device == nullptr ? std::span<const Copy>(kCopiesOfHost)
                                : std::span<const Copy>(kCopiesOfPeer);
}

Json peer_record(const Peer& peer) {
  const auto path = [](bool is_direct) {
    return is_direct ? record::LinkPath::kPeerAccess : record::LinkPath::kThroughHost;
  };
  return to_json(record::Peer{.id = peer.device->facts().id,
                              .to_peer = path(peer.is_reached),
                              .from_peer = path(peer.reaches)});
}

class CopyWorkers final : public Workers {
 public:
  CopyWorkers(Run& run, Device& device, const Peer& peer)
      : records_(run.records),
        device_(device),
        peer_(peer),
        copies_(device, peer.device, run.decision.size.bytes) {}

  [[nodiscard]] int threads() const override { return 1; }
  [[nodiscard]] Json placement_record() const override { return to_record(device_.facts()); }
  // Nothing is only read: each copy checks its sources by its targets.
  [[nodiscard]] int arrays() const override { return 1; }

  Step before_touch() override {
    if (peer_.device != nullptr) {
      STREAMGAGE_TRY(records_.write(peer_record(peer_)));
    }
    return {};
  }

  Result<PageSurvey> touch() override {
    PageSurvey survey;
    STREAMGAGE_TRY(survey.touch_seconds, copies_.renew());
    survey.reason = "the driver does not say where the pages of a device are";
    survey.arrays = {{peer_.device == nullptr ? "host" : "peer", std::nullopt},
                     {"device", std::nullopt}};
    return survey;
  }

  Result<PageSurvey> renew(int /*arrays*/) override { return touch(); }

  Result<SampleOutcome> run(const Variant& variant, std::int64_t passes) override {
    STREAMGAGE_TRY(const auto done, copies_.run(copy_of(variant), passes));
    SampleOutcome outcome;
    outcome.sample.timing.seconds = done.seconds;
    outcome.spot_check_passed = done.spot_check_passed;
    return outcome;
  }

  Result<Check> check_array(int /*number*/) override { return Check{}; }

  Result<CheckedSample> run_and_check(const Variant& variant) override {
    CheckedSample checked;
    STREAMGAGE_TRY(checked.check,
                   copies_.run_and_check(copy_of(variant), checked.sample.timing.seconds));
    return checked;
  }

  // What else the processor does is in the way of the host's copies only where it is much; the
  // front looks at the machine before.
  Result<void> watch() override { return {}; }
  Result<std::optional<Disturbance>> since_last(int /*block*/, double /*least*/) override {
    return std::optional<Disturbance>{};
  }

 private:
  [[nodiscard]] const Copy& copy_of(const Variant& variant) const {
    return copies_with(peer_)[static_cast<std::size_t>(variant.kernel->own_number)];
  }

  RecordSink& records_;
  Device& device_;
  Peer peer_;
  DeviceCopies copies_;
};

// The most bytes of each of the two arrays that a device gives.
std::uint64_t most_bytes_of_copies(const DeviceFacts& facts) {
  return std::min(facts.memory_bytes / 10 * 9 / static_cast<std::uint64_t>(kDeviceArraysOfCopies),
                  facts.largest_array_bytes > 0 ? facts.largest_array_bytes : facts.memory_bytes);
}

// `facts`: of the device that gives least.
Result<std::uint64_t> bytes_of_copies(const Machine& machine, const Plan& plan,
                                      const DeviceFacts& facts) {
  const std::uint64_t most = most_bytes_of_copies(facts);
  if (plan.array_bytes && *plan.array_bytes > most) {
    return usage_error(fmt::format("{} ({}) gives no two arrays of {}: ask for at most {}",
                                   facts.id, facts.name, format_bytes(*plan.array_bytes),
                                   format_bytes(most / kMiB * kMiB)));
  }
  if (plan.array_bytes && *plan.array_bytes < kLeastCopy) {
    return usage_error(
        fmt::format("copies of {} take no time that can be measured: ask for at "
                    "least {}",
                    format_bytes(*plan.array_bytes), format_bytes(kLeastCopy)));
  }
  const std::uint64_t free = free_memory(memory_budget(machine, {})).bytes;
  const std::uint64_t usual = std::max(std::min({kUsualCopy, free / kPartOfMemoryOfCopy,
                                                 facts.memory_bytes / kPartOfMemoryOfCopy, most}),
                                       kLeastCopy);
  return plan.array_bytes.value_or(usual) / kWordOfCopy * kWordOfCopy;
}

Result<Decision> decide_copies(const Machine& machine, const Plan& plan, const Device& device,
                               const Peer& peer) {
  const DeviceFacts& facts = device.facts();
  const DeviceFacts& other = peer.device == nullptr ? facts : peer.device->facts();
  Decision decision;
  for (const Copy& copy : copies_with(peer)) {
    Variant variant;
    variant.kernel = &copy.kernel;
    variant.isa = "none";
    variant.code = fmt::format("copies by {}", facts.driver);
    decision.choice.variants.push_back(std::move(variant));
  }
  number(decision.choice.variants);
  decision.placement.kind = PlacementKind::kNone;
  decision.placement.threads = 1;
  decision.arrays = 1;
  const bool other_gives_less = most_bytes_of_copies(other) < most_bytes_of_copies(facts);
  STREAMGAGE_TRY(const std::uint64_t bytes,
                 bytes_of_copies(machine, plan, other_gives_less ? other : facts));
  int arrays = facts.shares_host_memory ? kDeviceArraysOfCopies : 0;
  if (peer.device == nullptr) {
    arrays += kHostArraysOfCopies;
  } else {
    arrays += kHostArraysOfPeers + (other.shares_host_memory ? kDeviceArraysOfCopies : 0);
  }
  decision.size_request = {0, kWordOfCopy, arrays, 1, bytes};
  STREAMGAGE_TRY(decision.size,
                 choose_array_size(memory_budget(machine, {}), decision.size_request));
  decision.seed = plan.seed.value_or(draw_seed());
  return decision;
}

// The CPUs next to a device that this process may use; empty where it may use none or no others, or
// where no system says which they are.
CpuList cpus_near(const Machine& machine, const DeviceFacts& facts) {
  CpuList cpus;
  for (const HardwareThread& thread : machine.allowed) {
    if (facts.numa_node && thread.node == facts.numa_node) {
      cpus.push_back(thread.cpu);
    }
  }
  return cpus.size() == machine.allowed.size() ? CpuList{} : cpus;
}

// Keeps the calling thread, and what it allocates, next to a device as long as this lives. On a
// computer of several NUMA nodes the bandwidth of a copy depends on the node.
class NearDevice {
 public:
  NearDevice(const Machine& machine, const DeviceFacts& facts) {
    const CpuList cpus = cpus_near(machine, facts);
    if (const auto before = affinity_mask(); before && !cpus.empty() && bind_this_thread(cpus)) {
      before_ = *before;
    }
  }
  NearDevice(const NearDevice&) = delete;
  NearDevice& operator=(const NearDevice&) = delete;
  NearDevice(NearDevice&&) = delete;
  NearDevice& operator=(NearDevice&&) = delete;
  ~NearDevice() {
    if (before_) {
      (void)bind_this_thread(*before_);
    }
  }

 private:
  std::optional<CpuList> before_;
};

}  // namespace

Result<Outcome> run_device_copies_session(const Machine& machine, const Plan& plan, Device& device,
                                          Device* peer, RecordSink& sink) {
  const Instant start = now();
  if (!machine.is_this_system) {
    return tl::unexpected<Error>(not_this_machine());
  }
  Peer other{peer};
  if (peer != nullptr) {
    STREAMGAGE_TRY(other.is_reached, device.reach(*peer));
    STREAMGAGE_TRY(other.reaches, peer->reach(device));
  }
  STREAMGAGE_TRY(auto decision, decide_copies(machine, plan, device, other));
  const NearDevice near(machine, device.facts());
  Run run{machine, plan, decision, sink, start};
  CopyWorkers workers(run, device, other);
  return measure_run(run, workers);
}

}  // namespace streamgage::engine
