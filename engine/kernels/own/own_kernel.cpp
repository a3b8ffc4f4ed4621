#include "kernels/own/own_kernel.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/json_lines.hpp"
#include "kernels/own/declaration.hpp"
#include "kernels/own/kernel_guard.hpp"

#if STREAMGAGE_DLOPEN
#include <dlfcn.h>
#endif

namespace streamgage::engine {
namespace {

constexpr const char* kSymbol = "streamgage_declare_kernel";

using Declare = const streamgage_kernel* (*)();

// The function that declares the kernel, or why there is none.
tl::expected<Declare, std::string> open_library(const OwnKernelFile& file) {
#if STREAMGAGE_DLOPEN
  // A name without a slash would be looked for where libraries are, and not here.
  const std::string path = file.path.find('/') == std::string::npos ? "./" + file.path : file.path;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = dlerror();
    return tl::unexpected(
        fmt::format("cannot be loaded: {}", why == nullptr ? "the reason is unknown" : why));
  }
  void* found = dlsym(library, kSymbol);
  if (found == nullptr) {
    return tl::unexpected(
        fmt::format("declares no kernel: it has no function {}; define it with "
                    "STREAMGAGE_KERNEL(...) from streamgage/kernel.h",
                    kSymbol));
  }
  return reinterpret_cast<Declare>(found);
#else
  (void)file;
  return tl::unexpected(
      std::string("cannot be loaded: this engine is statically linked; use one that was built for "
                  "this system"));
#endif
}

Kernel row_of(const OwnKernel& kernel, int number) {
  Kernel row{};
  row.id = KernelId::kOwn;
  row.name = kernel.name;
  row.formula = kernel.formula;
  const auto reads = std::count_if(kernel.arrays.begin(), kernel.arrays.end(),
                                   [](const OwnArray& array) { return array.is_read; });
  row.reads = (1U << static_cast<unsigned>(reads)) - 1U;
  row.stores = std::any_of(kernel.arrays.begin(), kernel.arrays.end(),
                           [](const OwnArray& array) { return array.is_written; });
  row.own = &kernel;
  row.own_number = number;
  return row;
}

record::ArrayAccess access_of(const OwnArray& array) {
  if (array.is_read && array.is_written) {
    return record::ArrayAccess::kReadWrite;
  }
  return array.is_read ? record::ArrayAccess::kRead : record::ArrayAccess::kWrite;
}

}  // namespace

std::size_t size_of(ArrayType type) {
  return type == ArrayType::kFloat || type == ArrayType::kInt32 ? 4 : 8;
}

Range OwnArray::elements_of(const Range& range, std::int64_t iterations) const {
  const auto first = [this](std::int64_t iteration) {
    return static_cast<std::int64_t>(std::ceil(per_iteration * static_cast<double>(iteration)));
  };
  const bool is_last = range.end == iterations && (range.size() > 0 || iterations == 0);
  return {first(range.begin), first(range.end) + (is_last ? extra : 0)};
}

std::int64_t OwnArray::elements(std::int64_t iterations) const {
  return elements_of({0, iterations}, iterations).end;
}

std::uint64_t OwnArray::array_bytes(std::int64_t iterations) const {
  return static_cast<std::uint64_t>(elements(iterations)) * size_of(type);
}

ArrayType OwnKernel::type() const {
  const auto first = std::find_if(arrays.begin(), arrays.end(), [](const OwnArray& array) {
    return array.type == ArrayType::kDouble || array.type == ArrayType::kFloat;
  });
  return first == arrays.end() ? arrays.front().type : first->type;
}

bool OwnKernel::changes_what_it_reads() const {
  return std::any_of(arrays.begin(), arrays.end(),
                     [](const OwnArray& array) { return array.is_read && array.is_written; });
}

