// The record of a device: what its driver says of it.
#pragma once

#include "base/json_lines.hpp"
#include "devices/device.hpp"

namespace streamgage::engine {

Json to_record(const DeviceFacts& facts);

}  // namespace streamgage::engine
