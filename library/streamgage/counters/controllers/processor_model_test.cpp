#include "streamgage/counters/controllers/processor_model.hpp"

#include <gtest/gtest.h>

#include "streamgage/topology/testing/fake_tree.hpp"

namespace streamgage {
namespace {

TEST(ProcessorModel, IsMakerFamilyAndModelOfTheFirstCpu) {
  const auto found = processor_model_in(
      "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 106\n"
      "model name\t: Intel(R) Xeon(R) Platinum 8380 CPU @ 2.30GHz\n\n"
      "processor\t: 1\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 1\n");
  EXPECT_EQ(found.maker, Maker::kIntel);
  EXPECT_EQ(found.family, 6);
  EXPECT_EQ(found.model, 106);
  EXPECT_EQ(processor_model_in("vendor_id : AuthenticAMD\ncpu family : 25\nmodel : 1\n").maker,
            Maker::kAmd);
}

TEST(ProcessorModel, OfAnotherMakerOfX86IsNoArm) {
  const auto found = processor_model_in("vendor_id : HygonGenuine\ncpu family : 24\nmodel : 1\n");
  EXPECT_EQ(found.maker, Maker::kOtherX86);
  EXPECT_EQ(found.family, 24);
}

TEST(ProcessorModel, IsOtherWhereItIsNoX86) {
  for (const char* text :
       {"", "garbage\n:\n: :", "processor\t: 0\nCPU implementer\t: 0x41\n",
        "processor : 0\ncpu : POWER9\nmodel : 9006\n", "vendor_id : IBM/S390\n"}) {
    const auto found = processor_model_in(text);
    EXPECT_EQ(found.maker, Maker::kOther) << text;
    EXPECT_EQ(found.model, 0) << text;
  }
  const FakeTree empty;
  EXPECT_EQ(find_processor_model(empty.roots()).maker, Maker::kOther);
}

}  // namespace
}  // namespace streamgage
