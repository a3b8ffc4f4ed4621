#include "streamgage/topology/nodes/memory_kinds.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <system_error>

#include "streamgage/topology/cores/processor.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

namespace streamgage {
namespace {

// Linux, arch/x86/include/asm/intel-family.h: Knights Landing and Knights Mill.
bool is_xeon_phi(const FileRoots& roots) {
  const auto cpuinfo = read_pseudo_file(roots.proc + "/cpuinfo");
  const auto id = cpuinfo ? processor_id_in(*cpuinfo) : std::nullopt;
  constexpr int kFamily = 6;
  constexpr int kKnightsLanding = 0x57;
  constexpr int kKnightsMill = 0x85;
  return id && id->vendor == "GenuineIntel" && id->family == kFamily &&
         (id->model == kKnightsLanding || id->model == kKnightsMill);
}

// The nodes of GPUs' memory. hwloc reads the same files of NVIDIA's driver.
std::set<int> nodes_of_gpus(const FileRoots& roots) {
  std::set<int> nodes;
  std::error_code error;
  const std::filesystem::directory_iterator gpus(roots.proc + "/driver/nvidia/gpus", error);
  if (error) {
    return nodes;
  }
  for (const auto& gpu : gpus) {
    const auto status = read_pseudo_file(gpu.path().string() + "/numa_status");
    const auto node = status ? keyed_number(*status, "Node:") : std::nullopt;
    constexpr std::uint64_t kMostNodes = 1U << 16U;
    if (node && *node < kMostNodes) {
      nodes.insert(static_cast<int>(*node));
    }
  }
  return nodes;
}

}  // namespace

void name_memory_kinds(std::vector<NumaNode>& nodes, const FileRoots& roots) {
  const std::set<int> of_gpus = nodes_of_gpus(roots);
  const bool has_mcdram = is_xeon_phi(roots);
  for (NumaNode& node : nodes) {
    if (node.cpus.empty() && of_gpus.contains(node.os_index)) {
      node.kind = kGpuMemory;
    } else if (node.cpus.empty() && has_mcdram) {
      node.kind = kMcdram;
    }
  }
}

}  // namespace streamgage
