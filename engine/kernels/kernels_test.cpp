// Every kernel x store mode x instruction set x element type, on ranges of every alignment and
// length, against the reference element by element: nothing twice, nothing left out, nothing
// outside touched.
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kernels/choose_variants.hpp"
#include "kernels/libc_kernels.hpp"
#include "kernels/plain/plain_kernels.hpp"
#include "kernels/reference.hpp"
#include "kernels/variant.hpp"
#include "kernels/vector/claim.hpp"
#include "kernels/vector/prefetch.hpp"
#include "kernels/vector/shapes.hpp"
#include "kernels/vector/vector_kernels.hpp"

namespace streamgage::engine {
namespace {

template <class T>
ElementType type_of() {
  return std::is_same_v<T, double> ? ElementType::kDouble : ElementType::kFloat;
}

// Multiples of 1/8 in [-1, 1]: their products and sums are exact, so that results are compared
// bit by bit whatever the order of operations. Long arrays repeat themselves after a prime number
// of elements: drawing all of them would take most of the time of these tests.
template <class T>
std::vector<T> random_eighths(std::mt19937& random, std::int64_t room) {
  std::uniform_int_distribution<int> eighths(-8, 8);
  std::vector<T> values(static_cast<std::size_t>(room));
  constexpr std::size_t kPeriod = 4099;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i < kPeriod ? static_cast<T>(eighths(random)) / 8 : values[i - kPeriod];
  }
  return values;
}

// What is tried on ranges of arrays of `room` elements.
struct Trial {
  KernelCode run;
  const Kernel* kernel = nullptr;
  double s = -0.5;
  std::string what;
  std::int64_t room = 700;
  std::int64_t passes = 1;
};

template <class T>
void expect_right(const Trial& trial, std::int64_t begin, std::int64_t end, std::mt19937& random) {
  const Kernel& kernel = *trial.kernel;
  std::vector<T> a = random_eighths<T>(random, trial.room);
  const auto b = random_eighths<T>(random, trial.room);
  const auto c = random_eighths<T>(random, trial.room);
  const auto d = random_eighths<T>(random, trial.room);
  std::vector<T> expected = a;
  double expected_sum = 0.0;
  for (std::int64_t i = begin; i < end; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (kernel.reduces()) {
      expected_sum += static_cast<double>(
          reference<T>(kernel.id, {a[at], b[at], c[at], d[at]}, static_cast<T>(trial.s)));
      continue;
    }
    for (std::int64_t pass = 0; pass < trial.passes; ++pass) {
      expected[at] =
          reference<T>(kernel.id, {expected[at], b[at], c[at], d[at]}, static_cast<T>(trial.s));
    }
  }
  const double sum =
      trial.run.run({a.data(), b.data(), c.data(), d.data()}, trial.s, begin, end, trial.passes);
  EXPECT_EQ(sum, expected_sum) << trial.what << " [" << begin << ", " << end << ")";
  EXPECT_TRUE(a == expected) << trial.what << " [" << begin << ", " << end << ")";
}

template <class T>
void expect_right_on_random_ranges(const Trial& trial, int trials, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::int64_t> at(0, trial.room);
  for (int number = 0; number < trials; ++number) {
    const std::int64_t one = at(random);
    const std::int64_t other = at(random);
    expect_right<T>(trial, std::min(one, other), std::max(one, other), random);
  }
}

template <class T>
void expect_right_on_all_ranges(const Trial& trial) {
  std::mt19937 random(1);
  for (std::int64_t begin = 0; begin < 20; ++begin) {
    for (const std::int64_t length : {0, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 64, 100, 128}) {
      expect_right<T>(trial, begin, begin + length, random);
    }
  }
  expect_right_on_random_ranges<T>(trial, 200, 2);
}

std::string name_of(VectorStore store) {
  return store == VectorStore::kRegular ? "regular"
         : store == VectorStore::kClaim ? "claim"
                                        : "streaming";
}

// Whether the tests are asked to leave it out: scripts/test_cross does, on the second model of an
// architecture, where an instruction set was tested on the first. But the block that a claim zeroes
// is the model's own.
bool was_tested_elsewhere(const VectorTarget& target, VectorStore store) {
  static const char* const only = std::getenv("STREAMGAGE_TEST_ISA");
  return only != nullptr && *only != '\0' && store != VectorStore::kClaim && target.isa != only;
}

// Calls test(code, kernel, store, what) for every vector kernel with every kind of store of every
// instruction set that there is here, in that shape.
template <class Test>
void for_each_vector_kernel(ElementType type, const AccessShape& shape, Test&& test) {
  for (const VectorTarget& target : vector_targets()) {
    for (const Kernel& kernel : kCatalogue) {
      for (const VectorStore store :
           {VectorStore::kRegular, VectorStore::kStreaming, VectorStore::kClaim}) {
        if ((store == VectorStore::kClaim && !claim_instruction()) ||
            was_tested_elsewhere(target, store)) {
          continue;
        }
        const auto run = vector_kernel(target, kernel.id, store, shape.streams, type);
        if (run == nullptr) {
          EXPECT_NE(store, VectorStore::kRegular);
          continue;
        }
        const bool claims = store == VectorStore::kClaim;
        test(KernelCode(run, shape, claims ? claim_instruction()->bytes : 0), kernel,
             fmt::format("{} {} {} {}", kernel.name, target.isa, name_of(store),
                         to_json(shape).dump()));
      }
    }
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
      expect_right_on_all_ranges<TypeParam>(
          {plain.run, &kernel, -0.5, fmt::format("{} {}", kernel.name, plain.isa)});
    }
  }
}

