// The record of a device: what its driver says of it.
#pragma once

#include "base/json_lines.hpp"
#include "contract/device.hpp"
#include "devices/device.hpp"

namespace streamgage::engine {

record::Device record_of(const DeviceFacts& facts);
Json to_record(const DeviceFacts& facts);

}  // namespace streamgage::engine
