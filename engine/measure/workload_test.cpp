#include "measure/workload.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "kernels/choose_variants.hpp"
#include "kernels/plain/plain_kernels.hpp"
#include "measure/setup.hpp"

namespace streamgage::engine {
namespace {

constexpr std::int64_t kOddElements = 100'003;

template <int kWrongIndex>
double copy_with_one_wrong(void* a, const void* b, const void* /*c*/, const void* /*d*/,
                           double /*s*/, std::int64_t begin, std::int64_t end) {
  for (std::int64_t i = begin; i < end; ++i) {
    static_cast<double*>(a)[i] = static_cast<const double*>(b)[i];
    if (i == kWrongIndex) {
      static_cast<double*>(a)[i] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return 0.0;
}

double do_nothing(void* /*a*/, const void* /*b*/, const void* /*c*/, const void* /*d*/,
                  double /*s*/, std::int64_t /*begin*/, std::int64_t /*end*/) {
  return 0.0;
}

double sum_without_the_last(void* a, const void* /*b*/, const void* /*c*/, const void* /*d*/,
                            double /*s*/, std::int64_t begin, std::int64_t end) {
  double sum = 0.0;
  for (std::int64_t i = begin; i + 1 < end; ++i) {
    sum += static_cast<const double*>(a)[i];
  }
  return sum;
}

class Workloads : public testing::Test {
 protected:
  Workload make(const std::vector<Variant>& variants, ElementType type,
                const ArraySetup& setup = {}) {
    ArraySize size;
    size.elements = kOddElements;
    size.bytes = static_cast<std::uint64_t>(kOddElements) * size_of(type);
    Workload workload =
        Workload::reserve(size, type, arrays_needed(variants), team_.size(), setup).value();
    workload.touch(team_);
    return workload;
  }

  static Variant variant(std::string_view kernel, streamgage_range_kernel run) {
    Variant variant;
    variant.kernel = find_kernel(kernel).value();
    variant.run = run;
    return variant;
  }

  const Team team_ = Team::assemble({PlacementKind::kNone, 3, {}}).value();
};

TEST_F(Workloads, EveryVariantValidatesInAnyOrderAndAfterAnyNumberOfRuns) {
  for (const ElementType type : {ElementType::kDouble, ElementType::kFloat}) {
    Plan plan;
    plan.type = type;
    for (const Kernel& kernel : kCatalogue) {
      plan.kernels.emplace_back(kernel.name);
    }
    plan.stores = {"plain", "regular", "streaming", "claim", "libc"};
    const auto variants = choose_variants(plan).value().variants;
    Workload workload = make(variants, type);
    EXPECT_EQ(workload.arrays(), 4);
    for (std::size_t i = 0; i < 7 * variants.size(); ++i) {
      const Variant& one = variants[i * 5 % variants.size()];
      const std::int64_t passes = i % 3 == 0 ? 1 : i % 3 == 1 ? 5 : 41;
      EXPECT_TRUE(workload.run(team_, one, passes).spot_check_passed) << one.kernel->name;
    }
    for (const Variant& one : variants) {
      Timing timing;
      const Check check = workload.run_and_check(team_, one, timing);
      EXPECT_EQ(check.wrong, 0) << one.kernel->name << " " << name_of(one.store);
      EXPECT_EQ(check.checked, one.kernel->reduces() ? 1 : kOddElements);
    }
    for (int operand = 1; operand < 4; ++operand) {
      EXPECT_EQ(workload.check_array(team_, operand).wrong, 0);
    }
  }
}

// Every kernel with every kind of store, wherever arrays start and whatever they hold at first.
TEST_F(Workloads, EveryVariantValidatesWithAnyAlignmentAndInitialValues) {
  for (const ElementType type : {ElementType::kDouble, ElementType::kFloat}) {
    Plan plan;
    plan.type = type;
    for (const Kernel& kernel : kCatalogue) {
      plan.kernels.emplace_back(kernel.name);
    }
    plan.stores = {"plain", "regular", "streaming", "claim", "libc"};
    const auto variants = choose_variants(plan).value().variants;
    const std::vector<std::uint64_t> alignments{size_of(type), 64, 4U << 20U};
    for (const Init init : {Init::kPattern, Init::kConstant, Init::kRandom}) {
      for (const std::uint64_t alignment : alignments) {
        Workload workload = make(variants, type, {PageSize::kHuge, {}, alignment, {init, 17}});
        for (std::size_t i = 0; i < variants.size(); ++i) {
          const Variant& one = variants[i];
          EXPECT_TRUE(workload.run(team_, one, i % 2 == 0 ? 1 : 3).spot_check_passed)
              << one.kernel->name << " " << name_of(init) << " " << alignment;
          Timing timing;
          EXPECT_EQ(workload.run_and_check(team_, one, timing).wrong, 0)
              << one.kernel->name << " " << name_of(one.store) << " " << name_of(init) << " "
              << alignment;
        }
        for (int number = 0; number < workload.arrays(); ++number) {
          EXPECT_EQ(alignment_of(workload.array(number).data()), alignment);
          EXPECT_EQ(number == 0 ? 0 : workload.check_array(team_, number).wrong, 0);
        }
        ASSERT_TRUE(workload.renew(workload.arrays()));
        EXPECT_EQ(alignment_of(workload.array(0).data()), alignment);
      }
    }
  }
}

TEST_F(Workloads, SumsOfConstantsThatWouldRoundAreRefused) {
  Plan plan;
  plan.type = ElementType::kFloat;
  plan.init = Init::kConstant;
  plan.kernels = {"sum", "triad"};
  const VariantChoice both = choose_variants(plan).value();
  EXPECT_TRUE(require_exact_sums(plan, both, 1 << 24));
  const auto refused = require_exact_sums(plan, both, (1 << 24) + 1);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, ExitStatus::kUsage);
  plan.init = Init::kRandom;
  EXPECT_TRUE(require_exact_sums(plan, both, std::int64_t{1} << 40U));
  plan.init = Init::kConstant;
  plan.kernels = {"triad"};
  EXPECT_TRUE(require_exact_sums(plan, choose_variants(plan).value(), std::int64_t{1} << 40U));
}

TEST_F(Workloads, OneWrongElementIsFoundAmongConstantAndRandomOnes) {
  for (const Init init : {Init::kConstant, Init::kRandom}) {
    const Variant wrong = variant("copy", &copy_with_one_wrong<77'777>);
    Workload workload =
        make({wrong}, ElementType::kDouble, {PageSize::kHuge, {}, std::nullopt, {init, 3}});
    Timing timing;
    EXPECT_EQ(workload.run_and_check(team_, wrong, timing).first_wrong, 77'777);
    const Variant idle = variant("copy", &do_nothing);
    Workload another =
        make({idle}, ElementType::kDouble, {PageSize::kHuge, {}, std::nullopt, {init, 3}});
    EXPECT_FALSE(another.run(team_, idle, 1).spot_check_passed);
    EXPECT_EQ(another.run_and_check(team_, idle, timing).wrong, kOddElements);
    const Variant sum = variant("sum", &sum_without_the_last);
    Workload reducing =
        make({sum}, ElementType::kDouble, {PageSize::kHuge, {}, std::nullopt, {init, 3}});
    EXPECT_FALSE(reducing.run(team_, sum, 1).spot_check_passed);
  }
}

TEST_F(Workloads, OneWrongElementIsFoundAndSoIsANaN) {
  const Variant wrong = variant("copy", &copy_with_one_wrong<77'777>);
  Workload workload = make({wrong}, ElementType::kDouble);
  Timing timing;
  const Check check = workload.run_and_check(team_, wrong, timing);
  EXPECT_EQ(check.wrong, 1);
  EXPECT_EQ(check.first_wrong, 77'777);
  EXPECT_TRUE(std::isnan(check.found));
}

TEST_F(Workloads, AWrongEdgeOfAPartFailsTheSpotCheckAtOnce) {
  const Variant wrong = variant("copy", &copy_with_one_wrong<kOddElements - 1>);
  Workload workload = make({wrong}, ElementType::kDouble);
  EXPECT_FALSE(workload.run(team_, wrong, 1).spot_check_passed);
}

TEST_F(Workloads, AKernelThatDoesNothingDoesNotPassForOneThatWorked) {
  const Variant right = variant("copy", plain_kernel(KernelId::kCopy, ElementType::kDouble).run);
  Variant wrong = variant("copy", &do_nothing);
  wrong.id = 1;
  Workload workload = make({right, wrong}, ElementType::kDouble);
  EXPECT_TRUE(workload.run(team_, right, 1).spot_check_passed);
  Timing timing;
  // a already holds what a copy leaves there.
  EXPECT_EQ(workload.run_and_check(team_, wrong, timing).wrong, kOddElements);
}

TEST_F(Workloads, AReductionThatMissesAnElementIsFound) {
  const Variant wrong = variant("sum", &sum_without_the_last);
  Workload workload = make({wrong}, ElementType::kDouble);
  EXPECT_EQ(workload.arrays(), 2);
  EXPECT_FALSE(workload.run(team_, wrong, 1).spot_check_passed);
  Timing timing;
  EXPECT_EQ(workload.run_and_check(team_, wrong, timing).wrong, 1);
}

TEST_F(Workloads, AWriteToAnArrayThatNoKernelMayWriteIsFound) {
  const Variant right = variant("copy", plain_kernel(KernelId::kCopy, ElementType::kDouble).run);
  Workload workload = make({right}, ElementType::kDouble);
  EXPECT_EQ(workload.check_array(team_, 1).wrong, 0);
  reinterpret_cast<double*>(workload.array(1).data())[5] += 1.0;
  const Check check = workload.check_array(team_, 1);
  EXPECT_EQ(check.wrong, 1);
  EXPECT_EQ(check.first_wrong, 5);
}

TEST_F(Workloads, EveryPartIsTouchedByTheThreadThatUsesIt) {
  ArraySize size;
  size.elements = 3 * 4096 * 32;
  size.bytes = static_cast<std::uint64_t>(size.elements) * sizeof(double);
  Workload workload =
      Workload::reserve(size, ElementType::kDouble, 2, team_.size(), {PageSize::kSmall}).value();
  const auto threads = static_cast<std::size_t>(team_.size());
  const auto faults = [&] {
    std::vector<std::int64_t> counts(threads);
    team_.each([&](int thread) {
      rusage usage{};
      getrusage(RUSAGE_THREAD, &usage);
      counts[static_cast<std::size_t>(thread)] = usage.ru_minflt;
    });
    return counts;
  };
  const std::int64_t page_bytes = sysconf(_SC_PAGESIZE);
  const auto before = faults();
  const Touch touch = workload.touch(team_);
  const auto after = faults();
  EXPECT_EQ(touch.cpus.size(), threads);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    // A small page is touched by one fault, of the thread whose part it is in.
    const auto pages = 2 * workload.parts()[thread].size() * 8 / page_bytes;
    EXPECT_GE(after[thread] - before[thread], pages / 2) << "thread " << thread;
  }
}

TEST_F(Workloads, OnlyTheArraysThatAreUsedAreMade) {
  const auto arrays = [](std::vector<std::string> kernels) {
    Plan plan;
    plan.kernels = std::move(kernels);
    return arrays_needed(choose_variants(plan).value().variants);
  };
  EXPECT_EQ(arrays({"init"}), 1);
  EXPECT_EQ(arrays({"sum"}), 2);
  EXPECT_EQ(arrays({"copy", "update"}), 2);
  EXPECT_EQ(arrays({"dot"}), 3);
  EXPECT_EQ(arrays({"triad"}), 3);
  EXPECT_EQ(arrays({"striad"}), 4);
}

}  // namespace
}  // namespace streamgage::engine