TYPED_TEST(Kernels, VectorOnesAreRightOnEveryRangeForEveryInstructionSet) {
  for_each_vector_kernel(type_of<TypeParam>(), {},
                         [](const KernelCode& run, const Kernel& kernel, const std::string& what) {
                           expect_right_on_all_ranges<TypeParam>({run, &kernel, -0.5, what});
                         });
}

// The property that every shape has to have: no element twice, none left out, none touched that
// lies outside, whatever the range, its alignment and its length.
TYPED_TEST(Kernels, VectorOnesAreRightInEveryShape) {
  unsigned seed = 0;
  for (const int streams : {1, 2, 4, 8}) {
    for (const std::int64_t block : {0, 1024, 4096}) {
      for (const bool prefetches : {false, true}) {
        AccessShape shape{streams, block, {}, {}};
        if (prefetches && kHasPrefetch) {
          shape.read_prefetch_bytes = 1024;
          shape.write_prefetch_bytes = 512;
        }
        for_each_vector_kernel(
            type_of<TypeParam>(), shape,
            [&seed](const KernelCode& run, const Kernel& kernel, const std::string& what) {
              expect_right_on_random_ranges<TypeParam>({run, &kernel, -0.5, what, 4000}, 6, ++seed);
            });
      }
    }
  }
}

TYPED_TEST(Kernels, VectorOnesAreRightInSharesThatAreSkewed) {
  for (const int streams : {2, 8}) {
    for_each_vector_kernel(
        type_of<TypeParam>(), {streams, 0, {}, {}},
        [](const KernelCode& run, const Kernel& kernel, const std::string& what) {
          if (kernel.id == KernelId::kDot || kernel.id == KernelId::kTriad) {
            const std::int64_t room = (12 << 20) / sizeof(TypeParam) + 77;
            std::mt19937 random(3);
            expect_right<TypeParam>({run, &kernel, -0.5, what, room}, 5, room - 3, random);
          }
        });
  }
}

TYPED_TEST(Kernels, SeveralPassesAreWorthSoManyAndAReductionsValueIsThatOfOne) {
  for_each_vector_kernel(
      type_of<TypeParam>(), {},
      [](const KernelCode& run, const Kernel& kernel, const std::string& what) {
        const Trial trial{run, &kernel, kernel.id == KernelId::kUpdate ? -1.0 : -0.5, what, 300, 5};
        expect_right_on_random_ranges<TypeParam>(trial, 20, 5);
      });
  for (const Kernel& kernel : kCatalogue) {
    const PlainKernel plain = plain_kernel(kernel.id, type_of<TypeParam>());
    const double s = kernel.id == KernelId::kUpdate ? -1.0 : -0.5;
    expect_right_on_random_ranges<TypeParam>(
        {plain.run, &kernel, s, std::string(kernel.name), 300, 5}, 20, 6);
  }
}

TYPED_TEST(Kernels, LibcOnesAreRightOnEveryRange) {
  const ElementType type = type_of<TypeParam>();
  const Kernel& init = **find_kernel("init");
  expect_right_on_all_ranges<TypeParam>(
      {libc_kernel(init.id, type).run, &init, element_of_byte(0x3f, type), "memset"});
  const Kernel& copy = **find_kernel("copy");
  expect_right_on_all_ranges<TypeParam>({libc_kernel(copy.id, type).run, &copy, 0.0, "memcpy"});
}

