// What the processor is called.
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

// From /proc/cpuinfo. Where that describes another architecture than this program was built for,
// the program is emulated, and the name says so; without `built_for` the file is another machine's.
std::optional<std::string> find_processor_name(const FileRoots& roots,
                                               std::optional<Architecture> built_for = kBuiltFor);

// What this x86 system's CPUs say of themselves; nothing elsewhere, and where this is emulated.
std::optional<ProcessorId> find_processor_id(const FileRoots& roots,
                                             Architecture built_for = kBuiltFor);

// The same in the text of /proc/cpuinfo, of its first CPU.
std::optional<ProcessorId> processor_id_in(std::string_view cpuinfo);

// The designs of the CPUs that the text of an Arm system's /proc/cpuinfo names, by OS number.
std::map<int, std::string> core_designs_in(std::string_view cpuinfo);

// The design that an Arm core's main identification register names.
std::string core_design_of(std::uint64_t midr);

// The name in the text of /proc/cpuinfo, in the words of each architecture.
std::optional<std::string> processor_name_in(std::string_view cpuinfo);

}  // namespace streamgage
