// Why a driver may see no device: a file of the kernel's that this user may not open.
#pragma once

#include <initializer_list>
#include <string>

namespace streamgage::engine {

// The end of a sentence, which names the first of these files that is forbidden; empty if none is.
std::string forbidden_file(std::initializer_list<const char*> files);

}  // namespace streamgage::engine
