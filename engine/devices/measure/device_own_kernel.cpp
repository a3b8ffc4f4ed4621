#include "devices/measure/device_own_kernel.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <sstream>
#include <vector>

#include <fmt/format.h>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

constexpr std::string_view kDeclarationMark = "streamgage:";
constexpr std::uint64_t kMostKernelText = kMiB;

// What no host calls: the functions of the declaration are on the device.
double run_elsewhere(const streamgage_call* /*call*/) { return 0.0; }
void fill_elsewhere(const streamgage_call* /*call*/) {}
std::int64_t check_elsewhere(const streamgage_call* /*call*/, char* /*why*/, std::size_t /*size*/) {
  return 0;
}

std::optional<double> number_in_line(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

// An array as it is declared, with the texts that the declaration points to.
struct ArrayLine {
  std::string name;
  std::string type;
  std::int32_t access = 0;
  double per_iteration = 0.0;
  std::int64_t extra = 0;
  double bytes = 0.0;
};

class DeclarationLines {
 public:
  // Errors are sentences without a subject.
  std::optional<std::string> read(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string comment;
      std::string mark;
      std::string key;
      if (!(words >> comment >> mark) || comment != "//" || mark != kDeclarationMark) {
        continue;
      }
      words >> key;
      if (auto wrong = take(key, words)) {
        return wrong;
      }
    }
    return std::nullopt;
  }

  // Refers to this object.
  [[nodiscard]] streamgage_kernel declared(std::vector<streamgage_array>& arrays) const {
    for (const ArrayLine& each : arrays_) {
      arrays.push_back({each.name.c_str(), each.type.c_str(), each.access, each.per_iteration,
                        each.extra, each.bytes});
    }
    streamgage_kernel kernel{};
    kernel.version = STREAMGAGE_KERNEL_VERSION;
    kernel.name = name_.c_str();
    kernel.formula = formula_.c_str();
    kernel.arrays = arrays.data();
    kernel.array_count = static_cast<std::int32_t>(arrays.size());
    kernel.flops = flops_;
    kernel.run = run_elsewhere;
    return kernel;
  }

 private:
  std::optional<std::string> take(const std::string& key, std::istringstream& words) {
    if (key == "name") {
      words >> name_;
      return std::nullopt;
    }
    if (key == "formula") {
      std::getline(words >> std::ws, formula_);
      return std::nullopt;
    }
    if (key == "flops") {
      std::string text;
      words >> text;
      const auto value = number_in_line(text);
      flops_ = value.value_or(0.0);
      return value ? std::nullopt : std::optional("declares no number of flops");
    }
    if (key == "array") {
      return take_array(words);
    }
    return fmt::format(
        "has a line 'streamgage: {}', which declares nothing; use name, formula, array or flops",
        key);
  }

  std::optional<std::string> take_array(std::istringstream& words) {
    ArrayLine array;
    std::string access;
    words >> array.name >> array.type >> access;
    array.access = access == "read"         ? STREAMGAGE_READ
                   : access == "write"      ? STREAMGAGE_WRITE
                   : access == "read-write" ? STREAMGAGE_READ_WRITE
                                            : 0;
    if (array.access == 0) {
      return fmt::format(
          "does not declare how it uses its array {}; write read, write or read-write after its "
          "type",
          array.name);
    }
    for (std::string option; words >> option;) {
      const std::size_t sign = option.find('=');
      const std::string name = option.substr(0, sign);
      const auto value =
          sign == std::string::npos ? std::nullopt : number_in_line(option.substr(sign + 1));
      if (value && name == "per_iteration") {
        array.per_iteration = *value;
      } else if (value && name == "extra" && *value >= 0.0 && *value < 1e12) {
        array.extra = static_cast<std::int64_t>(*value);
      } else if (value && name == "bytes") {
        array.bytes = *value;
      } else {
        return fmt::format(
            "declares '{}' for its array {}; use per_iteration=N, extra=N or bytes=N", option,
            array.name);
      }
    }
    arrays_.push_back(std::move(array));
    return std::nullopt;
  }

  std::string name_;
  std::string formula_;
  double flops_ = 0.0;
  std::vector<ArrayLine> arrays_;
};

