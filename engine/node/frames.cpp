#include "node/frames.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace streamgage::engine {
namespace {

// The product with 256 has 52 bits, which even awk can calculate with.
constexpr std::uint64_t kModulus = (std::uint64_t{1} << 44U) - 17;
// All of a frame but the node's name, which stands in it twice.
constexpr std::size_t kFrameBytesWithoutNames =
    kPayloadBytes + std::string_view("@ 7654321/7654321/17592186044399/17592186044399  @\n").size();

void add_frames(std::string& frames, std::string_view host, std::string_view line) {
  const std::size_t least = kFrameBytesWithoutNames + 2 * host.size();
  const std::size_t bytes = (least + kFrameBytes - 1) / kFrameBytes * kFrameBytes;
  const std::uint64_t whole = checksum_of(line);
  for (std::size_t offset = 0; offset < line.size(); offset += kPayloadBytes) {
    const std::string_view payload = line.substr(offset, kPayloadBytes);
    const std::string head = fmt::format("{} {}/{}/{}", host, offset, line.size(), whole);
    const std::uint64_t checksum = checksum_of(fmt::format("{} {}", head, payload));
    std::string frame = fmt::format("@{}/{} {}", head, checksum, payload);
    const std::string tail = fmt::format(" @{}\n", host);
    frame.resize(std::max(frame.size(), bytes - tail.size()), ' ');
    frames += frame + tail;
  }
}

}  // namespace

std::uint64_t checksum_of(std::string_view text) {
  std::uint64_t sum = 0;
  for (const char letter : text) {
    sum = (sum * 256 + static_cast<unsigned char>(letter)) % kModulus;
  }
  return sum;
}

std::string in_frames(std::string_view host, std::string_view text) {
  std::string frames;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    add_frames(frames, host, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return frames;
}

}  // namespace streamgage::engine
