// Whatever an expression says, reading it ends with CPUs that may be used, or with one sentence;
// see scripts/fuzz.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>

#include "streamgage/placement/expression/expand.hpp"
#include "streamgage/placement/expression/wording.hpp"
#include "streamgage/placement/testing/example_machines.hpp"

namespace streamgage {
namespace {

constexpr std::size_t kMostThreadsPlaced = 1 << 16;
constexpr std::size_t kLongestSentence = 600;

void require(bool fact) {
  if (!fact) {
    std::abort();
  }
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos
             ? std::string_view{}
             : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool starts_with_part(std::string_view message, std::string_view part) {
  const std::string said = shown(part);
  return message.starts_with(said + ": ") || message.starts_with(said + " ");
}

// Whether that part alone is wrong, too; some are wrong only with the others.
bool offends(std::string_view part, std::string_view message, const Machine& machine) {
  return message.find("again, after ") != std::string_view::npos ||
         message.find("too many CPUs") != std::string_view::npos ||
         !expand(part, machine, Oversubscribe::kRefused);
}

// The sentence starts with the part that is wrong, or with the whole where that has an empty part
// or, before that part, where there are several.
bool names_what_is_wrong(std::string_view text, std::string_view message, const Machine& machine) {
  text = without_blanks(text);
  if (text.empty()) {
    return message.starts_with("the placement is empty");
  }
  const std::string whole = quoted(text);
  if (message.starts_with(whole + " has an empty part")) {
    return true;
  }
  if (message.starts_with("in " + whole + ": ")) {
    message.remove_prefix(whole.size() + 5);
  }
  while (true) {
    const std::size_t end = text.find('@');
    const std::string_view part = without_blanks(text.substr(0, end));
    if (!part.empty() && starts_with_part(message, part) && offends(part, message, machine)) {
      return true;
    }
    if (end == std::string_view::npos) {
      return false;
    }
    text.remove_prefix(end + 1);
  }
}

void check_sentence(std::string_view text, const Error& error, const Machine& machine) {
  require(names_what_is_wrong(text, error.message, machine));
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
      check_sentence(text, cpus.error(), machine);
      continue;
    }
    require(!cpus->empty() && cpus->size() <= kMostThreadsPlaced);
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