bool has_device_kernel(const std::string& text, std::optional<DeviceLanguage> language,
                       const char* name) {
  constexpr std::string_view kBounds = R"((?:__launch_bounds__\s*\([^()]{1,40}\)\s*)?)";
  const std::string before = language == DeviceLanguage::kOpenclC
                                 ? R"(\b(?:__)?kernel\s+void\s+)"
                                 : fmt::format(R"(\b__global__\s+{0}void\s+{0})", kBounds);
  return std::regex_search(text, std::regex(fmt::format(R"({}\b{}\s*\()", before, name)));
}

// In C++ a driver finds no other by their names.
bool has_c_names(const std::string& text, std::optional<DeviceLanguage> language) {
  return language == DeviceLanguage::kOpenclC ||
         std::regex_search(text, std::regex(R"(\bextern\s*"C")"));
}

}  // namespace

tl::expected<DeviceOwnKernel, KernelFailure> parse_device_kernel(const std::string& text,
                                                                 const OwnKernelFile& file,
                                                                 int number) {
  const std::string source = file.source.value_or(file.path);
  const auto declares = [&](const std::string& what) {
    return tl::unexpected(KernelFailure{std::nullopt, source, FailureReason::kDeclaration,
                                        subject_of({}, source) + " " + what});
  };
  DeclarationLines parser;
  if (auto wrong = parser.read(text)) {
    return declares(*wrong);
  }
  const auto has = [&](const char* name) { return has_device_kernel(text, file.language, name); };
  if (has(kOwnRun) && !has_c_names(text, file.language)) {
    return declares("has kernels with C++ names; write extern \"C\" before each __global__");
  }
  std::vector<streamgage_array> arrays;
  streamgage_kernel declared = parser.declared(arrays);
  DeviceOwnKernel kernel;
  kernel.program = {std::filesystem::path(source).filename().string(), text};
  kernel.fills = has(kOwnFill);
  kernel.checks = has(kOwnCheck);
  declared.fill = kernel.fills ? fill_elsewhere : nullptr;
  declared.check = kernel.checks ? check_elsewhere : nullptr;
  if (!has(kOwnRun)) {
    declared.run = nullptr;
  }
  auto facts = declared_kernel(declared, source, file.code, number);
  if (!facts) {
    return tl::unexpected(facts.error());
  }
  kernel.facts = *facts;
  return kernel;
}

tl::expected<DeviceOwnKernel, KernelFailure> load_device_kernel(const OwnKernelFile& file,
                                                                int number) {
  std::ifstream stream(file.path, std::ios::binary);
  std::string text;
  text.assign(std::istreambuf_iterator<char>(stream), {});
  const std::string source = file.source.value_or(file.path);
  if (!stream || text.size() > kMostKernelText) {
    return tl::unexpected(KernelFailure{std::nullopt, source, FailureReason::kDeclaration,
                                        fmt::format("{} cannot be read, or is larger than {}",
                                                    source, format_bytes(kMostKernelText))});
  }
  return parse_device_kernel(text, file, number);
}

ElementType scalar_type(const OwnKernel& kernel, const DeviceFacts& device) {
  const auto first =
      std::find_if(kernel.arrays.begin(), kernel.arrays.end(), [](const OwnArray& array) {
        return array.type == ArrayType::kDouble || array.type == ArrayType::kFloat;
      });
  if (first == kernel.arrays.end()) {
    return device.has_double ? ElementType::kDouble : ElementType::kFloat;
  }
  return first->type == ArrayType::kDouble ? ElementType::kDouble : ElementType::kFloat;
}

}  // namespace streamgage::engine
