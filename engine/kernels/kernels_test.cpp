// Every kernel x store mode x instruction set x element type, on ranges of every alignment and
// length, against the reference element by element: nothing twice, nothing left out, nothing
// outside touched.
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/libc_kernels.hpp"
#include "kernels/plain_kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/variant.hpp"
#include "kernels/vector_kernels.hpp"

namespace streamgage {
namespace {

constexpr std::int64_t kRoom = 700;

template <class T>
ElementType type_of() {
  return std::is_same_v<T, double> ? ElementType::kDouble : ElementType::kFloat;
}

// Multiples of 1/8 in [-1, 1]: their products and sums are exact, so that results are compared
// bit by bit whatever the order of operations.
template <class T>
std::vector<T> random_eighths(std::mt19937& random) {
  std::uniform_int_distribution<int> eighths(-8, 8);
  std::vector<T> values(kRoom);
  for (T& value : values) {
    value = static_cast<T>(eighths(random)) / 8;
  }
  return values;
}

template <class T>
void expect_right(streamgage_range_kernel run, const Kernel& kernel, double s, std::int64_t begin,
                  std::int64_t end, std::mt19937& random, const std::string& what) {
  std::vector<T> a = random_eighths<T>(random);
  const auto b = random_eighths<T>(random);
  const auto c = random_eighths<T>(random);
  const auto d = random_eighths<T>(random);
  std::vector<T> expected = a;
  double expected_sum = 0.0;
  for (std::int64_t i = begin; i < end; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const T value = reference<T>(kernel.id, {a[at], b[at], c[at], d[at]}, static_cast<T>(s));
    if (kernel.reduces()) {
      expected_sum += static_cast<double>(value);
    } else {
      expected[at] = value;
    }
  }
  const double sum = run(a.data(), b.data(), c.data(), d.data(), s, begin, end);
  EXPECT_EQ(sum, expected_sum) << what << " [" << begin << ", " << end << ")";
  EXPECT_EQ(a, expected) << what << " [" << begin << ", " << end << ")";
}

template <class T>
void expect_right_on_all_ranges(streamgage_range_kernel run, const Kernel& kernel, double s,
                                const std::string& what) {
  std::mt19937 random(1);
  for (std::int64_t begin = 0; begin < 20; ++begin) {
    for (const std::int64_t length : {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100, 128}) {
      expect_right<T>(run, kernel, s, begin, begin + length, random, what);
    }
  }
  std::uniform_int_distribution<std::int64_t> at(0, kRoom);
  for (int trial = 0; trial < 200; ++trial) {
    const std::int64_t one = at(random);
    const std::int64_t other = at(random);
    expect_right<T>(run, kernel, s, std::min(one, other), std::max(one, other), random, what);
  }
}

template <class T>
class Kernels : public testing::Test {};

struct TypeNames {
  template <class T>
  static std::string GetName(int /*index*/) {  // NOLINT(readability-identifier-naming)
    return std::is_same_v<T, double> ? "double" : "float";
  }
};

using ElementTypes = testing::Types<double, float>;
TYPED_TEST_SUITE(Kernels, ElementTypes, TypeNames);

TYPED_TEST(Kernels, PlainOnesAreRightOnEveryRangeAtEveryLevel) {
  for (std::size_t level = 0; level < plain_levels().size(); ++level) {
    for (const Kernel& kernel : kCatalogue) {
      const PlainKernel plain = plain_kernel(kernel.id, type_of<TypeParam>(), level);
      EXPECT_EQ(plain.isa, plain_levels()[level]);
      expect_right_on_all_ranges<TypeParam>(plain.run, kernel, -0.5,
                                            std::string(kernel.name) + " " + plain.isa);
    }
  }
}

TYPED_TEST(Kernels, VectorOnesAreRightOnEveryRangeForEveryInstructionSet) {
  for (const VectorTarget& target : vector_targets()) {
    for (const Kernel& kernel : kCatalogue) {
      for (const VectorStore store : {VectorStore::kRegular, VectorStore::kStreaming}) {
        const auto run = vector_kernel(target, kernel.id, store, type_of<TypeParam>());
        if (run == nullptr) {
          EXPECT_EQ(store, VectorStore::kStreaming);
          continue;
        }
        expect_right_on_all_ranges<TypeParam>(
            run, kernel, -0.5,
            std::string(kernel.name) + " " + target.isa + " " +
                (store == VectorStore::kRegular ? "regular" : "streaming"));
      }
    }
  }
}

TYPED_TEST(Kernels, LibcOnesAreRightOnEveryRange) {
  const ElementType type = type_of<TypeParam>();
  const Kernel& init = **find_kernel("init");
  expect_right_on_all_ranges<TypeParam>(libc_kernel(init.id, type).run, init,
                                        element_of_byte(0x3f, type), "memset");
  const Kernel& copy = **find_kernel("copy");
  expect_right_on_all_ranges<TypeParam>(libc_kernel(copy.id, type).run, copy, 0.0, "memcpy");
}

#if defined(__x86_64__)
TEST(VectorTargets, SseIsAlwaysAmongThem) {
  std::vector<std::string> names;
  for (const VectorTarget& target : vector_targets()) {
    names.push_back(target.isa);
  }
  EXPECT_THAT(names, testing::Contains("SSE2"));
  EXPECT_EQ(__builtin_cpu_supports("avx2") != 0,
            std::find(names.begin(), names.end(), "AVX2") != names.end());
  EXPECT_EQ(__builtin_cpu_supports("avx512vl") != 0,
            std::find(names.begin(), names.end(), "AVX-512") != names.end());
  EXPECT_EQ(plain_levels().back(), "x86-64");
}
#endif

TEST(Variants, WithoutStoreModesTheCustomaryOnesAreChosen) {
  Plan plan;
  plan.kernels = {"triad", "sum", "init"};
  const auto choice = choose_variants(plan);
  ASSERT_TRUE(choice);
  std::vector<std::string> names;
  for (const Variant& variant : choice->variants) {
    EXPECT_EQ(variant.id, static_cast<int>(names.size()));
    names.push_back(std::string(variant.kernel->name) + "/" + std::string(name_of(variant.store)));
  }
#if defined(__x86_64__)
  EXPECT_THAT(names, testing::ElementsAre("init/plain", "init/regular", "init/streaming",
                                          "init/libc", "sum/plain", "sum/regular", "triad/plain",
                                          "triad/regular", "triad/streaming"));
  EXPECT_TRUE(choice->absent.empty());
#endif
}

TEST(Variants, WhatWasAskedForAndDoesNotExistIsAbsentWithItsReason) {
  Plan plan;
  plan.kernels = {"sum", "triad"};
  plan.stores = {"plain", "libc"};
  const auto choice = choose_variants(plan);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->variants.size(), 2U);
  ASSERT_EQ(choice->absent.size(), 2U);
  EXPECT_THAT(choice->absent[1].reason, testing::HasSubstr("no function that does triad"));
}

TEST(Variants, UnknownNamesAndEmptyChoicesAreRefused) {
  Plan plan;
  plan.kernels = {"copy"};
  plan.stores = {"temporal"};
  auto choice = choose_variants(plan);
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().message, testing::HasSubstr("plain, regular, streaming, libc"));
  plan.kernels = {"triad"};
  plan.stores = {"libc"};
  choice = choose_variants(plan);
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().message, testing::HasSubstr("nothing is left to measure"));
}

}  // namespace
}  // namespace streamgage
