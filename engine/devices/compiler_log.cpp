#include "devices/compiler_log.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <regex>

#include <fmt/format.h>

#include "base/output.hpp"

namespace streamgage::engine {
namespace {

constexpr std::size_t kMostLog = 400;
constexpr std::size_t kMostLine = 200;
constexpr std::string_view kError = "error:";

std::size_t start_of_line(std::string_view text, std::size_t at) {
  const std::size_t before = text.substr(0, at).rfind('\n');
  return before == std::string_view::npos ? 0 : before + 1;
}

}  // namespace

std::string errors_of(std::string_view log) {
  const std::size_t at = log.find(kError);
  const std::size_t from = at == std::string_view::npos ? 0 : start_of_line(log, at);
  return std::string(log.substr(from, kMostLog));
}

std::string first_error_of(std::string_view log, const std::string& file) {
  std::string line = errors_of(log);
  line = line.substr(0, line.find('\n'));
  // NVRTC: "mine.cu(12): error: ..."; clang: "/tmp/mine.cu:12:5: error: ..."; some OpenCL drivers:
  // "12:5: error: ..."; PoCL: "error: /tmp/x.cl:12:5: ...".
  static const std::regex placed(
      R"((?:^|[(:])(\d+)(?::\d+)?\)?: (?:[a-z]+ )?error: *(.*)|error: [^: ]*:(\d+):\d+: (.*))");
  std::smatch found;
  std::string what = line;
  std::string place;
  if (std::regex_search(line, found, placed)) {
    const std::size_t number = found[1].matched ? 1 : 3;
    place =
        fmt::format("{}:{}: ", std::filesystem::path(file).filename().string(), found.str(number));
    what = found.str(number + 1);
  } else if (const std::size_t at = line.find(kError); at != std::string::npos) {
    what = line.substr(std::min(line.find_first_not_of(' ', at + kError.size()), line.size()));
  }
  what = what.substr(0, kMostLine);
  return printable(place + what.substr(0, what.find_last_not_of(" .\r") + 1));
}

}  // namespace streamgage::engine