TEST(VectorTargets, HaveTheInstructionSetThatIsTestedHere) {
  const char* const only = std::getenv("STREAMGAGE_TEST_ISA");
  if (only != nullptr && *only != '\0') {
    EXPECT_TRUE(find_vector_target(only)) << only;
  }
}

#if defined(__x86_64__)
TEST(VectorTargets, SseIsAlwaysAmongThem) {
  std::vector<std::string> names;
  for (const VectorTarget& target : vector_targets()) {
    names.push_back(target.isa);
  }
  EXPECT_THAT(names, testing::Contains("SSE2"));
  // A hypervisor may hide any of those that a processor has.
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool has_avx512 = has_avx2 && __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512cd") &&
                          __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  EXPECT_EQ(has_avx2, std::find(names.begin(), names.end(), "AVX2") != names.end());
  EXPECT_EQ(has_avx512, std::find(names.begin(), names.end(), "AVX-512") != names.end());
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

std::vector<std::string> evidence_of(const Plan& plan) {
  std::vector<std::string> names;
  const auto choice = choose_variants(plan);
  for (const Variant& variant : choice.value().variants) {
    if (variant.purpose == Purpose::kEvidence) {
      EXPECT_EQ(variant.store, StoreMode::kRegular);
      EXPECT_EQ(variant.isa, vector_targets().front().isa);
      names.emplace_back(variant.kernel->name);
    }
  }
  return names;
}

TEST(Variants, EvidenceHasRegularStoresUnlessTheKernelHasThemAnyway) {
  Plan plan;
  plan.kernels = {"triad", "update"};
  plan.evidence = {"triad", "sdaxpy", "daxpy", "update", "daxpy"};
  EXPECT_THAT(evidence_of(plan), testing::ElementsAre("daxpy", "sdaxpy"));
  plan.stores = {"plain"};
  EXPECT_THAT(evidence_of(plan), testing::ElementsAre("update", "triad", "daxpy", "sdaxpy"));
}

TEST(Variants, EvidenceHasTheBestInstructionSetThatIsNamed) {
  Plan plan;
  plan.kernels = {"triad"};
  plan.evidence = {"daxpy"};
  plan.isas.emplace();
  for (const VectorTarget& target : vector_targets()) {
    plan.isas->insert(plan.isas->begin(), target.isa);
  }
  EXPECT_THAT(evidence_of(plan), testing::ElementsAre("daxpy"));
}

TEST(Variants, EvidenceIsNothingToMeasureByItself) {
  Plan plan;
  plan.kernels = {"sum"};
  plan.stores = {"streaming"};
  plan.evidence = {"daxpy"};
  const auto nothing = choose_variants(plan);
  ASSERT_FALSE(nothing);
  EXPECT_THAT(nothing.error().message, testing::HasSubstr("nothing is left to measure"));
  plan.stores.reset();
  plan.evidence = {"quad"};
  const auto unknown = choose_variants(plan);
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, testing::HasSubstr("there is no kernel 'quad'"));
}

TEST(Variants, ATierNamesKernelsAndStoresThatExist) {
  Plan plan;
  plan.kernels = {"triad"};
  plan.tiers = {{{"triad", "copy"}, {{"plain", "streaming"}}}, {{"update"}, std::nullopt}};
  EXPECT_TRUE(choose_variants(plan));
  Plan misspelt = plan;
  misspelt.tiers[1].kernels.emplace_back("tirad");
  const auto kernel = choose_variants(misspelt);
  ASSERT_FALSE(kernel);
  EXPECT_THAT(kernel.error().message, testing::HasSubstr("there is no kernel 'tirad'"));
  misspelt = plan;
  misspelt.tiers[0].stores->emplace_back("steaming");
  const auto store = choose_variants(misspelt);
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, testing::HasSubstr("'steaming'"));
}

TEST(Variants, EvidenceCanBeLeftOut) {
  Plan plan;
  plan.kernels = {"copy", "sdaxpy"};
  const auto without = choose_variants(plan);
  plan.evidence = {"update", "daxpy"};
  auto choice = choose_variants(plan);
  ASSERT_TRUE(without && choice);
  EXPECT_EQ(choice->variants.size(), without->variants.size() + 2);
  leave_out_evidence(*choice);
  ASSERT_EQ(choice->variants.size(), without->variants.size());
  for (std::size_t i = 0; i < without->variants.size(); ++i) {
    EXPECT_EQ(to_record(choice->variants[i]), to_record(without->variants[i]));
  }
}

