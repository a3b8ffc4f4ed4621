#include "measure/thread_series.hpp"
#include "kernels/choose_variants.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage::engine {
namespace {

std::vector<Variant> variants_of(std::vector<std::string> kernels) {
  Plan plan;
  plan.kernels = std::move(kernels);
  return choose_variants(plan)->variants;
}

Workload workload_of(int threads) {
  ArraySize size;
  size.bytes = 1U << 20U;
  size.elements = 1 << 17;
  return *Workload::reserve(size, ElementType::kDouble, 3, threads, {PageSize::kSmall});
}

std::vector<int> threads_of(const ThreadSeries& series) {
  std::vector<int> threads;
  for (const Variant& variant : series.variants) {
    threads.push_back(*variant.threads);
  }
  return threads;
}

TEST(ThreadSeries, HasOneThreadHalfOfThemAndAll) {
  const auto variants = variants_of({"sum", "triad"});
  EXPECT_THAT(threads_of(thread_series(variants, workload_of(7), 7, 1)),
              testing::ElementsAre(1, 4, 7, 1, 4, 7));
  EXPECT_THAT(threads_of(thread_series(variants, workload_of(2), 2, 1)),
              testing::ElementsAre(1, 2, 1, 2));
  EXPECT_THAT(threads_of(thread_series(variants, workload_of(1), 1, 1)), testing::IsEmpty());
}

TEST(ThreadSeries, TakesOrdinaryStoresAndNumbersThatAreFree) {
  const auto variants = variants_of({"copy", "triad"});
  int id = static_cast<int>(variants.size()) + 3;
  const ThreadSeries series = thread_series(variants, workload_of(2), 2, id);
  ASSERT_EQ(series.variants.size(), 2U);
  for (const Variant& variant : series.variants) {
    EXPECT_EQ(variant.kernel->name, "triad");
    EXPECT_EQ(variant.store, StoreMode::kRegular);
    EXPECT_EQ(variant.purpose, Purpose::kSeries);
    EXPECT_EQ(variant.id, id++);
  }
}

TEST(ThreadSeries, CoversAsManyElementsAsItsThreadsHaveInAWindow) {
  const Workload workload = workload_of(4);
  const ThreadSeries series = thread_series(variants_of({"sum"}), workload, 4, 1);
  ASSERT_EQ(series.variants.size(), 3U);
  const std::int64_t one = *series.variants[0].elements;
  EXPECT_EQ(one, workload.window_elements(series.windows, 1));
  EXPECT_EQ(*series.variants[1].elements, 2 * one);
  EXPECT_EQ(*series.variants[2].elements, 4 * one);
}

}  // namespace
}  // namespace streamgage::engine
