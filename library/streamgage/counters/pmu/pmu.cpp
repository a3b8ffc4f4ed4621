#include "streamgage/counters/pmu/pmu.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

std::string devices(const FileRoots& roots) { return roots.sys + "/bus/event_source/devices"; }

// Entries by name; empty where there is no such folder.
std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

tl::unexpected<Error> rejection(const std::string& pmu, const std::string& file,
                                const std::string& reason) {
  return failure(fmt::format("{}: {}: {}", pmu, file, reason));
}

Result<std::uint32_t> read_type(const std::string& folder, const std::string& name) {
  const auto text = read_pseudo_file(folder + "/type");
  if (!text) {
    return rejection(name, "type", text.error().message());
  }
  const auto type = parse_unsigned(*text);
  if (!type || *type > std::numeric_limits<std::uint32_t>::max()) {
    return rejection(name, "type", fmt::format("'{}' is not a type number", trim_blanks(*text)));
  }
  return static_cast<std::uint32_t>(*type);
}

Result<std::optional<CpuList>> read_cpumask(const std::string& folder, const std::string& name) {
  const auto text = read_pseudo_file(folder + "/cpumask");
  if (!text) {
    if (text.error() == std::errc::no_such_file_or_directory) {
      return std::nullopt;
    }
    return rejection(name, "cpumask", text.error().message());
  }
  auto cpus = read_number_set(folder + "/cpumask");
  if (!cpus) {
    return rejection(name, "cpumask",
                     fmt::format("'{}' is not a list of CPUs", trim_blanks(*text)));
  }
  if (cpus->empty()) {
    return rejection(name, "cpumask", "it is empty, so there is no CPU to count on");
  }
  return cpus;
}

Result<EventFormats> read_formats(const std::string& folder, const std::string& name) {
  EventFormats formats;
  for (const std::string& field : entries(folder + "/format")) {
    const std::string file = "format/" + field;
    const auto text = read_pseudo_file(fmt::format("{}/{}", folder, file));
    if (!text) {
      return rejection(name, file, text.error().message());
    }
    const auto format = parse_event_format(*text);
    if (!format) {
      return rejection(name, file, format.error().message);
    }
    formats.emplace(field, *format);
  }
  return formats;
}

std::optional<double> bytes_of_unit(std::string_view unit) {
  constexpr std::array kUnits = std::to_array<std::pair<std::string_view, double>>({
      {"B", 1.0},
      {"Bytes", 1.0},
      {"bytes", 1.0},
      {"KiB", static_cast<double>(kKiB)},
      {"MiB", static_cast<double>(kMiB)},
      {"GiB", static_cast<double>(kGiB)},
      {"KB", 1e3},
      {"MB", 1e6},
      {"GB", 1e9},
  });
  for (const auto& [name, bytes] : kUnits) {
    if (name == unit) {
      return bytes;
    }
  }
  return std::nullopt;
}

// The number of a .scale file: finite and above 0.
std::optional<double> parse_scale(const std::string& text) {
  double scale = 0.0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, scale);
  if (error != std::errc{} || stop != end || !std::isfinite(scale) || scale <= 0.0) {
    return std::nullopt;
  }
  return scale;
}

// A scale without a unit, or the other way round, gives no volume.
Result<std::optional<double>> volume_of_a_count(const Pmu& pmu, const std::string& alias) {
  const auto scale_text = pmu.events.find(alias + ".scale");
  const auto unit = pmu.events.find(alias + ".unit");
  std::optional<double> scale;
  if (scale_text != pmu.events.end()) {
    scale = parse_scale(scale_text->second);
    if (!scale) {
      return rejection(pmu.name, "events/" + scale_text->first,
                       fmt::format("'{}' is not a scale: it must be a finite number above 0",
                                   scale_text->second));
    }
  }
  if (!scale || unit == pmu.events.end()) {
    return std::nullopt;
  }
  const auto bytes = bytes_of_unit(unit->second);
  if (!bytes) {
    return rejection(pmu.name, "events/" + unit->first,
                     fmt::format("'{}' is not a unit of volume", unit->second));
  }
  const double volume = *scale * *bytes;
  if (!std::isfinite(volume)) {
    return rejection(
        pmu.name, "events/" + scale_text->first,
        fmt::format("'{}' {} is not a finite volume", scale_text->second, unit->second));
  }
  return volume;
}

}  // namespace

std::vector<std::string> pmu_names(const FileRoots& roots) { return entries(devices(roots)); }

Result<Pmu> read_pmu(const FileRoots& roots, const std::string& name) {
  const std::string folder = devices(roots) + "/" + name;
  STREAMGAGE_TRY(const auto type, read_type(folder, name));
  STREAMGAGE_TRY(auto cpumask, read_cpumask(folder, name));
  STREAMGAGE_TRY(auto formats, read_formats(folder, name));
  Pmu pmu{name, type, std::move(cpumask), std::move(formats), {}};
  for (const std::string& event : entries(folder + "/events")) {
    if (const auto text = read_pseudo_file(fmt::format("{}/events/{}", folder, event))) {
      pmu.events.emplace(event, trim_blanks(*text));
    }
  }
  return pmu;
}

Result<EventCode> event_by_alias(const Pmu& pmu, const std::string& alias) {
  const auto terms = pmu.events.find(alias);
  if (terms == pmu.events.end()) {
    return rejection(pmu.name, "events/" + alias, "there is no such event");
  }
  const auto words = encode_event(pmu.formats, terms->second);
  if (!words) {
    return rejection(pmu.name, "events/" + alias, words.error().message);
  }
  STREAMGAGE_TRY(const auto volume, volume_of_a_count(pmu, alias));
  return EventCode{terms->second, *words, volume};
}

Result<EventCode> event_by_terms(const Pmu& pmu, const std::string& terms) {
  const auto words = encode_event(pmu.formats, terms);
  if (!words) {
    return rejection(pmu.name, fmt::format("the event '{}'", terms), words.error().message);
  }
  return EventCode{terms, *words, std::nullopt};
}

}  // namespace streamgage
