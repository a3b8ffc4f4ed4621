// Why the kernel's files do not report something: absent because the kernel has no such thing, or
// because it cannot be seen from here.
#pragma once

#include <string>
#include <system_error>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Why one cannot look into that folder; no error where one can.
std::error_code folder_error(const std::string& path);

inline bool is_folder(const std::string& path) { return !folder_error(path); }

// Why a file could not be read. Names the file system where all of it is missing: "/sys is not
// mounted here".
std::string why_unreadable(const FileRoots& roots, const std::string& path,
                           const std::error_code& error);

// For a file that could be read and whose text is of another form than the kernel's.
std::string why_unclear(const std::string& path, const std::string& text);

}  // namespace streamgage
