// Finds the name and the model of the processor.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

enum class Architecture { kX86, kArm, kPower, kRiscV, kOther };

#if defined(__x86_64__) || defined(__i386__)
inline constexpr Architecture kBuiltFor = Architecture::kX86;
#elif defined(__aarch64__) || defined(__arm__)
inline constexpr Architecture kBuiltFor = Architecture::kArm;
#elif defined(__powerpc__)
inline constexpr Architecture kBuiltFor = Architecture::kPower;
#elif defined(__riscv)
inline constexpr Architecture kBuiltFor = Architecture::kRiscV;
#else
inline constexpr Architecture kBuiltFor = Architecture::kOther;
#endif

// Returns the name in /proc/cpuinfo. If that describes another architecture than this program was
// built for, the program is emulated, and the name says so. Without `built_for` the file belongs
// to another machine.
std::optional<std::string> find_processor_name(const FileRoots& roots,
                                               std::optional<Architecture> built_for = kBuiltFor);

// Returns what the CPUs of this x86 system report about themselves. Nothing on others, and if they
// are emulated.
std::optional<ProcessorId> find_processor_id(const FileRoots& roots,
                                             Architecture built_for = kBuiltFor);

// Returns the same for the first CPU in the text of /proc/cpuinfo.
std::optional<ProcessorId> processor_id_in(std::string_view cpuinfo);

// Returns the designs of the CPUs in the text of an Arm system's /proc/cpuinfo, by OS number.
std::map<int, std::string> core_designs_in(std::string_view cpuinfo);

// Returns the design that an Arm core's main identification register shows.
std::string core_design_of(std::uint64_t midr);

// Returns the name in the text of /proc/cpuinfo, which each architecture writes in its own way.
std::optional<std::string> processor_name_in(std::string_view cpuinfo);

}  // namespace streamgage
