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

// The whole file as it is, or why it cannot be read.
tl::expected<std::string, std::error_code> read_pseudo_file(const std::string& path);

// The file without blanks and NULs at its ends; nothing where it cannot be read or is empty.
std::optional<std::string> pseudo_file_text(const std::string& path);

// The file as one decimal number; nothing where it is anything else.
std::optional<std::uint64_t> pseudo_file_number(const std::string& path);

// A decimal number with blanks around it at most.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);

// `text` without blanks, newlines and NULs at its ends.
std::string_view trim_blanks(std::string_view text);

// Takes the first line off `text`, without its newline.
std::string_view take_line(std::string_view& text);

// Takes the first word off `text`, up to a blank; empty at the end.
std::string_view take_word(std::string_view& text);

// The number in the line "key 123" of a flat-keyed file such as memory.stat.
std::optional<std::uint64_t> keyed_number(std::string_view text, std::string_view key);

}  // namespace streamgage
