#include "streamgage/topology/caches/reported_caches.hpp"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "streamgage/topology/caches/caches.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

constexpr unsigned long kNotInAuxiliary = 0;
constexpr int kNotInSysconf = -1;

struct Question {
  int level;
  std::string_view kind;
  unsigned long auxiliary_size;  // its successor is the geometry
  int configured_size;
  int configured_line;
};

// Names of GNU's C library; another has none of them.
#ifdef _SC_LEVEL1_DCACHE_SIZE
constexpr int kL1Data = _SC_LEVEL1_DCACHE_SIZE;
constexpr int kL1DataLine = _SC_LEVEL1_DCACHE_LINESIZE;
constexpr int kL1Instruction = _SC_LEVEL1_ICACHE_SIZE;
constexpr int kL1InstructionLine = _SC_LEVEL1_ICACHE_LINESIZE;
constexpr int kL2 = _SC_LEVEL2_CACHE_SIZE;
constexpr int kL2Line = _SC_LEVEL2_CACHE_LINESIZE;
constexpr int kL3 = _SC_LEVEL3_CACHE_SIZE;
constexpr int kL3Line = _SC_LEVEL3_CACHE_LINESIZE;
constexpr int kL4 = _SC_LEVEL4_CACHE_SIZE;
constexpr int kL4Line = _SC_LEVEL4_CACHE_LINESIZE;
#else
constexpr int kL1Data = kNotInSysconf;
constexpr int kL1DataLine = kNotInSysconf;
constexpr int kL1Instruction = kNotInSysconf;
constexpr int kL1InstructionLine = kNotInSysconf;
constexpr int kL2 = kNotInSysconf;
constexpr int kL2Line = kNotInSysconf;
constexpr int kL3 = kNotInSysconf;
constexpr int kL3Line = kNotInSysconf;
constexpr int kL4 = kNotInSysconf;
constexpr int kL4Line = kNotInSysconf;
#endif

// The auxiliary vector's numbers are the kernel's: Linux include/uapi/linux/auxvec.h and the
// architectures' asm/auxvec.h; POWER and RISC-V report them.
constexpr std::array kQuestions = std::to_array<Question>({
    {1, kDataCache, 42, kL1Data, kL1DataLine},
    {1, kInstructionCache, 40, kL1Instruction, kL1InstructionLine},
    {2, kUnifiedCache, 44, kL2, kL2Line},
    {3, kUnifiedCache, 46, kL3, kL3Line},
    {4, kUnifiedCache, kNotInAuxiliary, kL4, kL4Line},
});

struct Answer {
  std::uint64_t bytes = 0;
  int line_bytes = 0;
};

Answer ask_auxiliary(const Question& question, const CacheOracle& oracle) {
  if (question.auxiliary_size == kNotInAuxiliary) {
    return {};
  }
  // Geometry: the line in the lower 16 bits, the associativity above them.
  constexpr unsigned long kLineBits = 0xffff;
  return {oracle.auxiliary(question.auxiliary_size),
          static_cast<int>(oracle.auxiliary(question.auxiliary_size + 1) & kLineBits)};
}

Answer ask_configuration(const Question& question, const CacheOracle& oracle) {
  const auto ask = [&](int name) {
    return name == kNotInSysconf ? 0L : std::max(0L, oracle.configured(name));
  };
  const long line = ask(question.configured_line);
  return {static_cast<std::uint64_t>(ask(question.configured_size)),
          static_cast<int>(std::min<long>(line, std::numeric_limits<int>::max()))};
}

std::vector<CpuList> assumed_sharing(const std::vector<HardwareThread>& threads, int level) {
  std::map<std::optional<int>, CpuList> sharing;
  for (const HardwareThread& thread : threads) {
    sharing[level <= 2 ? std::optional(thread.core) : thread.package].push_back(thread.cpu);
  }
  std::vector<CpuList> instances;
  for (auto& [owner, cpus] : sharing) {
    std::sort(cpus.begin(), cpus.end());
    instances.push_back(std::move(cpus));
  }
  return instances;
}

// The value in a line such as "cache4 : level=3 type=Unified scope=Shared size=65536K
// line_size=256 associativity=16": Linux arch/s390/kernel/cache.c. Empty if there is none.
std::string_view value_of(std::string_view line, std::string_view key) {
  while (!line.empty()) {
    const std::string_view word = take_word(line);
    const std::size_t sign = word.find('=');
    if (sign != std::string_view::npos && word.substr(0, sign) == key) {
      return word.substr(sign + 1);
    }
  }
  return {};
}

std::uint64_t number_or_zero(std::string_view text) { return parse_unsigned(text).value_or(0); }

std::optional<Cache> shared_cache_in(std::string_view line) {
  constexpr std::uint64_t kHighestLevel = 5;
  constexpr std::uint64_t kLongestLine = std::numeric_limits<int>::max();
  constexpr std::uint64_t kMostKibibytes = std::uint64_t{1} << 40U;
  std::string_view size = value_of(line, "size");
  const auto level = number_or_zero(value_of(line, "level"));
  if (!line.starts_with("cache") || value_of(line, "scope") != "Shared" || level < 2 ||
      level > kHighestLevel || value_of(line, "type") != "Unified" || !size.ends_with('K')) {
    return std::nullopt;
  }
  size.remove_suffix(1);
  const auto kibibytes = number_or_zero(size);
  const auto line_bytes = number_or_zero(value_of(line, "line_size"));
  if (kibibytes == 0 || kibibytes > kMostKibibytes) {
    return std::nullopt;
  }
  return Cache{.level = static_cast<int>(level),
               .kind = std::string(kUnifiedCache),
               .bytes = kibibytes << 10U,
               .line_bytes = static_cast<int>(line_bytes <= kLongestLine ? line_bytes : 0),
               .shared_by = {}};
}

}  // namespace

CacheOracle this_systems_oracle() {
  return {[](unsigned long type) { return getauxval(type); },
          [](int name) { return sysconf(name); }};
}

std::vector<Cache> reported_caches(const std::vector<HardwareThread>& threads,
                                   const CacheOracle& oracle) {
  std::vector<Cache> caches;
  for (const Question& question : kQuestions) {
    Answer answer = ask_auxiliary(question, oracle);
    if (answer.bytes == 0) {
      answer = ask_configuration(question, oracle);
    }
    if (answer.bytes > 0) {
      caches.push_back({.level = question.level,
                        .kind = std::string(question.kind),
                        .bytes = answer.bytes,
                        .line_bytes = answer.line_bytes,
                        .shared_by = assumed_sharing(threads, question.level)});
    }
  }
  return caches;
}

void add_shared_caches(std::vector<Cache>& caches, const std::vector<HardwareThread>& threads,
                       const FileRoots& roots) {
  const auto cpuinfo = read_pseudo_file(roots.proc + "/cpuinfo");
  std::string_view rest = cpuinfo ? std::string_view(*cpuinfo) : std::string_view();
  while (!rest.empty()) {
    auto found = shared_cache_in(take_line(rest));
    const auto is_same = [&](const Cache& cache) { return cache.level == found->level; };
    if (found && std::none_of(caches.begin(), caches.end(), is_same)) {
      found->shared_by = assumed_sharing(threads, found->level);
      caches.push_back(std::move(*found));
    }
  }
}

}  // namespace streamgage
