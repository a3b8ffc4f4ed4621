#include "streamgage/topology/host/host.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "streamgage/base/cpu_list.hpp"
#include "streamgage/topology/host/kernel_files.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/nodes/allowed_nodes.hpp"

namespace streamgage {
namespace {

std::optional<std::uint64_t> meminfo_bytes(std::string_view meminfo, std::string_view key) {
  const auto kibibytes = keyed_number(meminfo, key);
  return kibibytes ? std::optional(*kibibytes * 1024) : std::nullopt;
}

// The word that the kernel puts in brackets among those possible: "always [madvise] never".
std::string_view bracketed_word(std::string_view text) {
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(open + 1);
  const std::size_t close = text.find(']');
  return close == std::string_view::npos ? std::string_view() : text.substr(0, close);
}

// Firmware text that says something; many boards keep the placeholders of their maker's supplier.
std::optional<std::string> firmware_text(const std::string& path) {
  static constexpr std::array kPlaceholders = std::to_array<std::string_view>(
      {"To be filled by O.E.M.", "To Be Filled By O.E.M.", "System manufacturer",
       "System Product Name", "Default string", "Not Specified", "Not Applicable", "None"});
  auto text = pseudo_file_text(path);
  if (text && std::find(kPlaceholders.begin(), kPlaceholders.end(), *text) != kPlaceholders.end()) {
    return std::nullopt;
  }
  return text;
}

// Memory of one NUMA node that is free or only caches files, in bytes.
std::uint64_t available_on_node(const FileRoots& roots, int node) {
  const auto text =
      pseudo_file_text(fmt::format("{}/devices/system/node/node{}/meminfo", roots.sys, node));
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  std::uint64_t kibibytes = 0;
  while (!rest.empty()) {
    std::string_view line = take_line(rest);  // "Node 0 MemFree:  7897468 kB"
    take_word(line);
    take_word(line);
    const std::string_view key = take_word(line);
    if (key == "MemFree:" || key == "Inactive(file):") {
      kibibytes += parse_unsigned(take_word(line)).value_or(0);
    }
  }
  return kibibytes * 1024;
}

// What is available on the NUMA nodes that this process may use, where those are not all: a cpuset
// (of a batch job or a container) confines memory too, and MemAvailable is the whole machine's.
std::optional<std::uint64_t> available_on_allowed_nodes(const FileRoots& roots) {
  const auto with_memory = pseudo_file_text(roots.sys + "/devices/system/node/has_memory");
  const auto allowed = find_allowed_nodes(roots);
  if (!with_memory || !allowed) {
    return std::nullopt;
  }
  const auto nodes = parse_cpu_list(*with_memory);
  if (!nodes) {
    return std::nullopt;
  }
  std::uint64_t bytes = 0;
  bool confined = false;
  for (const int node : *nodes) {
    if (std::find(allowed->begin(), allowed->end(), node) == allowed->end()) {
      confined = true;
    } else {
      bytes += available_on_node(roots, node);
    }
  }
  return confined ? std::optional(bytes) : std::nullopt;
}

}  // namespace

Result<HostNames> find_host_names() {
  utsname names{};
  if (uname(&names) != 0) {
    return failure("the kernel does not report its name: " +
                   std::generic_category().message(errno));
  }
  return HostNames{names.nodename, names.machine,
                   fmt::format("{} {}", names.sysname, names.release)};
}

Result<HostMemory> find_host_memory(const FileRoots& roots) {
  const std::string path = roots.proc + "/meminfo";
  const auto text = read_pseudo_file(path);
  if (!text) {
    return failure(
        fmt::format("{} cannot be read ({}); mount /proc", path, text.error().message()));
  }
  const auto total = meminfo_bytes(*text, "MemTotal:");
  if (!total || *total == 0) {
    return failure(path + " has no MemTotal; the size of the memory is not known");
  }
  const auto available = meminfo_bytes(*text, "MemAvailable:");
  const std::uint64_t most = std::min(*total, available_on_allowed_nodes(roots).value_or(*total));
  if (available) {
    return HostMemory{*total, std::min(*available, most)};
  }
  // Before Linux 3.14; file cache is given back when memory is asked for.
  const std::uint64_t free = meminfo_bytes(*text, "MemFree:").value_or(0);
  const std::uint64_t cached = meminfo_bytes(*text, "Cached:").value_or(0);
  return HostMemory{*total, std::min(free + cached, most)};
}

Fact<HugePages> find_huge_pages(const FileRoots& roots) {
  const std::string folder = roots.sys + "/kernel/mm/transparent_hugepage";
  const auto text = read_pseudo_file(folder + "/enabled");
  if (!text) {
    const bool no_such_file = text.error() == std::errc::no_such_file_or_directory;
    if (no_such_file && is_folder(roots.sys + "/kernel/mm")) {
      return HugePages{"unavailable", std::nullopt};
    }
    return unknown(why_unreadable(roots, folder + "/enabled", text.error()));
  }
  const std::string_view state = bracketed_word(*text);
  if (state != "always" && state != "madvise" && state != "never") {
    return unknown(why_unclear(folder + "/enabled", *text));
  }
  auto bytes = pseudo_file_number(folder + "/hpage_pmd_size");
  if (!bytes) {  // before Linux 4.10
    const auto meminfo = read_pseudo_file(roots.proc + "/meminfo");
    bytes = meminfo ? meminfo_bytes(*meminfo, "Hugepagesize:") : std::nullopt;
  }
  return HugePages{std::string(state), bytes};
}

Fact<std::optional<bool>> find_numa_balancing(const FileRoots& roots) {
  const std::string path = roots.proc + "/sys/kernel/numa_balancing";
  const auto text = read_pseudo_file(path);
  if (!text) {
    const bool no_such_file = text.error() == std::errc::no_such_file_or_directory;
    if (no_such_file && is_folder(roots.proc + "/sys/kernel")) {
      return std::nullopt;  // a kernel without it
    }
    return unknown(why_unreadable(roots, path, text.error()));
  }
  const auto mode = parse_unsigned(*text);
  if (!mode) {
    return unknown(why_unclear(path, *text));
  }
  return *mode != 0;  // 2: between tiers of memory
}

std::optional<std::string> find_stored_kernel(const FileRoots& roots) {
  const auto text = pseudo_file_text(roots.proc + "/version");
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  const std::string_view name = take_word(rest);  // "Linux version 6.1.0-28-amd64 (...) ..."
  if (take_word(rest) != "version") {
    return std::nullopt;
  }
  return fmt::format("{} {}", name, take_word(rest));
}

std::optional<std::string> find_system(const FileRoots& roots) {
  const auto maker = firmware_text(roots.sys + "/class/dmi/id/sys_vendor");
  const auto model = firmware_text(roots.sys + "/class/dmi/id/product_name");
  if (maker && model) {
    return model->starts_with(*maker) ? *model : fmt::format("{} {}", *maker, *model);
  }
  if (maker || model) {
    return maker ? maker : model;
  }
  return firmware_text(roots.sys + "/firmware/devicetree/base/model");
}

Firmware find_firmware(const FileRoots& roots) {
  return {firmware_text(roots.sys + "/class/dmi/id/bios_version"),
          pseudo_file_text(roots.sys + "/devices/system/cpu/cpu0/microcode/version")};
}

}  // namespace streamgage
