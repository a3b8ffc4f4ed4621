// For tests: this test program in a process of its own.
#pragma once

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

namespace streamgage {

// Runs this program again with that argument; whether it passed.
inline bool passes_in_a_new_process(std::string argument) {
  std::string program = "/proc/self/exe";
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  pid_t child = 0;
  int status = -1;
  return posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environ) == 0 &&
         waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// An emulated program may not be able to: the kernel does not know its format.
inline bool can_start_itself() { return passes_in_a_new_process("--help"); }

}  // namespace streamgage
