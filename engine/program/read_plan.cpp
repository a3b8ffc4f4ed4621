#include "program/read_plan.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include "base/json_lines.hpp"

namespace streamgage::engine {
namespace {

// Up to the end of the plan: some launchers keep the input of their ranks open (Open MPI 5).
std::string read_standard_input() {
  std::string text;
  std::array<char, 4096> part{};
  do {
    const ssize_t bytes = read(STDIN_FILENO, part.data(), part.size());
    if (bytes > 0) {
      text.append(part.data(), static_cast<std::size_t>(bytes));
    } else if (bytes == 0 || errno != EINTR) {
      break;
    }
  } while (!Json::accept(text));
  return text;
}

}  // namespace

Result<std::string> read_plan(const std::string& file) {
  if (file == "-") {
    return read_standard_input();
  }
  std::ifstream stream(file);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  if (!stream) {
    return usage_error(fmt::format("the plan '{}' cannot be read", file));
  }
  return text;
}

}  // namespace streamgage::engine
