#include "streamgage/topology/cgroup/cgroup_folders.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "streamgage/topology/host/kernel_files.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

struct Mount {
  std::string root;   // the part of the hierarchy that is mounted, "/" for all of it
  std::string point;  // where it is mounted
};

std::string_view take_until(std::string_view& text, char separator) {
  const std::size_t end = text.find(separator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

bool list_contains(std::string_view list, std::string_view item) {
  while (!list.empty()) {
    if (take_until(list, ',') == item) {
      return true;
    }
  }
  return false;
}

bool is_octal(char c) { return c >= '0' && c <= '7'; }

// mountinfo writes blanks and backslashes in paths as \ooo.
std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      plain +=
          static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + text[i + 3] - '0');
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// What is left of `path` below `folder`: "" for the folder itself, else "/...".
std::optional<std::string> below(const std::string& path, const std::string& folder) {
  if (folder == "/") {
    return path == "/" ? "" : path;
  }
  if (!path.starts_with(folder)) {
    return std::nullopt;
  }
  std::string rest = path.substr(folder.size());
  if (!rest.empty() && rest.front() != '/') {
    return std::nullopt;
  }
  return rest;
}

std::string reroot(const FileRoots& roots, const std::string& path) {
  const auto rest = below(path, "/sys");
  return rest ? roots.sys + *rest : path;
}

// One line: id parent device root point options [optional...] - type source super-options
std::optional<Mount> parse_mount(std::string_view line, CgroupVersion version,
                                 std::string_view controller) {
  take_word(line);
  take_word(line);
  take_word(line);
  const std::string_view root = take_word(line);
  const std::string_view point = take_word(line);
  std::string_view word = point;
  while (!word.empty() && word != "-") {
    word = take_word(line);
  }
  const std::string_view type = take_word(line);
  take_word(line);
  const std::string_view options = take_word(line);
  const bool fits = version == CgroupVersion::kTwo
                        ? type == "cgroup2"
                        : type == "cgroup" && list_contains(options, controller);
  if (!fits) {
    return std::nullopt;
  }
  return Mount{unescape(root), unescape(point)};
}

std::vector<Mount> find_mounts(const FileRoots& roots, CgroupVersion version,
                               std::string_view controller) {
  std::vector<Mount> mounts;
  const auto text = read_pseudo_file(roots.proc + "/self/mountinfo");
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    if (auto mount = parse_mount(take_line(rest), version, controller)) {
      mounts.push_back({std::move(mount->root), reroot(roots, mount->point)});
    }
  }
  return mounts;
}

// One line: hierarchy:controllers:path; version 2 is "0::path".
std::optional<std::string> find_own_path(const FileRoots& roots, CgroupVersion version,
                                         std::string_view controller) {
  const auto text = read_pseudo_file(roots.proc + "/self/cgroup");
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    std::string_view line = take_line(rest);
    const std::string_view hierarchy = take_until(line, ':');
    const std::string_view controllers = take_until(line, ':');
    const bool fits = version == CgroupVersion::kTwo ? hierarchy == "0" && controllers.empty()
                                                     : list_contains(controllers, controller);
    if (fits && line.starts_with('/')) {
      return std::string(line);
    }
  }
  return std::nullopt;
}

// Whether every line is of the form of /proc/self/cgroup: "4:memory:/job".
bool is_list_of_groups(std::string_view text) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const bool has_number = parse_unsigned(take_until(line, ':')).has_value();
    take_until(line, ':');
    if (!has_number || !line.starts_with('/')) {
      return false;
    }
  }
  return true;
}

std::vector<std::string> folders_up(const std::string& point, std::string below_point) {
  std::vector<std::string> folders;
  while (!below_point.empty()) {
    folders.push_back(point + below_point);
    below_point.resize(below_point.rfind('/'));
  }
  folders.push_back(point);
  return folders;
}

}  // namespace

std::vector<std::string> cgroup_folders(const FileRoots& roots, CgroupVersion version,
                                        std::string_view controller) {
  const auto own = find_own_path(roots, version, controller);
  auto mounts = find_mounts(roots, version, controller);
  if (!own || mounts.empty()) {
    return {};
  }
  // The mount that shows most of the hierarchy has the shortest root.
  std::stable_sort(mounts.begin(), mounts.end(),
                   [](const Mount& a, const Mount& b) { return a.root.size() < b.root.size(); });
  for (const Mount& mount : mounts) {
    const auto rest = below(*own, mount.root);
    if (rest && rest->find("/..") == std::string::npos) {
      return folders_up(mount.point, *rest);
    }
  }
  // A part is mounted whose name here says nothing about the process's own path: namespaces were
  // made in another order. What a container mounts is, as a rule, the container's own group.
  const auto part = std::find_if(mounts.begin(), mounts.end(),
                                 [](const Mount& mount) { return mount.root != "/"; });
  return part == mounts.end() ? std::vector<std::string>{} : std::vector{part->point};
}

std::optional<std::string> why_no_cgroup(const FileRoots& roots, std::string_view controller) {
  const std::string groups = roots.proc + "/self/cgroup";
  const auto text = read_pseudo_file(groups);
  if (!text) {
    const bool no_such_file = text.error() == std::errc::no_such_file_or_directory;
    if (no_such_file && !folder_error(roots.proc + "/self")) {
      return std::nullopt;  // a kernel without control groups
    }
    return why_unreadable(roots, groups, text.error());
  }
  // A controller that version 1 does not list is in version 2, or in none.
  const auto version = find_own_path(roots, CgroupVersion::kOne, controller) ? CgroupVersion::kOne
                                                                             : CgroupVersion::kTwo;
  const auto own = find_own_path(roots, version, controller);
  if (!own) {
    return is_list_of_groups(*text) ? std::nullopt : std::optional(why_unclear(groups, *text));
  }
  const auto folders = cgroup_folders(roots, version, controller);
  if (folders.empty()) {
    const std::string mounts = roots.proc + "/self/mountinfo";
    if (const auto readable = read_pseudo_file(mounts); !readable) {
      return why_unreadable(roots, mounts, readable.error());
    }
    return fmt::format("the control group {} of this process is not mounted here", *own);
  }
  if (const auto error = folder_error(folders.front())) {
    return why_unreadable(roots, folders.front(), error);
  }
  return std::nullopt;
}

}  // namespace streamgage
