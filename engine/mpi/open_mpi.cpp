#include "mpi/open_mpi.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/output.hpp"
#include "mpi/abi.hpp"
#include "mpi/bound_mpi.hpp"
#include "streamgage/base/units.hpp"

#if STREAMGAGE_DLOPEN
#include <dlfcn.h>
#endif

namespace streamgage::engine {
namespace {

constexpr const char* kVariable = "STREAMGAGE_MPI_LIBRARY";

// While a library starts: its name. What exit() calls is passed nothing.
std::string starting;

void report_failed_start() {
  if (!starting.empty()) {
    say(
        fmt::format("{} does not start and has printed why; check that it is the launcher's "
                    "library, or name another one with {}",
                    starting, kVariable));
  }
}

// The names of the libraries that ranks of this launcher may use, the likeliest first.
std::vector<std::string> names_of(const Launch& launch, const Variable& variable) {
  const std::vector<std::string> open_mpi{"libmpi.so.40"};
  const std::vector<std::string> mpich{"libmpi.so.12", "libmpich.so.12"};
  std::vector<std::string> names;
  const auto add = [&](const std::vector<std::string>& more) {
    names.insert(names.end(), more.begin(), more.end());
  };
  // Of the interfaces by which a batch system connects ranks, MPICH alone uses PMI; PMIx has no
  // such variable.
  const bool is_mpich_first =
      launch.family == MpiFamily::kUnknown && variable("PMI_RANK") != nullptr;
  if (launch.family != MpiFamily::kMpich && !is_mpich_first) {
    add(open_mpi);
  }
  if (launch.family != MpiFamily::kOpenMpi) {
    add(mpich);
  }
  if (is_mpich_first) {
    add(open_mpi);
  }
  add({"libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi.so"});
  return names;
}

// Where the libraries of a program are that is installed as PREFIX/bin/PROGRAM.
std::vector<std::string> folders_of(const std::string& program) {
  const std::size_t name = program.rfind('/');
  const std::size_t bin =
      name == std::string::npos || name == 0 ? std::string::npos : program.rfind('/', name - 1);
  if (bin == std::string::npos) {
    return {};
  }
  const std::string prefix = program.substr(0, bin);
  return {prefix + "/lib", prefix + "/lib64", prefix + "/lib/release"};
}

// Where a batch system starts ranks, their MPI is that of the first of these on the PATH.
std::string program_on_path(const Variable& variable) {
  const char* value = variable("PATH");
  std::string_view rest = value == nullptr ? "" : value;
  while (!rest.empty()) {
    const std::string folder(rest.substr(0, rest.find(':')));
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
    for (const char* name : {"mpiexec", "mpicc"}) {
      const std::string program = folder + "/" + name;
      if (!folder.empty() && access(program.c_str(), X_OK) == 0) {
        const std::unique_ptr<char, decltype(&std::free)> real(realpath(program.c_str(), nullptr),
                                                               &std::free);
        return real ? real.get() : program;
      }
    }
  }
  return {};
}

#if STREAMGAGE_DLOPEN

// Why a library is not used.
struct Defect {
  enum class Kind { kMissing, kOfAnotherFamily, kUnusable } kind = Kind::kUnusable;
  std::string text;  // the end of a sentence that begins with its name
};

using Opened = tl::expected<std::unique_ptr<Mpi>, Defect>;

tl::unexpected<Defect> unusable(std::string text) {
  return tl::unexpected<Defect>(Defect{Defect::Kind::kUnusable, std::move(text)});
}

tl::unexpected<Defect> of_another_family() {
  return tl::unexpected<Defect>(
      Defect{Defect::Kind::kOfAnotherFamily, "does not belong to the launcher's MPI"});
}

// What the dynamic linker said last, of a file that it could not load.
Defect linker_error(const std::string& file) {
  const char* message = dlerror();
  std::string_view why = message == nullptr ? "the reason is unknown" : message;
  if (why.substr(0, file.size() + 2) == file + ": ") {
    why.remove_prefix(file.size() + 2);
  }
  const bool is_missing = why == "cannot open shared object file: No such file or directory";
  return {is_missing ? Defect::Kind::kMissing : Defect::Kind::kUnusable,
          fmt::format("cannot be loaded: {}", why)};
}

template <class Abi>
Opened bind(Symbols& symbols, const std::string& file) {
  auto mpi = std::make_unique<BoundMpi<Abi>>(symbols, file);
  if (!symbols.missing().empty()) {
    return unusable(fmt::format("has no {}, which ranks need", symbols.missing()));
  }
  return mpi;
}

// Version of the standard's binary interface; -1 where a library has one of its own.
int standard_version(Symbols& symbols) {
  int version = -1;
  int subversion = -1;
  if (constexpr const char* kName = "MPI_Abi_get_version"; symbols.has(kName)) {
    int (*get_version)(int*, int*) = nullptr;
    symbols.bind(get_version, kName);
    (void)get_version(&version, &subversion);
  }
  return version;
}

// Open MPI's library exports the objects that its handles are addresses of, and MPICH's a function
// that its mpi.h makes MPI_DUP_FN of. `family`: that it must be of, if that is known.
Opened recognize(Symbols& symbols, const std::string& file, MpiFamily family) {
  const auto allows = [family](MpiFamily found) {
    return family == MpiFamily::kUnknown || family == found;
  };
  if (const int version = standard_version(symbols); version > 0) {
    return version == StandardAbi::kVersion
               ? bind<StandardAbi>(symbols, file)
               : unusable(fmt::format("has version {} of MPI's standard binary interface, but "
                                      "streamgage knows only version {}",
                                      version, StandardAbi::kVersion));
  }
  if (symbols.has(OpenMpiAbi::kWorld)) {
    return allows(MpiFamily::kOpenMpi) ? bind<OpenMpiAbi>(symbols, file) : of_another_family();
  }
  if (symbols.has("MPIR_Dup_fn")) {
    return allows(MpiFamily::kMpich) ? bind<MpichAbi>(symbols, file) : of_another_family();
  }
  return unusable(
      "has none of the binary interfaces that streamgage knows: Open MPI, MPICH and MPI 5");
}

Opened open_library(const std::string& file, MpiFamily family) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return tl::unexpected<Defect>(linker_error(file));
  }
  Symbols symbols([library](const char* name) { return dlsym(library, name); });
  auto mpi = recognize(symbols, file, family);
  if (!mpi) {
    (void)dlclose(library);
    return mpi;
  }
  // Open MPI's plug-ins take its symbols from the whole process (docs.open-mpi.org, "Dynamically
  // loading libmpi at runtime"). It stays loaded.
  (void)dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  return mpi;
}

