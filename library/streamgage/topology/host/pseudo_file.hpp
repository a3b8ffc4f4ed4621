// The kernel's pseudo files (/proc, /sys): small texts that may lack, end without a newline, or be
// forbidden to read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <tl/expected.hpp>

namespace streamgage {

// Returns the whole file as it is, or why it cannot be read.
tl::expected<std::string, std::error_code> read_pseudo_file(const std::string& path);

// Returns the file without blanks and NULs at its ends. Nothing if it cannot be read or is empty.
std::optional<std::string> pseudo_file_text(const std::string& path);

// Returns the file as one decimal number. Nothing if it is anything else.
std::optional<std::uint64_t> pseudo_file_number(const std::string& path);

// Parses a decimal number, with at most blanks around it.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

// Returns `text` without blanks, newlines and NULs at its ends.
std::string_view trim_blanks(std::string_view text);

// Takes the first line off `text`, without its newline.
std::string_view take_line(std::string_view& text);

// Takes the first word off `text`, up to a blank; empty at the end.
std::string_view take_word(std::string_view& text);

// Returns the number in the line "key 123" of a file such as memory.stat.
std::optional<std::uint64_t> keyed_number(std::string_view text, std::string_view key);

}  // namespace streamgage
