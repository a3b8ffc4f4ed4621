// Copies between the memory of GPUs and of the host.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "devices/device.hpp"
#include "devices/drivers/gpu_functions.hpp"
#include "streamgage/base/error.hpp"

namespace streamgage::engine::gpu {

// See Device::transfer().
//
// Each way has a stream and a thread of its own. The functions that copy return at once where the
// host's memory is pinned. Where it is pageable, they return when the host has done its part
// ("API synchronization behavior" in CUDA's reference), so one thread would copy the ways in
// turn. Programs that copy both ways at once have two threads, too. Between two devices the
// stream is that of the one whose memory is read.
Result<double> time_transfers(const Functions& api, const std::string& id,
                              std::span<const Transfer> transfers, std::int64_t times);

}  // namespace streamgage::engine::gpu
