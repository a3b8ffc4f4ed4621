// The model of a processor, as far as the events of its memory controllers depend on it.
#pragma once

#include <optional>
#include <string_view>

#include "streamgage/topology/machine.hpp"

namespace streamgage {

// kOtherX86: Hygon and others whose memory controllers are not in the table. kOther: no x86.
enum class Maker { kIntel, kAmd, kOtherX86, kOther };

struct ProcessorModel {
  Maker maker = Maker::kOther;
  int family = 0;  // of x86; 0 elsewhere
  int model = 0;
};

// Returns the processor that the text of /proc/cpuinfo describes. kOther if it is not x86.
ProcessorModel processor_model_in(std::string_view cpuinfo);

ProcessorModel find_processor_model(const FileRoots& roots);

}  // namespace streamgage
