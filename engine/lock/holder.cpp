#include "lock/holder.hpp"

#include <unistd.h>

#include <ctime>
#include <fstream>
#include <regex>
#include <string>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace streamgage {
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

}  // namespace

Holder this_process() {
  return {getpid(), getuid(),
          fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))};
}

std::string to_line(const Holder& holder) {
  return fmt::format("{} {} {}\n", holder.process, holder.user, holder.since);
}

std::optional<Holder> parse_holder(const std::string& text) {
  static const std::regex form(
      "([1-9][0-9]{0,8}) ([0-9]{1,10}) ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z)\n");
  std::smatch parts;
  if (!std::regex_match(text, parts, form)) {
    return std::nullopt;
  }
  return Holder{static_cast<pid_t>(std::stol(parts[1])), static_cast<uid_t>(std::stoul(parts[2])),
                parts[3]};
}

std::string describe(const Holder& holder, const std::string& passwd) {
  return fmt::format("process {} of user {}, since {}", holder.process,
                     user_name(holder.user, passwd), holder.since);
}

}  // namespace streamgage
