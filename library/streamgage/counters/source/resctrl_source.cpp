#include "streamgage/counters/source/resctrl_source.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "streamgage/base/try.hpp"
#include "streamgage/counters/controllers/memory_domains.hpp"
#include "streamgage/topology/host/kernel_files.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/sysfs/sysfs_files.hpp"

namespace streamgage {
namespace {

std::string resctrl_folder(const FileRoots& roots) { return roots.sys + "/fs/resctrl"; }

// The default group, and every other control group; each counts its own monitoring groups too.
std::vector<std::string> group_folders(const std::string& top) {
  std::vector<std::string> groups{top};
  std::error_code error;
  for (std::filesystem::directory_iterator entry(top, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_folder(entry->path().string() + "/mon_data")) {
      groups.push_back(entry->path().string());
    }
  }
  std::sort(groups.begin() + 1, groups.end());
  return groups;
}

// For each last-level cache, by the number that resctrl gives it, a CPU next to it.
std::map<int, int> cpus_next_to_caches(const FileRoots& roots) {
  std::map<int, int> cpus;
  for (const int cpu : find_online_cpus(roots)) {
    const std::string folder = cpu_folder(roots, cpu) + "/cache";
    for (const int index : numbered_entries(folder, "index")) {
      const std::string cache = fmt::format("{}/index{}", folder, index);
      const auto id = pseudo_file_number(cache + "/id");
      if (id && pseudo_file_number(cache + "/level") == std::uint64_t{3}) {
        cpus.emplace(static_cast<int>(*id), cpu);
      }
    }
  }
  return cpus;
}

// The bytes, or why there are none: the hardware may say "Unavailable", which is a text.
Result<std::uint64_t> read_bytes(const std::string& file) {
  const auto text = read_pseudo_file(file);
  if (!text) {
    return failure(fmt::format("{}: {}", file, text.error().message()));
  }
  const auto bytes = parse_unsigned(*text);
  if (!bytes) {
    return failure(fmt::format("{}: it says '{}' instead of bytes", file, trim_blanks(*text)));
  }
  return *bytes;
}

// What was just given to a group to monitor says "Unavailable" when it is read for the first time,
// and reports a number afterwards: Linux, Documentation/arch/x86/resctrl.rst.
Result<std::uint64_t> read_bytes_twice(const std::string& file, const Pause& pause) {
  auto bytes = read_bytes(file);
  if (!bytes && read_pseudo_file(file)) {
    pause();
    bytes = read_bytes(file);
  }
  return bytes;
}

class ResctrlSource final : public TrafficSource {
 public:
  explicit ResctrlSource(std::string top) : top_(std::move(top)), groups_(group_folders(top_)) {}

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] std::span<const Counter> counters() const override { return counters_; }
  [[nodiscard]] const std::vector<std::string>& groups() const { return groups_; }

  void add(const std::string& file, const MemoryDomain& domain, Direction direction) {
    counters_.push_back({file, domain, direction, 1.0, 64});
  }

  Reading read() override {
    // A task that changed its group took its traffic with it.
    const bool same_groups = group_folders(top_) == groups_;
    Reading reading;
    for (const Counter& counter : counters_) {
      reading.push_back(same_groups ? read_one(counter) : groups_changed());
    }
    return reading;
  }

 private:
  static Result<Tally> groups_changed() {
    return failure("resctrl: groups were made or removed meanwhile");
  }

  [[nodiscard]] Result<Tally> read_one(const Counter& counter) const {
    return read_bytes(counter.name).map([this](std::uint64_t bytes) {
      const std::uint64_t now = nanoseconds();
      return Tally{bytes, now, now};
    });
  }

  [[nodiscard]] std::uint64_t nanoseconds() const {
    const auto passed = std::chrono::steady_clock::now() - start_;
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
  }

  std::string name_ = "resctrl";
  std::string top_;
  std::vector<std::string> groups_;
  std::vector<Counter> counters_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

Unavailable rejected(std::string reason, std::string remedy = {}) {
  return {false, std::move(reason), std::move(remedy)};
}

Result<MemoryDomain> domain_of_cache(int cache, const std::map<int, int>& cpus,
                                     const MemoryDomains& domains) {
  const auto cpu = cpus.find(cache);
  if (cpu == cpus.end()) {
    return failure(fmt::format("no CPU belongs to last-level cache {}", cache));
  }
  return domains.of_cpu(cpu->second, DomainScope::kPackage);
}

// A counter of the bytes that memory next to a last-level cache gave and took.
struct LocalCounter {
  std::string file;
  MemoryDomain domain;
};

// Adds the counters of one group, of every last-level cache. Those of local bytes go to `local`;
// it becomes empty for good where one is missing, as a part of them would say nothing.
tl::expected<void, Unavailable> add_group(ResctrlSource& source, const std::string& group,
                                          const std::map<int, int>& cpus,
                                          const MemoryDomains& domains, const Pause& pause,
                                          std::optional<std::vector<LocalCounter>>& local) {
  const std::string data = group + "/mon_data";
  for (const int cache : numbered_entries(data, "mon_L3_")) {
    const std::string folder = fmt::format("{}/mon_L3_{:02}", data, cache);
    const std::string file = folder + "/mbm_total_bytes";
    const std::string local_file = folder + "/mbm_local_bytes";
    if (const auto bytes = read_bytes_twice(file, pause); !bytes) {
      return tl::unexpected(rejected(
          bytes.error().message,
          "fewer monitoring groups, or a processor that monitors total bandwidth (mbm_total)"));
    }
    const auto domain = domain_of_cache(cache, cpus, domains);
    if (!domain) {
      return tl::unexpected(rejected(fmt::format("{}: {}", file, domain.error().message)));
    }
    source.add(file, *domain, Direction::kBoth);
    if (!local || !read_bytes_twice(local_file, pause)) {
      local = std::nullopt;
    } else {
      local->push_back({local_file, *domain});
    }
  }
  return {};
}

}  // namespace

void pause_shortly() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

OpenedSource open_resctrl_source(const FileRoots& roots, const Pause& pause) {
  const std::string top = resctrl_folder(roots);
  if (!is_folder(top)) {
    return tl::unexpected(Unavailable{
        true, fmt::format("there is no {}", top),
        "a kernel with CONFIG_X86_CPU_RESCTRL, on a processor that monitors memory bandwidth "
        "(the flag cqm_mbm_total in /proc/cpuinfo)"});
  }
  if (!is_folder(top + "/mon_data")) {
    return tl::unexpected(
        is_folder(top + "/info")
            ? Unavailable{true, fmt::format("{} monitors nothing", top),
                          "a processor that monitors memory bandwidth"}
            : Unavailable{true, fmt::format("{} is not mounted", top),
                          fmt::format("mount it as root: mount -t resctrl resctrl {}", top)});
  }
  auto source = std::make_unique<ResctrlSource>(top);
  const auto cpus = cpus_next_to_caches(roots);
  const MemoryDomains domains(roots);
  std::optional<std::vector<LocalCounter>> local(std::in_place);
  for (const std::string& group : source->groups()) {
    STREAMGAGE_TRY(add_group(*source, group, cpus, domains, pause, local));
  }
  for (const auto& [file, domain] : local.value_or(std::vector<LocalCounter>{})) {
    source->add(file, domain, Direction::kLocal);
  }
  if (source->counters().empty()) {
    return tl::unexpected(rejected(fmt::format("{}/mon_data has no last-level cache", top)));
  }
  return source;
}

}  // namespace streamgage
