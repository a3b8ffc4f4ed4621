// The kernel's own perf tool reads the same trees, and must come to the same codes.
#include <array>
#include <cctype>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "streamgage/counters/controllers/controller_plan.hpp"
#include "streamgage/counters/testing/example_controllers.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

// Type, config, config1 and config2 of an event.
using Code = std::array<std::uint64_t, 4>;

std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> buffer{};
  while (pipe &&
         std::fgets(buffer.data(), static_cast<int>(buffer.size()), pipe.get()) != nullptr) {
    text += buffer.data();
  }
  return text;
}

bool has_perf_tool() { return output_of("perf --version 2>/dev/null").starts_with("perf version"); }

// The number of a line "  config    0x304"; newer versions put a name in brackets behind it.
std::optional<std::uint64_t> number_of(std::string_view line, std::string_view field) {
  line = trim_blanks(line);
  if (!line.starts_with(field) || !line.substr(field.size()).starts_with(' ')) {
    return std::nullopt;
  }
  line.remove_prefix(field.size());
  return std::stoull(std::string(take_word(line)), nullptr, 0);
}

// Of every "perf_event_attr:" in the text; a word that is 0 is not printed.
std::vector<Code> codes_in(std::string_view text) {
  // Some versions give the last two in other words.
  constexpr std::array kFields =
      std::to_array<std::pair<std::string_view, std::size_t>>({{"type", 0},
                                                               {"config", 1},
                                                               {"config1", 2},
                                                               {"config2", 3},
                                                               {"{ bp_addr, config1 }", 2},
                                                               {"{ bp_len, config2 }", 3}});
  std::vector<Code> codes;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with("perf_event_attr:")) {
      codes.emplace_back();
    }
    for (const auto& [field, place] : kFields) {
      if (const auto number = number_of(line, field); number && !codes.empty()) {
        codes.back().at(place) = *number;
      }
    }
  }
  return codes;
}

// perf's code of an event, given by its alias or by its terms.
std::vector<Code> perfs_codes(const ControllerTree& tree, const CounterRequest& request) {
  // The event cannot be opened, here; its code is printed all the same.
  return codes_in(output_of(fmt::format("SYSFS_PATH='{}' perf stat -vv -a -e '{}/{}/' true 2>&1",
                                        tree.path("sys"), request.pmu, request.event)));
}

void compare(const ControllerTree& tree, const std::string& machine) {
  std::set<std::tuple<std::string, std::string>> seen;
  const ControllerPlan plan = plan_controllers(tree.roots());
  ASSERT_NE(plan.row, nullptr);
  EXPECT_EQ(plan.row->machine, machine);
  for (const auto& [counter, request] : plan.counters) {
    // One controller stands for those that are like it.
    const std::string kind = request.pmu.substr(0, request.pmu.find_last_not_of("0123456789") + 1);
    if (!seen.emplace(kind, request.event).second) {
      continue;
    }
    const auto codes = perfs_codes(tree, request);
    ASSERT_FALSE(codes.empty()) << counter.name;
    EXPECT_EQ(codes.front(),
              (Code{request.type, request.words[0], request.words[1], request.words[2]}))
        << counter.name;
  }
  EXPECT_FALSE(seen.empty());
}

struct Example {
  const char* name;
  void (*write)(const ControllerTree&);
};

// The name alone: GoogleTest would print the bytes, and they differ from run to run.
void PrintTo(const Example& example, std::ostream* out) { *out << example.name; }

class PerfTool : public testing::TestWithParam<Example> {};

TEST_P(PerfTool, HasTheSameCodes) {
  if (!has_perf_tool()) {
    GTEST_SKIP() << "NOT TESTED: there is no perf; install linux-perf";
  }
  const ControllerTree tree;
  GetParam().write(tree);
  compare(tree, GetParam().name);
}

INSTANTIATE_TEST_SUITE_P(
    Machines, PerfTool,
    testing::Values(
        Example{"Intel server, Sandy Bridge to Cascade Lake",
                [](const ControllerTree& tree) { write_cascade_lake(tree, 1); }},
        Example{"Intel server, Ice Lake", write_ice_lake_with_wrong_masks},
        Example{"Intel server, Sapphire and Emerald Rapids", write_sapphire_rapids_without_events},
        Example{"Intel server, Granite Rapids", write_granite_rapids},
        Example{"Intel client, Sandy Bridge to Rocket Lake", write_skylake_client},
        Example{"Intel client, Tiger Lake and later", write_alder_lake},
        Example{"AMD Zen 4 and later", write_zen_4}, Example{"AMD Zen 1 to 3", write_zen_3},
        Example{"NVIDIA Grace", write_grace}, Example{"HiSilicon Kunpeng", write_kunpeng},
        Example{"Arm DMC-620", write_dmc620}, Example{"IBM POWER9 and POWER10", write_power9}),
    [](const testing::TestParamInfo<Example>& example) {
      std::string name;
      for (const char c : std::string_view(example.param.name)) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
          name += c;
        }
      }
      return name;
    });

}  // namespace
}  // namespace streamgage
