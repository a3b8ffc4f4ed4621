#include "streamgage/topology/host/hypervisor.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/cores/processor.hpp"
#include "streamgage/topology/host/pseudo_file.hpp"
#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

using namespace std::string_view_literals;

TEST(Hypervisor, SignsWithTwelveLetters) {
  EXPECT_EQ(hypervisor_by_signature("KVMKVMKVM\0\0\0"sv), "KVM");
  EXPECT_EQ(hypervisor_by_signature("Microsoft Hv"), "Hyper-V");
  EXPECT_EQ(hypervisor_by_signature("VMwareVMware"), "VMware");
  EXPECT_EQ(hypervisor_by_signature("XenVMMXenVMM"), "Xen");
  EXPECT_EQ(hypervisor_by_signature("bhyve bhyve "), "bhyve");
  EXPECT_EQ(hypervisor_by_signature("TCGTCGTCGTCG"), "TCG");
}

TEST(Hypervisor, ThatIsNotKnownGoesByItsLetters) {
  EXPECT_EQ(hypervisor_by_signature("NewHypervsr\0"sv), "NewHypervsr");
  EXPECT_EQ(hypervisor_by_signature("a\x01\xff"
                                    "b"),
            "a??b");
  EXPECT_EQ(hypervisor_by_signature("\0\0\0\0\0\0\0\0\0\0\0\0"sv), "unknown");
}

TEST(Hypervisor, IsNamedInADeviceTree) {
  EXPECT_EQ(hypervisor_by_compatible("linux,kvm\0"sv), "KVM");
  EXPECT_EQ(hypervisor_by_compatible("xen,xen-4.17\0xen,xen\0"sv), "Xen");
  EXPECT_EQ(hypervisor_by_compatible("acme,visor\0other\0"sv), "acme,visor");
  EXPECT_EQ(hypervisor_by_compatible("\0"sv), std::nullopt);
}

TEST(Hypervisor, ShowsItselfInTheFlagsOfAnX86Processor) {
  const FakeTree tree;
  const auto cpuinfo = pseudo_file_text("/proc/cpuinfo").value_or("");
  if (kBuiltFor != Architecture::kX86 || cpuinfo.find("flags\t") == std::string::npos) {
    GTEST_SKIP() << "NOT TESTED: no x86 processor, or not this program's";
  }
  const bool is_guest = cpuinfo.find(" hypervisor") != std::string::npos;
  EXPECT_EQ(find_hypervisor(tree.roots()).value().has_value(), is_guest);
}

}  // namespace
}  // namespace streamgage
