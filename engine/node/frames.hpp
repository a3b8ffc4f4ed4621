// Lines in pieces, as launchers of many nodes carry them: srun forwards output in blocks of 1,024
// bytes, and blocks of different nodes interleave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace streamgage::engine {

// Every frame of a line but the last has so many of its bytes.
constexpr std::size_t kPayloadBytes = 160;

// A frame is as long, with its newline, or a multiple for a very long name: blocks of launchers,
// which are powers of two, end where a frame ends.
constexpr std::size_t kFrameBytes = 256;

// Returns the checksum of a text: its bytes as one number, modulo the prime 2^44 - 17.
std::uint64_t checksum_of(std::string_view text);

// Returns the lines of `text` in frames of the node `host`, as streamgage/records/frames.py reads
// them: "@n6 160/3012/3735928559/305419896 PAYLOAD @n6", where the numbers are the payload's
// offset, the bytes of the line, its checksum, and that of the frame. Empty lines are left out.
std::string in_frames(std::string_view host, std::string_view text);

}  // namespace streamgage::engine
