#include "streamgage/topology/host/frequency.hpp"

#include <filesystem>
#include <system_error>

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
std::optional<Frequency> of_policy(const std::string& folder) {
  const auto governor = pseudo_file_text(folder + "/scaling_governor");
  const auto limit = pseudo_file_number(folder + "/scaling_max_freq");
  const auto hardware = pseudo_file_number(folder + "/cpuinfo_max_freq");
  if (!governor || !limit || !hardware || *hardware == 0) {
    return std::nullopt;
  }
  return Frequency{*governor, *limit * kKilohertz, *hardware * kKilohertz, std::nullopt};
}

double share_left(const Frequency& frequency) {
  return static_cast<double>(frequency.limit_hertz) / static_cast<double>(frequency.hardware_hertz);
}

}  // namespace

std::optional<Frequency> find_frequency(const FileRoots& roots) {
  std::optional<Frequency> least;
  std::error_code error;
  std::filesystem::directory_iterator folders(roots.sys + "/devices/system/cpu/cpufreq", error);
  for (; !error && folders != std::filesystem::directory_iterator(); folders.increment(error)) {
    const auto policy = of_policy(folders->path().string());
    if (policy && (!least || share_left(*policy) < share_left(*least))) {
      least = policy;
    }
  }
  if (least) {
    least->boost = find_boost(roots);
  }
  return least;
}

}  // namespace streamgage
