#include "kernels/libc_lengths.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <string>

namespace streamgage::engine {
namespace {

// The file of the loader of this process; empty if it has none, as where it is linked statically.
std::string loader_file() {
  const unsigned long base = getauxval(AT_BASE);
  std::ifstream maps("/proc/self/maps");
  for (std::string line; base != 0 && std::getline(maps, line);) {
    unsigned long start = 0;
    const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), start, 16);
    const std::size_t path = line.find('/');
    if (error == std::errc{} && start == base && path != std::string::npos) {
      return line.substr(path);
    }
  }
  return {};
}

std::string output_of(std::string program, std::string argument) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return {};
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int failed =
      posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  if (failed == 0) {
    std::array<char, 4096> piece{};
    for (;;) {
      const ssize_t length = read(ends[0], piece.data(), piece.size());
      if (length > 0) {
        text.append(piece.data(), static_cast<std::size_t>(length));
      } else if (length == 0 || errno != EINTR) {
        break;
      }
    }
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(ends[0]);
  return text;
}

}  // namespace

std::optional<std::uint64_t> read_non_temporal_length(std::string_view tunables) {
  std::optional<std::uint64_t> least;
  while (!tunables.empty()) {
    const std::size_t end = std::min(tunables.find('\n'), tunables.size());
    const std::string_view line = tunables.substr(0, end);
    tunables.remove_prefix(std::min(end + 1, tunables.size()));
    constexpr std::string_view kBefore = "non_temporal_threshold: 0x";
    const std::size_t name = line.find(kBefore);
    std::uint64_t bytes = 0;
    if (name != std::string_view::npos) {
      const char* digits = line.data() + name + kBefore.size();
      const auto [stop, error] = std::from_chars(digits, line.data() + line.size(), bytes, 16);
      if (error == std::errc{} && bytes > 0) {
        least = std::min(least.value_or(bytes), bytes);
      }
    }
  }
  return least;
}

std::optional<std::uint64_t> non_temporal_length() {
  static const std::optional<std::uint64_t> length = [] {
    std::string loader = loader_file();
    return loader.empty()
               ? std::nullopt
               : read_non_temporal_length(output_of(std::move(loader), "--list-tunables"));
  }();
  return length;
}

}  // namespace streamgage::engine
