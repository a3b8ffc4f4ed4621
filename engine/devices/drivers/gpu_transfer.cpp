#include "devices/drivers/gpu_transfer.hpp"

#include <algorithm>
#include <thread>
#include <vector>

#include "devices/drivers/gpu_error.hpp"
#include "devices/drivers/gpu_memory.hpp"
#include "streamgage/base/try.hpp"
#include "streamgage/clock/clock.hpp"
#include "streamgage/team/spin_barrier.hpp"
#include "streamgage/team/thread_trial.hpp"

namespace streamgage::engine::gpu {
namespace {

// Copies of one way.
struct TimedCopies {
  Code code = kSuccess;
  Instant start{};
  Instant end{};
};

// From the first start to the last end.
double seconds_of(std::span<const TimedCopies> ways) {
  Instant first = ways.front().start;
  Instant last = ways.front().end;
  for (const TimedCopies& way : ways) {
    first = std::min(first, way.start);
    last = std::max(last, way.end);
  }
  return seconds_between(first, last);
}

// The memory at that end; null: it is the host's.
const GpuMemory* memory_at(const TransferEnd& end) {
  const auto* const memory = std::get_if<DeviceMemory*>(&end);
  return memory == nullptr ? nullptr : dynamic_cast<const GpuMemory*>(*memory);
}

bool is_of_host(const Transfer& transfer) {
  return memory_at(transfer.from) == nullptr || memory_at(transfer.to) == nullptr;
}

const Home& starter_of(const Transfer& transfer) {
  const GpuMemory* const source = memory_at(transfer.from);
  return (source != nullptr ? source : memory_at(transfer.to))->home();
}

// Waits for what was written before on every device: a stream waits for its own device alone.
Result<void> settle(const Functions& api, const std::string& id,
                    std::span<const Transfer> transfers) {
  for (const Transfer& transfer : transfers) {
    for (const TransferEnd& end : {transfer.from, transfer.to}) {
      if (const GpuMemory* const memory = memory_at(end)) {
        STREAMGAGE_TRY(
            checked(api, id, "it cannot be used", make_current(api, memory->home().use)));
        STREAMGAGE_TRY(checked(api, id, "writing an array failed", api.CtxSynchronize()));
      }
    }
  }
  return {};
}

Code start_transfer(const Functions& api, const Transfer& transfer, Stream stream) {
  const GpuMemory* const from = memory_at(transfer.from);
  const GpuMemory* const to = memory_at(transfer.to);
  const std::size_t bytes = transfer.bytes;
  if (from == nullptr) {
    return api.MemcpyHtoDAsync(to->address(), std::get<std::byte*>(transfer.from), bytes, stream);
  }
  if (to == nullptr) {
    return api.MemcpyDtoHAsync(std::get<std::byte*>(transfer.to), from->address(), bytes, stream);
  }
  const Use& source = from->home().use;
  const Use& target = to->home().use;
  return api.MemcpyPeerAsync != nullptr
             ? api.MemcpyPeerAsync(to->address(), target.context, from->address(), source.context,
                                   bytes, stream)
             : api.MemcpyPeerAsyncByNumber(to->address(), target.device, from->address(),
                                           source.device, bytes, stream);
}

}  // namespace

Result<double> time_transfers(const Functions& api, const std::string& id,
                              std::span<const Transfer> transfers, std::int64_t times) {
  const std::size_t ways = transfers.size();
  STREAMGAGE_TRY(try_threads(static_cast<int>(ways) - 1));
  STREAMGAGE_TRY(settle(api, id, transfers));
  std::vector<TimedCopies> done(ways);
  SpinBarrier barrier(static_cast<int>(ways));
  const auto copy = [&](std::size_t way) {
    const Home& home = starter_of(transfers[way]);
    auto* const stream = home.streams[way % home.streams.size()];
    TimedCopies& copies = done[way];
    copies.code = make_current(api, home.use);
    barrier.wait();
    copies.start = now();
    for (std::int64_t time = 0; time < times && copies.code == kSuccess; ++time) {
      copies.code = start_transfer(api, transfers[way], stream);
    }
    const Code finished = api.StreamSynchronize(stream);
    copies.end = now();
    copies.code = copies.code == kSuccess ? finished : copies.code;
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t way = 1; way < ways; ++way) {
      others.emplace_back(copy, way);
    }
    copy(0);
  }
  for (std::size_t way = 0; way < ways; ++way) {
    STREAMGAGE_TRY(checked(api, id,
                           is_of_host(transfers[way])
                               ? "a copy between the host and the device failed"
                               : "a copy between two devices failed",
                           done[way].code));
  }
  return seconds_of(done);
}

}  // namespace streamgage::engine::gpu
