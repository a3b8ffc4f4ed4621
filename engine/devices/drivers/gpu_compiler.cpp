#include "devices/drivers/gpu_compiler.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "devices/compiler_log.hpp"
#include "devices/drivers/shared_library.hpp"
#include "devices/drivers/vendor_folders.hpp"
#include "streamgage/base/try.hpp"

namespace streamgage::engine::gpu {
namespace {

constexpr int kCompiled = 0;
// That of nvcc.
constexpr const char* kStandard = "-std=c++17";
using Program = struct ProgramTag*;

// By the names of NVRTC's without "nvrtc"; hipRTC has the same with the same parameters.
struct Compiler {
  std::string_view name;
  int (*Version)(int*, int*);
  int (*CreateProgram)(Program*, const char*, const char*, int, const char* const*,
                       const char* const*);
  int (*DestroyProgram)(Program*);
  int (*CompileProgram)(Program, int, const char* const*);
  int (*GetProgramLogSize)(Program, std::size_t*);
  int (*GetProgramLog)(Program, char*);
  int (*GetCodeSize)(Program, std::size_t*);  // machine code
  int (*GetCode)(Program, char*);
  // NVRTC alone.
  int (*GetPTXSize)(Program, std::size_t*);
  int (*GetPTX)(Program, char*);
  int (*GetNumSupportedArchs)(int*);
  int (*GetSupportedArchs)(int*);
};

#define STREAMGAGE_COMMON(bind)                 \
  bind(Version, "Version");                     \
  bind(CreateProgram, "CreateProgram");         \
  bind(DestroyProgram, "DestroyProgram");       \
  bind(CompileProgram, "CompileProgram");       \
  bind(GetProgramLogSize, "GetProgramLogSize"); \
  bind(GetProgramLog, "GetProgramLog")

Result<Compiler> find_nvrtc() {
  STREAMGAGE_TRY(can_load_libraries());
  // The first name is a toolkit's, the others are those of its packages.
  STREAMGAGE_TRY(auto library, SharedLibrary::load({"libnvrtc.so", "libnvrtc.so.13",
                                                    "libnvrtc.so.12", "libnvrtc.so.11.2"},
                                                   folders_of_cuda_toolkit()));
  Compiler all{};
  all.name = "NVRTC";
#define STREAMGAGE_BIND(field, name) library.bind("nvrtc" name, all.field)
  STREAMGAGE_COMMON(STREAMGAGE_BIND);
  STREAMGAGE_BIND(GetCodeSize, "GetCUBINSize");
  STREAMGAGE_BIND(GetCode, "GetCUBIN");
  STREAMGAGE_BIND(GetPTXSize, "GetPTXSize");
  STREAMGAGE_BIND(GetPTX, "GetPTX");
  STREAMGAGE_BIND(GetNumSupportedArchs, "GetNumSupportedArchs");
  STREAMGAGE_BIND(GetSupportedArchs, "GetSupportedArchs");
#undef STREAMGAGE_BIND
  if (!library.missing().empty()) {
    return usage_error(
        fmt::format("libnvrtc.so has no function {}, so it is older than 11.2", library.missing()));
  }
  return all;
}

Result<Compiler> find_hiprtc() {
  STREAMGAGE_TRY(can_load_libraries());
  STREAMGAGE_TRY(auto library, SharedLibrary::load({"libhiprtc.so", "libhiprtc.so.7",
                                                    "libhiprtc.so.6", "libhiprtc.so.5"},
                                                   folders_of_rocm()));
  Compiler all{};
  all.name = "hipRTC";
#define STREAMGAGE_BIND(field, name) library.bind("hiprtc" name, all.field)
  STREAMGAGE_COMMON(STREAMGAGE_BIND);
  STREAMGAGE_BIND(GetCodeSize, "GetCodeSize");
  STREAMGAGE_BIND(GetCode, "GetCode");
#undef STREAMGAGE_BIND
  if (!library.missing().empty()) {
    return usage_error(fmt::format("libhiprtc.so has no function {}", library.missing()));
  }
  return all;
}
#undef STREAMGAGE_COMMON

Result<Compiler> nvrtc() {
  static const Result<Compiler> found = find_nvrtc();
  return found;
}

Result<Compiler> hiprtc() {
  static const Result<Compiler> found = find_hiprtc();
  return found;
}

std::string version_of(const Compiler& compiler) {
  int major = 0;
  int minor = 0;
  (void)compiler.Version(&major, &minor);
  return fmt::format("{} {}.{}", compiler.name, major, minor);
}

// The newest compute capability that both the compiler and the GPU know.
Result<int> newest_common(const Compiler& compiler, int capability) {
  int count = 0;
  if (compiler.GetNumSupportedArchs(&count) != kCompiled || count <= 0) {
    return failure("NVRTC does not say for which GPUs it compiles");
  }
  std::vector<int> all(static_cast<std::size_t>(count));
  if (compiler.GetSupportedArchs(all.data()) != kCompiled) {
    return failure("NVRTC does not say for which GPUs it compiles");
  }
  all.erase(std::remove_if(all.begin(), all.end(), [&](int each) { return each > capability; }),
            all.end());
  if (all.empty()) {
    return failure(fmt::format("this NVRTC compiles for no GPU of compute capability {}.{}",
                               capability / 10, capability % 10));
  }
  return *std::max_element(all.begin(), all.end());
}

// A text or code, by two functions that give its length and itself.
template <class Size, class Get>
std::string text_of(Program program, Size size, Get get) {
  std::size_t bytes = 0;
  if (size(program, &bytes) != kCompiled || bytes == 0) {
    return {};
  }
  std::string text(bytes, '\0');
  return get(program, text.data()) == kCompiled ? text : std::string{};
}

Result<std::string> compile(const Compiler& compiler, const std::string& source,
                            const std::string& file, const std::vector<std::string>& options,
                            bool to_ptx) {
  Program program = nullptr;
  if (compiler.CreateProgram(&program, source.c_str(), file.c_str(), 0, nullptr, nullptr) !=
      kCompiled) {
    return failure(fmt::format("{} does not take a kernel", compiler.name));
  }
  std::vector<const char*> words;
  words.reserve(options.size());
  for (const std::string& option : options) {
    words.push_back(option.c_str());
  }
  const int code = compiler.CompileProgram(program, static_cast<int>(words.size()), words.data());
  std::string made;
  std::string log;
  if (code == kCompiled) {
    made = to_ptx ? text_of(program, compiler.GetPTXSize, compiler.GetPTX)
                  : text_of(program, compiler.GetCodeSize, compiler.GetCode);
  } else {
    log = text_of(program, compiler.GetProgramLogSize, compiler.GetProgramLog);
    log.resize(std::min(log.find('\0'), log.size()));
  }
  (void)compiler.DestroyProgram(&program);
  if (made.empty()) {
    return failure(fmt::format("{} cannot compile a kernel (error {}){}{}", compiler.name, code,
                               log.empty() ? "" : ": ", errors_of(log)));
  }
  return made;
}

}  // namespace

Result<std::string> nvrtc_version() {
  STREAMGAGE_TRY(const Compiler compiler, nvrtc());
  return version_of(compiler);
}

Result<std::string> hiprtc_version() {
  STREAMGAGE_TRY(const Compiler compiler, hiprtc());
  return version_of(compiler);
}

Result<std::string> compile_by_nvrtc(const std::string& source, const std::string& file,
                                     int capability) {
  STREAMGAGE_TRY(const Compiler compiler, nvrtc());
  STREAMGAGE_TRY(const int target, newest_common(compiler, capability));
  const bool exact = target == capability;
  const std::string architecture =
      fmt::format("--gpu-architecture={}_{}", exact ? "sm" : "compute", target);
  return compile(compiler, source, file, {architecture, kStandard}, !exact);
}

Result<std::string> compile_by_hiprtc(const std::string& source, const std::string& file,
                                      int /*capability*/) {
  STREAMGAGE_TRY(const Compiler compiler, hiprtc());
  return compile(compiler, source, file, {kStandard, "-O3"}, false);
}

}  // namespace streamgage::engine::gpu
