// Whatever an expression says, reading it ends with CPUs that may be used, or with one sentence;
// see scripts/fuzz.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>

#include "placement/expression/example_machines.hpp"
#include "placement/expression/expand.hpp"

namespace streamgage {
namespace {

constexpr std::size_t kMostCpus = 1 << 16;
constexpr std::size_t kLongestSentence = 600;

void require(bool fact) {
  if (!fact) {
    std::abort();
  }
}

void check_sentence(const Error& error) {
  require(error.status == ExitStatus::kUsage);
  require(!error.message.empty() && error.message.size() < kLongestSentence);
  require(std::all_of(error.message.begin(), error.message.end(),
                      [](char letter) { return letter >= ' ' && letter <= '~'; }));
}

void check_on(std::string_view text, const Machine& machine) {
  const std::set<int> allowed(machine.allowed_cpus.begin(), machine.allowed_cpus.end());
  const auto strict = expand(text, machine, Oversubscribe::kRefused);
  const auto wrapping = expand(text, machine, Oversubscribe::kAllowed);
  for (const auto& cpus : {strict, wrapping}) {
    if (!cpus) {
      check_sentence(cpus.error());
      continue;
    }
    require(!cpus->empty() && cpus->size() <= kMostCpus);
    require(
        std::all_of(cpus->begin(), cpus->end(), [&](int cpu) { return allowed.contains(cpu); }));
  }
  if (strict) {
    require(std::set<int>(strict->begin(), strict->end()).size() == strict->size());
    require(wrapping && *wrapping == *strict);
  }
}

void read_everywhere(std::string_view text) {
  check_on(text, topology_a());
  check_on(text, topology_b());
  check_on(text, confined_to(topology_a(), {2, 3, 6, 7, 10, 11}));
  check_on(text, machine_of_cores({{0, 1}, {2, 3}, {4}, {5}, {9}}, 1));
}

}  // namespace
}  // namespace streamgage

// The name and the types are libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  streamgage::read_everywhere({reinterpret_cast<const char*>(data), size});
  return 0;
}
