#include "streamgage/topology/host/hypervisor.hpp"

#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>

#include "streamgage/topology/cores/processor.hpp"
#include "streamgage/topology/host/kernel_files.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

namespace streamgage {
namespace {

struct KnownHypervisor {
  std::string_view text;
  std::string_view name;
};

constexpr std::array kSignatures = std::to_array<KnownHypervisor>({
    {"KVMKVMKVM", "KVM"},
    {"Linux KVM Hv", "KVM"},
    {"TCGTCGTCGTCG", "TCG"},  // QEMU's emulator
    {"VMwareVMware", "VMware"},
    {"Microsoft Hv", "Hyper-V"},
    {"XenVMMXenVMM", "Xen"},
    {"bhyve bhyve", "bhyve"},
    {"VBoxVBoxVBox", "VirtualBox"},
    {"prl hyperv", "Parallels"},
    {"lrpepyh  vr", "Parallels"},
    {"ACRNACRNACRN", "ACRN"},
    {"QNXQVMBSQG", "QNX"},
    {"OpenBSDVMM58", "OpenBSD vmm"},
    {"HAXMHAXMHAXM", "HAXM"},
});

constexpr std::array kCompatible = std::to_array<KnownHypervisor>({
    {"kvm", "KVM"},
    {"xen", "Xen"},
    {"vmware", "VMware"},
    {"phyp", "PowerVM"},
});

#if defined(__x86_64__) || defined(__i386__)
constexpr std::uint32_t kFirstLeaf = 0x40000000;
constexpr std::uint32_t kSecondLeaf = 0x40000100;

std::string cpuid_signature(std::uint32_t leaf) {
  std::uint32_t eax = 0;
  std::array<std::uint32_t, 3> letters{};
  __cpuid(leaf, eax, letters[0], letters[1], letters[2]);
  std::string text(sizeof letters, '\0');
  std::memcpy(text.data(), letters.data(), sizeof letters);
  return text;
}

std::optional<std::string> hypervisor_by_cpuid() {
  constexpr std::uint32_t kHypervisorBit = 1U << 31U;
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) == 0 || (ecx & kHypervisorBit) == 0) {
    return std::nullopt;
  }
  const std::string name = hypervisor_by_signature(cpuid_signature(kFirstLeaf));
  if (name == "Hyper-V") {
    // KVM and Xen can pose as Hyper-V for Windows guests; they then sign the next block of leaves.
    const std::string second = hypervisor_by_signature(cpuid_signature(kSecondLeaf));
    if (second == "KVM" || second == "Xen") {
      return second;
    }
  }
  return name;
}
#else
std::optional<std::string> hypervisor_by_cpuid() { return std::nullopt; }
#endif

}  // namespace

Fact<std::optional<std::string>> find_hypervisor(const FileRoots& roots) {
  if (auto name = hypervisor_by_cpuid()) {
    return name;
  }
  if (const auto compatible =
          pseudo_file_text(roots.sys + "/firmware/devicetree/base/hypervisor/compatible")) {
    return hypervisor_by_compatible(*compatible);
  }
  const std::string file = roots.sys + "/hypervisor/type";
  if (const auto type = pseudo_file_text(file)) {
    return type == "xen" ? "Xen" : *type;
  }
  if (const auto error = folder_error(roots.sys + "/devices");
      error && kBuiltFor != Architecture::kX86) {
    return unknown(why_unreadable(roots, file, error));
  }
  return std::nullopt;
}

std::string hypervisor_by_signature(std::string_view signature) {
  const std::string_view text = trim_blanks(signature);
  for (const KnownHypervisor& known : kSignatures) {
    if (text == known.text) {
      return std::string(known.name);
    }
  }
  std::string letters;
  for (const char c : text) {
    letters += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  }
  return letters.empty() ? "unknown" : letters;
}

std::optional<std::string> hypervisor_by_compatible(std::string_view compatible) {
  for (const KnownHypervisor& known : kCompatible) {
    if (compatible.find(known.text) != std::string_view::npos) {
      return std::string(known.name);
    }
  }
  const std::string_view first = trim_blanks(compatible.substr(0, compatible.find('\0')));
  return first.empty() ? std::nullopt : std::optional<std::string>(first);
}

}  // namespace streamgage
