// Explains why the kernel's files do not report something: the kernel may lack it, or it may be
// hidden from this process.
#pragma once

#include <string>
#include <system_error>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

// Returns why that folder cannot be listed. No error if it can.
std::error_code folder_error(const std::string& path);

inline bool is_folder(const std::string& path) { return !folder_error(path); }

// Returns why a file could not be read. Names the file system if all of it is missing: "/sys is
// not mounted here".
std::string why_unreadable(const FileRoots& roots, const std::string& path,
                           const std::error_code& error);

// Returns the reason for a file that can be read, but has another form than the kernel's.
std::string why_unclear(const std::string& path, const std::string& text);

}  // namespace streamgage
