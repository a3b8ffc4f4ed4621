#include "kernels/plain/plain_kernels.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kernels/choose_variants.hpp"
#include "kernels/variant.hpp"

namespace streamgage::engine {
namespace {

using testing::AnyOf;
using testing::Each;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

class PlainCalls : public testing::TestWithParam<ElementType> {
 protected:
  void SetUp() override {
    if (!plain_kernel(KernelId::kTriad, GetParam()).calls) {
      GTEST_SKIP()
          << "NOT TESTED: no objdump was found that reads the objects of the plain kernels";
    }
  }
  static std::vector<PlainKernel> at_every_level(KernelId kernel) {
    std::vector<PlainKernel> found;
    for (std::size_t level = 0; level < plain_levels().size(); ++level) {
      found.push_back(plain_kernel(kernel, GetParam(), level));
    }
    return found;
  }
};

TEST_P(PlainCalls, OnlyInitAndCopyCanBecomeCallsOfTheLibrary) {
  for (const Kernel& kernel : kCatalogue) {
    for (const PlainKernel& plain : at_every_level(kernel.id)) {
      ASSERT_TRUE(plain.calls) << kernel.name;
      if (kernel.id == KernelId::kInit) {
        EXPECT_THAT(*plain.calls, Each(StartsWith("memset"))) << plain.isa;
      } else if (kernel.id == KernelId::kCopy) {
        EXPECT_THAT(*plain.calls, Each(AnyOf("memcpy", "memmove"))) << plain.isa;
#if defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
        EXPECT_THAT(*plain.calls, SizeIs(1)) << plain.isa;  // gcc and clang at -O3
#endif
      } else {
        EXPECT_THAT(*plain.calls, IsEmpty()) << kernel.name << " " << plain.isa;
      }
    }
  }
}

TEST_P(PlainCalls, AreInTheRecordsOfPlainVariantsAlone) {
  Plan plan;
  plan.kernels = {"copy", "triad"};
  plan.type = GetParam();
  const auto choice = choose_variants(plan);
  ASSERT_TRUE(choice);
  for (const Variant& variant : choice->variants) {
    const auto calls = to_record(variant)["calls"];
    if (variant.store == StoreMode::kPlain) {
      EXPECT_EQ(calls, *plain_kernel(variant.kernel->id, GetParam()).calls);
    } else {
      EXPECT_TRUE(calls.is_null());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, PlainCalls,
                         testing::Values(ElementType::kDouble, ElementType::kFloat),
                         [](const auto& type) { return std::string(name_of(type.param)); });

}  // namespace
}  // namespace streamgage::engine