TEST(Variants, AShapeByHandIsMeasuredWithTheDefaultOne) {
  Plan plan;
  plan.kernels = {"sum", "copy"};
  plan.stores = {"plain", "regular", "streaming"};
  plan.shape = AccessShape{4, 4096, std::nullopt, std::nullopt};
  const auto choice = choose_variants(plan);
  ASSERT_TRUE(choice);
  for (const Kernel* kernel : {*find_kernel("sum"), *find_kernel("copy")}) {
    for (const StoreMode store : {StoreMode::kRegular, StoreMode::kStreaming}) {
      std::vector<bool> tuned;
      for (const Variant& variant : choice->variants) {
        if (variant.kernel == kernel && variant.store == store) {
          tuned.push_back(variant.tuned);
          EXPECT_EQ(variant.shape, variant.tuned ? *plan.shape : AccessShape{});
        }
      }
      const bool exists = store == StoreMode::kRegular ||
                          (!kernel->reduces() &&
                           streaming_instruction(vector_targets().front(), plan.type).has_value());
      EXPECT_EQ(tuned, exists ? (std::vector<bool>{false, true}) : std::vector<bool>{});
    }
  }
}

TEST(Variants, AShapeThatChangesNothingIsRefused) {
  for (const auto& [stores, shape] :
       {std::pair{std::vector<std::string>{"plain"}, AccessShape{4, 0, {}, {}}},
        {{"plain", "regular"}, AccessShape{}},
        {{"plain", "regular"}, AccessShape{1, 4096, {}, {}}}}) {
    Plan plan;
    plan.kernels = {"sum"};
    plan.stores = stores;
    plan.shape = shape;
    const auto choice = choose_variants(plan);
    ASSERT_FALSE(choice);
    EXPECT_THAT(choice.error().message, testing::HasSubstr("the shape has no effect"));
  }
}

TEST(Variants, EveryInstructionSetThatIsNamedIsMeasuredOnceWithItsPlainCode) {
  Plan plan;
  plan.kernels = {"triad"};
  plan.stores = {"plain", "regular"};
  plan.isas.emplace();
  for (const VectorTarget& target : vector_targets()) {
    plan.isas->push_back(target.isa);
    plan.isas->push_back(target.isa);
  }
  const auto choice = choose_variants(plan);
  ASSERT_TRUE(choice);
  std::vector<std::string> plain;
  std::vector<std::string> vectors;
  for (const Variant& variant : choice->variants) {
    (variant.store == StoreMode::kPlain ? plain : vectors).push_back(variant.isa);
  }
  EXPECT_EQ(plain, plain_levels());
  EXPECT_EQ(vectors.size(), vector_targets().size());
}

TEST(Variants, InstructionSetsThatAreUnknownOrNotHereAreRefusedWithTheList) {
  Plan plan;
  plan.kernels = {"triad"};
  plan.isas = {"AVX-1024"};
  const auto choice = choose_variants(plan);
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().message, testing::HasSubstr("no instruction set 'AVX-1024'"));
  EXPECT_THAT(choice.error().message, testing::HasSubstr(vector_targets().back().isa));
}

TEST(Variants, ClaimIsThereOrAbsentWithTheReason) {
  Plan plan;
  plan.kernels = {"copy", "update"};
  plan.stores = {"plain", "claim"};
  const auto choice = choose_variants(plan);
  ASSERT_TRUE(choice);
  const auto& absent = choice->absent;
  ASSERT_FALSE(absent.empty());
  EXPECT_THAT(absent.back().reason, testing::HasSubstr("reads the lines that it overwrites"));
  if (claim_instruction()) {
    EXPECT_EQ(choice->variants[1].store, StoreMode::kClaim);
    EXPECT_EQ(choice->variants[1].store_instruction,
              fmt::format("{}, {} bytes", claim_instruction()->name, claim_instruction()->bytes));
  } else {
    EXPECT_EQ(absent.front().reason, claim_instruction().error());
  }
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
  EXPECT_THAT(choice.error().message, testing::HasSubstr("plain, regular, streaming, claim, libc"));
  plan.kernels = {"triad"};
  plan.stores = {"libc"};
  choice = choose_variants(plan);
  ASSERT_FALSE(choice);
  EXPECT_THAT(choice.error().message, testing::HasSubstr("nothing is left to measure"));
}

}  // namespace
}  // namespace streamgage::engine
