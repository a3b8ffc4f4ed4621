#include "streamgage/counters/controllers/processor_model.hpp"

#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {

ProcessorModel processor_model_in(std::string_view cpuinfo) {
  ProcessorModel found;
  while (!cpuinfo.empty()) {
    const std::string_view line = take_line(cpuinfo);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      continue;
    }
    const std::string_view key = trim_blanks(line.substr(0, colon));
    const std::string_view value = trim_blanks(line.substr(colon + 1));
    if (key == "processor" && value != "0") {
      break;  // the next CPU; all are the same in this
    }
    if (key == "vendor_id") {
      found.maker = value == "GenuineIntel"   ? Maker::kIntel
                    : value == "AuthenticAMD" ? Maker::kAmd
                                              : Maker::kOtherX86;
    } else if (key == "cpu family") {
      found.family = static_cast<int>(parse_unsigned(value).value_or(0));
    } else if (key == "model") {
      found.model = static_cast<int>(parse_unsigned(value).value_or(0));
    }
  }
  // Others than x86 may have a vendor, too, but no family.
  return found.maker == Maker::kOther || found.family == 0 ? ProcessorModel{} : found;
}

ProcessorModel find_processor_model(const FileRoots& roots) {
  const auto cpuinfo = read_pseudo_file(roots.proc + "/cpuinfo");
  return cpuinfo ? processor_model_in(*cpuinfo) : ProcessorModel{};
}

}  // namespace streamgage
