#include "program/read_plan.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace streamgage::engine {
namespace {

constexpr std::size_t kLongestPlan = std::size_t{64} << 20U;  // of a million ranks

// Finds the end of an object or a list as its text arrives, and looks at each byte once.
class EndOfJson {
 public:
  // Returns whether what was opened first is closed again.
  bool is_in(std::string_view part) {
    return std::any_of(part.begin(), part.end(), [this](char byte) { return is_last(byte); });
  }

 private:
  bool is_last(char byte) {
    if (in_text_) {
      in_text_ = escaped_ || byte != '"';
      escaped_ = !escaped_ && byte == '\\';
    } else if (byte == '"') {
      in_text_ = true;
    } else if (byte == '{' || byte == '[') {
      ++depth_;
    } else if (byte == '}' || byte == ']') {
      return --depth_ <= 0;
    }
    return false;
  }

  std::int64_t depth_ = 0;
  bool in_text_ = false;
  bool escaped_ = false;
};

Result<std::string> read_all(int descriptor, std::string_view name, bool to_the_end) {
  std::string text;
  std::array<char, 65536> part{};
  EndOfJson end;
  while (text.size() <= kLongestPlan) {
    const ssize_t bytes = read(descriptor, part.data(), part.size());
    if (bytes > 0) {
      const std::string_view got(part.data(), static_cast<std::size_t>(bytes));
      text += got;
      // Some launchers keep the input of their ranks open (Open MPI 5).
      if (!to_the_end && end.is_in(got)) {
        return text;
      }
    } else if (bytes == 0) {
      return text;
    } else if (errno != EINTR) {
      return usage_error(fmt::format("{} cannot be read: {}", name, std::strerror(errno)));
    }
  }
  return usage_error(
      fmt::format("{} is longer than {} MiB, and no plan is", name, kLongestPlan >> 20U));
}

}  // namespace

Result<std::string> read_plan(const std::string& file) {
  if (file == "-") {
    return read_all(STDIN_FILENO, "the plan on standard input", false);
  }
  const std::string name = fmt::format("the plan '{}'", file);
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return usage_error(fmt::format("{} cannot be read: {}", name, std::strerror(errno)));
  }
  auto text = read_all(descriptor, name, true);
  close(descriptor);
  return text;
}

}  // namespace streamgage::engine
