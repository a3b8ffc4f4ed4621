#include "devices/measure/device_chain.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"

namespace streamgage::engine {

Result<DeviceChain> DeviceChain::make(Device& device, DeviceKernel& chase, std::uint64_t bytes,
                                      const ChainOrder& order) {
  DeviceChain chain(device, chase, order.line_bytes);
  const std::uint64_t lines = std::max<std::uint64_t>(bytes / order.line_bytes, 1);
  STREAMGAGE_TRY(chain.links_, device.allocate(lines * order.line_bytes));
  chain.base_ = device.base_of_links(*chain.links_);
  STREAMGAGE_TRY(chain.end_, device.allocate(sizeof(std::uint64_t)));
  chain.lines_.reserve(lines);
  visit_lines(lines, order, [&chain](std::uint64_t line) {
    chain.lines_.push_back(static_cast<std::uint32_t>(line));
  });
  const std::size_t words = order.line_bytes / sizeof(std::uint64_t);
  std::vector<std::uint64_t> links(lines * words);
  std::uint64_t before = chain.lines_.back();
  for (const std::uint64_t line : chain.lines_) {
    links[before * words] = chain.base_ + line * order.line_bytes;
    before = line;
  }
  STREAMGAGE_TRY(device.write(*chain.links_, 0, std::as_bytes(std::span(links))));
  return chain;
}

Result<LaunchTimes> DeviceChain::walk(std::int64_t loads) {
  const std::array<Argument, 4> arguments{links_.get(), base_ + lines_[place_] * line_bytes_,
                                          static_cast<std::uint64_t>(loads), end_.get()};
  STREAMGAGE_TRY(const LaunchTimes times, device_->launch(*chase_, arguments, {1, 1}, 1));
  std::array<std::uint64_t, 1> end{};
  STREAMGAGE_TRY(device_->read(*end_, 0, std::as_writable_bytes(std::span(end))));
  place_ = (place_ + static_cast<std::uint64_t>(loads)) % lines();
  const std::uint64_t expected = lines_[place_] * line_bytes_;
  const std::uint64_t ended = end.front() - base_;
  if (ended != expected) {
    return failure(fmt::format(
        "{}: {} through {} ended at byte {} in place of {}: the device or its memory is faulty",
        device_->facts().id, count_of(loads, "load"), format_bytes(lines() * line_bytes_), ended,
        expected));
  }
  return times;
}

}  // namespace streamgage::engine