Result<std::unique_ptr<Mpi>> refuse(const std::string& file, const Defect& defect) {
  return failure(fmt::format("the MPI library {} {}; name the launcher's library with {}", file,
                             defect.text, kVariable));
}

Result<std::unique_ptr<Mpi>> none_found(const MpiSearch& search) {
  return failure(
      fmt::format("no MPI library was found (looked for {}{}{} and where the dynamic linker "
                  "looks); load the module of the launcher's MPI, or name its library with {}",
                  fmt::join(search.names, ", "), search.folders.empty() ? "" : " in ",
                  fmt::join(search.folders, ", "), kVariable));
}

#endif

}  // namespace

StartGuard::StartGuard(std::string name) {
  static const int is_set = std::atexit(&report_failed_start);
  (void)is_set;
  starting = std::move(name);
}

StartGuard::~StartGuard() { starting.clear(); }

MpiSearch search_by(const Launch& launch, const Variable& variable) {
  const char* named = variable(kVariable);
  return {named == nullptr ? "" : named, launch.family,
          folders_of(launch.program.empty() ? program_on_path(variable) : launch.program),
          names_of(launch, variable)};
}

Result<std::unique_ptr<Mpi>> open_mpi(const MpiSearch& search) {
#if STREAMGAGE_DLOPEN
  if (!search.named.empty()) {
    auto opened = open_library(search.named, MpiFamily::kUnknown);
    return opened ? Result<std::unique_ptr<Mpi>>(std::move(*opened))
                  : refuse(search.named, opened.error());
  }
  std::vector<std::string> files;
  for (const std::string& folder : search.folders) {
    for (const std::string& name : search.names) {
      files.push_back(fmt::format("{}/{}", folder, name));
    }
  }
  files.insert(files.end(), search.names.begin(), search.names.end());
  for (const std::string& file : files) {
    auto opened = open_library(file, search.family);
    if (opened) {
      return std::move(*opened);
    }
    if (opened.error().kind == Defect::Kind::kUnusable) {
      return refuse(file, opened.error());
    }
  }
  return none_found(search);
#else
  (void)search;
  return failure(
      "this engine is statically linked and cannot load an MPI library; use one that was built for "
      "this system");
#endif
}

Result<void> check_world(const Mpi& mpi, const Launch& launch, std::optional<int> requested) {
  const int size = mpi.size();
  const int ranks = requested.value_or(launch.ranks.value_or(size));
  if (ranks == size) {
    return {};
  }
  const std::string were = count_of(ranks, "rank") + (ranks == 1 ? " was" : " were");
  if (launch.ranks == size) {
    return usage_error(fmt::format(
        "{} requested with --ranks, but the launcher started {}; make the two numbers equal", were,
        size));
  }
  return failure(
      fmt::format("{} started, but {} made a world of {}: it is not the launcher's MPI; name the "
                  "launcher's library with {}, or the launcher of that MPI with --launcher",
                  were, mpi.name(), size, kVariable));
}

}  // namespace streamgage::engine
