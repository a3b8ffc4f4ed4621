// A compiler for tests, libnvrtc.so or by hip_names.h libhiprtc.so: it hands the source on to the
// driver of tests, after the host's compiler has read it. STREAMGAGE_TEST_GPU may have
// architectures=75,80 and compiler=fails.
#include <cstddef>
#include <cstring>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "devices/probes/host_compiler.hpp"

namespace {

struct HostProgram {
  std::string source;
  std::string name;
  std::string log;
};

std::vector<int> architectures() {
  std::istringstream all(streamgage::probes::asked_for("architectures").value_or("61,70,80,90"));
  std::vector<int> found;
  for (std::string each; std::getline(all, each, ',');) {
    found.push_back(std::stoi(each));
  }
  return found;
}

#ifdef STREAMGAGE_TEST_HIP
constexpr const char *kArchitecture = "--offload-arch=", *kOptimized = "-O3";
#else
constexpr const char *kArchitecture = "--gpu-architecture=", *kOptimized = "-std=c++17";
#endif
constexpr const char* kStandard = "-std=c++17";

std::string made_of(const HostProgram* program) {
  return "// made by the compiler of tests\n" + program->source;
}

}  // namespace

extern "C" {

int nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 4;
  return 0;
}

int nvrtcGetNumSupportedArchs(int* count) {
  *count = static_cast<int>(architectures().size());
  return 0;
}

int nvrtcGetSupportedArchs(int* all) {
  for (const int each : architectures()) {
    *all++ = each;
  }
  return 0;
}

int nvrtcCreateProgram(HostProgram** program, const char* source, const char* name, int /*headers*/,
                       const char* const* /*texts*/, const char* const* /*names*/) {
  *program = new HostProgram{source, name, ""};
  return 0;
}

int nvrtcDestroyProgram(HostProgram** program) {
  delete *program;
  *program = nullptr;
  return 0;
}

// Takes the options of the real ones alone.
int nvrtcCompileProgram(HostProgram* program, int count, const char* const* options) {
  for (int number = 0; number < count; ++number) {
    const std::string option = options[number];
    if (option.rfind(kArchitecture, 0) != 0 && option != kStandard && option != kOptimized) {
      program->log = "unknown option " + option;
      return 5;  // NVRTC_ERROR_INVALID_OPTION
    }
  }
  if (streamgage::probes::asked_for("compiler")) {
    program->log = program->name + "(1): error: as the test asks\n";
    return 6;  // NVRTC_ERROR_COMPILATION
  }
  const std::string named = "#line 1 \"" + program->name + "\"\n" + program->source;
  const bool compiled = streamgage::probes::compiles(named, program->log);
#ifndef STREAMGAGE_TEST_HIP
  // As NVRTC writes it; hipRTC is a clang.
  const std::regex place("([^ :\n]+):([0-9]+):[0-9]+: ");
  program->log = std::regex_replace(program->log, place, "$1($2): ");
#endif
  return compiled ? 0 : 6;
}

int nvrtcGetProgramLogSize(HostProgram* program, std::size_t* bytes) {
  *bytes = program->log.size() + 1;
  return 0;
}

int nvrtcGetProgramLog(HostProgram* program, char* to) {
  std::strcpy(to, program->log.c_str());
  return 0;
}

int nvrtcGetCUBINSize(HostProgram* program, std::size_t* bytes) {
  *bytes = made_of(program).size() + 1;
  return 0;
}

int nvrtcGetCUBIN(HostProgram* program, char* to) {
  std::strcpy(to, made_of(program).c_str());
  return 0;
}

int nvrtcGetPTXSize(HostProgram* program, std::size_t* bytes) {
  return nvrtcGetCUBINSize(program, bytes);
}

int nvrtcGetPTX(HostProgram* program, char* to) { return nvrtcGetCUBIN(program, to); }

}  // extern "C"