tl::expected<SharedOwnKernel, KernelFailure> load_own_kernel(const OwnKernelFile& file, int number,
                                                             double timeout_seconds) {
  auto kernel = std::make_shared<OwnKernel>();
  kernel->source = file.source.value_or(file.path);
  kernel->code = file.code;
  const auto refuse = [&kernel](const std::string& what) {
    const bool has_name = !kernel->name.empty();
    return tl::unexpected(
        KernelFailure{has_name ? std::optional(kernel->name) : std::nullopt, kernel->source,
                      FailureReason::kDeclaration,
                      fmt::format("{} {}", subject_of(kernel->name, kernel->source), what)});
  };
  WatchedKernel watched;
  watched.source = kernel->source;
  watched.timeout_seconds = timeout_seconds;
  watched.phase = KernelPhase::kLoading;
  const auto declare = [&] {
    const GuardedRun loading(watched);  // constructors are a kernel's code, too
    return open_library(file);
  }();
  if (!declare) {
    return refuse(declare.error());
  }
  const streamgage_kernel* declared = nullptr;
  std::optional<std::string> wrong;
  const auto death = try_call(watched, [&] {
    declared = (*declare)();
    if (declared != nullptr) {
      wrong = take_declaration(*declared, *kernel);  // pointers in it may lead anywhere
    }
  });
  if (death) {
    return refuse(fmt::format("fails while it declares its kernel: it {}", death->what));
  }
  if (declared == nullptr) {
    return refuse("declares no kernel: its function streamgage_declare_kernel returns null");
  }
  if (wrong) {
    return refuse(*wrong);
  }
  kernel->row = row_of(*kernel, number);
  return kernel;
}

tl::expected<SharedOwnKernel, KernelFailure> declared_kernel(const streamgage_kernel& declared,
                                                             const std::string& source,
                                                             const std::string& code, int number) {
  auto kernel = std::make_shared<OwnKernel>();
  kernel->source = source;
  kernel->code = code;
  if (const auto wrong = take_declaration(declared, *kernel)) {
    const std::string& name = kernel->name;
    return tl::unexpected(KernelFailure{name.empty() ? std::nullopt : std::optional(name), source,
                                        FailureReason::kDeclaration,
                                        subject_of(name, source) + " " + *wrong});
  }
  kernel->row = row_of(*kernel, number);
  return kernel;
}

KernelFailure failure_of(const OwnKernel& kernel, FailureReason reason, const std::string& what) {
  return {kernel.name, kernel.source, reason,
          fmt::format("{} {}", subject_of(kernel.name, kernel.source), what)};
}

nlohmann::ordered_json to_record(const OwnKernel& kernel, std::int64_t iterations) {
  std::vector<record::OwnArray> arrays;
  double read = 0.0;
  double written = 0.0;
  double allocated = 0.0;
  int loads = 0;
  int stores = 0;
  for (const OwnArray& array : kernel.arrays) {
    arrays.push_back({.name = array.name,
                      .type = array.type,
                      .access = access_of(array),
                      .bytes = array.bytes,
                      .elements = array.elements(iterations)});
    loads += array.is_read ? 1 : 0;
    stores += array.is_written ? 1 : 0;
    read += array.is_read ? array.bytes : 0.0;
    written += array.is_written ? array.bytes : 0.0;
    allocated += array.is_written && !array.is_read ? array.bytes : 0.0;
  }
  return to_json(record::Kernel{.name = kernel.name,
                                .formula = kernel.formula,
                                .loads = loads,
                                .stores = stores,
                                .write_allocates = allocated > 0.0,
                                .flops = kernel.flops,
                                .own = record::OwnFacts{.source = kernel.source,
                                                        .iterations = iterations,
                                                        .grain = kernel.grain,
                                                        .arrays = std::move(arrays),
                                                        .read_bytes = read,
                                                        .written_bytes = written,
                                                        .allocated_bytes = allocated,
                                                        .has_check = kernel.check != nullptr}});
}

}  // namespace streamgage::engine
