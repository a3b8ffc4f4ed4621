// Whatever resctrl's files hold, opening them ends with a source or with a reason; see
// scripts/fuzz.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "streamgage/counters/source/resctrl_source.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/testing/fuzzed_tree.hpp"

namespace streamgage {
namespace {

constexpr const char* kBytes = "sys/fs/resctrl/mon_data/mon_L3_00/mbm_total_bytes";

void require(bool fact) {
  if (!fact) {
    std::abort();
  }
}

FuzzedTree& tree() {
  static FuzzedTree made;
  return made;
}

// The source with that text, and what it reads then.
void read_later(TrafficSource& source, std::string_view text) {
  tree().set(kBytes, text);
  const Reading reading = source.read();
  require(reading.size() == 1);
  const auto bytes = parse_unsigned(text);
  require(bytes.has_value() == reading[0].has_value());
  require(bytes ? reading[0]->count == *bytes : reading[0].error().message.starts_with(kBytes));
}

// A line each: the package of the only CPU, level and number of its last cache, and the bytes when
// it is opened; the rest are the bytes when it is read.
void open_and_read(std::string_view input) {
  const std::string cpu = "sys/devices/system/cpu/cpu0/";
  tree().set("sys/devices/system/cpu/online", "0");
  tree().set(cpu + "topology/physical_package_id", take_line(input));
  tree().set(cpu + "topology/core_id", "0");
  tree().set(cpu + "cache/index3/level", take_line(input));
  tree().set(cpu + "cache/index3/id", take_line(input));
  const std::string_view bytes = take_line(input);
  tree().set(kBytes, bytes);
  const auto source = open_resctrl_source(FuzzedTree::roots(), [] {});
  if (!source) {
    require(!source.error().is_absent && source.error().reason.starts_with(kBytes));
    return;
  }
  require(parse_unsigned(bytes).has_value());
  require((*source)->read()[0]->count == parse_unsigned(bytes));
  read_later(**source, input);
}

}  // namespace
}  // namespace streamgage

// The name and the types are libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  streamgage::open_and_read({reinterpret_cast<const char*>(data), size});
  return 0;
}
