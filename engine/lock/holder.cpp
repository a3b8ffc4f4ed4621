#include "lock/holder.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace streamgage::engine {
namespace {

// Not getpwuid(), which a static program cannot call everywhere; where it would know more, a number
// must do.
std::string user_name(uid_t user, const std::string& passwd) {
  std::ifstream file(passwd);
  std::string number = std::to_string(user);
  for (std::string line; std::getline(file, line);) {
    const std::size_t name_end = line.find(':');
    const std::size_t number_begin = line.find(':', name_end + 1) + 1;
    if (name_end != std::string::npos && number_begin != 0 &&
        line.compare(number_begin, number.size() + 1, number + ":") == 0) {
      return line.substr(0, name_end);
    }
  }
  return number;
}

// Digits alone.
template <class Integer>
std::optional<Integer> whole_number(std::string_view text) {
  Integer number = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  const bool whole = read.ec == std::errc{} && read.ptr == end && text.front() != '-';
  return whole ? std::optional(number) : std::nullopt;
}

bool is_time(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
  return std::equal(text.begin(), text.end(), kForm.begin(), kForm.end(), [](char one, char form) {
    return form == 'd' ? one >= '0' && one <= '9' : one == form;
  });
}

}  // namespace

Holder this_process() {
  return {getpid(), getuid(),
          fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))};
}

std::string to_line(const Holder& holder) {
  return fmt::format("{} {} {}\n", holder.process, holder.user, holder.since);
}

std::optional<Holder> parse_holder(const std::string& text) {
  const std::size_t first = text.find(' ');
  const std::size_t second = text.find(' ', first + 1);
  if (first == std::string::npos || second == std::string::npos || text.back() != '\n') {
    return std::nullopt;
  }
  const std::string_view whole(text);
  const auto process = whole_number<pid_t>(whole.substr(0, first));
  const auto user = whole_number<uid_t>(whole.substr(first + 1, second - first - 1));
  const std::string_view since = whole.substr(second + 1, whole.size() - second - 2);
  if (!process || *process < 1 || !user || !is_time(since)) {
    return std::nullopt;
  }
  return Holder{*process, *user, std::string(since)};
}

std::string describe(const Holder& holder, const std::string& passwd) {
  return fmt::format("process {} of user {}, since {}", holder.process,
                     user_name(holder.user, passwd), holder.since);
}

}  // namespace streamgage::engine
