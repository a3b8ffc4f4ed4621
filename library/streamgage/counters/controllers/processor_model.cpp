#include "streamgage/counters/controllers/processor_model.hpp"

#include "streamgage/topology/cores/processor.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {

ProcessorModel processor_model_in(std::string_view cpuinfo) {
  const auto found = processor_id_in(cpuinfo);
  if (!found || found->family == 0) {
    return {};
  }
  const Maker maker = found->vendor == "GenuineIntel"   ? Maker::kIntel
                      : found->vendor == "AuthenticAMD" ? Maker::kAmd
                                                        : Maker::kOtherX86;
  return {maker, found->family, found->model};
}

ProcessorModel find_processor_model(const FileRoots& roots) {
  const auto cpuinfo = read_pseudo_file(roots.proc + "/cpuinfo");
  return cpuinfo ? processor_model_in(*cpuinfo) : ProcessorModel{};
}

}  // namespace streamgage
