#include "streamgage/topology/host/pseudo_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>

namespace streamgage {
namespace {

constexpr std::string_view kBlanks{" \t\r\n\f\v\0", 7};

// A file that never ends must not fill the memory.
constexpr std::size_t kLargestFile = std::size_t{64} << 20;

class FileDescriptor {
 public:
  explicit FileDescriptor(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~FileDescriptor() {
    if (fd_ >= 0) {
      close(fd_);
    }
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor(FileDescriptor&&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  FileDescriptor& operator=(FileDescriptor&&) = delete;

  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

tl::unexpected<std::error_code> last_error() {
  return tl::unexpected(std::error_code(errno, std::generic_category()));
}

}  // namespace

tl::expected<std::string, std::error_code> read_pseudo_file(const std::string& path) {
  const FileDescriptor file(path);
  if (file.get() < 0) {
    return last_error();
  }
  std::string text;
  std::array<char, 65536> buffer{};
  while (text.size() <= kLargestFile) {
    const ssize_t got = read(file.get(), buffer.data(), buffer.size());
    if (got == 0) {
      return text;
    }
    if (got > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      return last_error();
    }
  }
  return tl::unexpected(std::make_error_code(std::errc::file_too_large));
}

std::optional<std::string> pseudo_file_text(const std::string& path) {
  const auto text = read_pseudo_file(path);
  const std::string_view trimmed = text ? trim_blanks(*text) : std::string_view();
  if (trimmed.empty()) {
    return std::nullopt;
  }
  return std::string(trimmed);
}

std::optional<std::uint64_t> pseudo_file_number(const std::string& path) {
  const auto text = read_pseudo_file(path);
  return text ? parse_unsigned(*text) : std::nullopt;
}

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  text = trim_blanks(text);
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) {
    return std::nullopt;
  }
  return value;
}

std::string_view trim_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

std::optional<std::uint64_t> keyed_number(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (take_word(line) == key) {
      return parse_unsigned(take_word(line));
    }
  }
  return std::nullopt;
}

}  // namespace streamgage
