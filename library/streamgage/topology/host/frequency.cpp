#include "streamgage/topology/host/frequency.hpp"

#include <array>
#include <cstddef>
#include <filesystem>
#include <system_error>
#include <utility>

#include "streamgage/topology/host/kernel_files.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

constexpr std::uint64_t kKilohertz = 1000;

// Intel's driver says that boost is off, others that it is on.
std::optional<bool> find_boost(const FileRoots& roots) {
  const std::string cpus = roots.sys + "/devices/system/cpu";
  if (const auto off = pseudo_file_number(cpus + "/intel_pstate/no_turbo")) {
    return *off == 0;
  }
  if (const auto on = pseudo_file_number(cpus + "/cpufreq/boost")) {
    return *on != 0;
  }
  return std::nullopt;
}

// A policy is the kernel's word for CPUs that share a clock.
Fact<Frequency> of_policy(const FileRoots& roots, const std::string& folder) {
  const std::string governor_file = folder + "/scaling_governor";
  const auto governor = read_pseudo_file(governor_file);
  if (!governor) {
    return unknown(why_unreadable(roots, governor_file, governor.error()));
  }
  std::array<std::uint64_t, 2> hertz{};
  for (std::size_t i = 0; i < hertz.size(); ++i) {
    const std::string file = folder + (i == 0 ? "/scaling_max_freq" : "/cpuinfo_max_freq");
    const auto text = read_pseudo_file(file);
    if (!text) {
      return unknown(why_unreadable(roots, file, text.error()));
    }
    const auto kilohertz = parse_unsigned(*text);
    if (!kilohertz || *kilohertz == 0) {
      return unknown(why_unclear(file, *text));
    }
    hertz[i] = *kilohertz * kKilohertz;
  }
  return Frequency{std::string(trim_blanks(*governor)), hertz[0], hertz[1], std::nullopt};
}

double share_left(const Frequency& frequency) {
  return static_cast<double>(frequency.limit_hertz) / static_cast<double>(frequency.hardware_hertz);
}

}  // namespace

Fact<std::optional<Frequency>> find_frequency(const FileRoots& roots) {
  const std::string cpus = roots.sys + "/devices/system/cpu";
  std::error_code error;
  std::filesystem::directory_iterator folders(cpus + "/cpufreq", error);
  if (error) {
    if (error == std::errc::no_such_file_or_directory && is_folder(cpus)) {
      return std::nullopt;  // the kernel governs none
    }
    return unknown(why_unreadable(roots, cpus + "/cpufreq", error));
  }
  std::optional<Frequency> least;
  std::optional<std::string> unclear;
  for (; !error && folders != std::filesystem::directory_iterator(); folders.increment(error)) {
    const std::string folder = folders->path().string();
    if (!folders->path().filename().string().starts_with("policy")) {
      continue;
    }
    const auto policy = of_policy(roots, folder);
    if (!policy) {
      unclear = policy.error().reason;
    } else if (!least || share_left(*policy) < share_left(*least)) {
      least = *policy;
    }
  }
  if (least) {
    least->boost = find_boost(roots);
    return least;
  }
  if (unclear) {
    return unknown(std::move(*unclear));
  }
  return std::nullopt;
}

}  // namespace streamgage
