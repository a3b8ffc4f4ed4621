// Whatever a recording holds, it is refused by a line of it or played back to its end; see
// scripts/fuzz.
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "streamgage/counters/source/replay_opener.hpp"

namespace streamgage {
namespace {

void require(bool fact) {
  if (!fact) {
    std::abort();
  }
}

void play_back(std::string_view text) {
  const auto opener = ReplayOpener::from_text(text);
  if (!opener) {
    require(opener.error().message.starts_with("line "));
    return;
  }
  const auto counter = (*opener)->open({"imc", "reads", "event=1", 14, {}, 0});
  if (!counter) {
    return;
  }
  Tally last;
  for (std::size_t i = 0; i < (*opener)->readings(); ++i) {
    const auto tally = (*counter)->read();
    if (!tally) {
      continue;
    }
    require(tally->enabled >= last.enabled && tally->running >= last.running);
    require(tally->running <= tally->enabled);
    last = *tally;
  }
  require((*counter)->read().error().value() == ENODATA);
}

}  // namespace
}  // namespace streamgage

// The name and the types are libFuzzer's.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  streamgage::play_back({reinterpret_cast<const char*>(data), size});
  return 0;
}
