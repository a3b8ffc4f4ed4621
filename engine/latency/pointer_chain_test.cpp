#include "latency/pointer_chain.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "latency/chase.hpp"

namespace streamgage::engine {
namespace {

PointerChain make_chain(std::uint64_t bytes, const ChainOrder& order) {
  return {Array::reserve(bytes, PageSize::kHuge).value(), order};
}

// Numbers of the lines in the order of the chain, up to the return to the first.
std::vector<std::uint64_t> lines_in_order(const PointerChain& chain, std::size_t line_bytes) {
  std::vector<std::uint64_t> lines;
  const Link* link = chain.first();
  do {
    const auto offset = reinterpret_cast<const std::byte*>(link) - chain.array().data();
    EXPECT_EQ(static_cast<std::size_t>(offset) % line_bytes, 0U);
    lines.push_back(static_cast<std::uint64_t>(offset) / line_bytes);
    link = link->next;
  } while (link != chain.first() && lines.size() <= chain.lines());
  return lines;
}

TEST(PointerChain, IsOneCycleThroughEveryLine) {
  for (const std::size_t line_bytes : {64, 128, 256}) {
    for (const std::uint64_t lines : {1, 2, 3, 7, 64, 100, 129, 1000, 1021, 4096, 5003}) {
      for (const std::uint64_t window_lines : {1, 2, 3, 64, 1000, 1 << 20}) {
        const auto chain =
            make_chain(lines * line_bytes, {line_bytes, window_lines * line_bytes, lines});
        ASSERT_EQ(chain.lines(), lines);
        const auto seen = lines_in_order(chain, line_bytes);
        ASSERT_EQ(seen.size(), lines) << "windows of " << window_lines << " lines";
        ASSERT_EQ(std::set(seen.begin(), seen.end()).size(), lines);
        ASSERT_LT(*std::max_element(seen.begin(), seen.end()), lines);
      }
    }
  }
}

TEST(PointerChain, PartOfALineAtTheEndIsLeftOut) {
  EXPECT_EQ(make_chain(10 * 64 + 63, {}).lines(), 10U);
}

TEST(PointerChain, GoesThroughOneWindowAfterTheOtherAndTheNeighboursOfItsLinesComeHalfARoundLater) {
  constexpr std::uint64_t kLines = 4096;
  constexpr std::uint64_t kWindow = 512;
  const auto seen = lines_in_order(make_chain(kLines * 64, {64, kWindow * 64, 1}), 64);
  for (std::uint64_t step = 0; step < kLines; ++step) {
    const std::uint64_t half = step / (kLines / 2);
    EXPECT_EQ(seen[step] % 2, half);
    EXPECT_EQ(seen[step] / kWindow, step % (kLines / 2) / (kWindow / 2));
  }
}

TEST(PointerChain, HasNoStrideToLearn) {
  const auto seen = lines_in_order(make_chain(1 << 20, {}), 64);
  std::set<std::int64_t> strides;
  int near = 0;
  for (std::size_t step = 1; step < seen.size(); ++step) {
    const auto stride = static_cast<std::int64_t>(seen[step] - seen[step - 1]);
    strides.insert(stride);
    near += std::abs(stride) < 64 ? 1 : 0;  // within 4 KiB
  }
  EXPECT_GT(strides.size(), seen.size() / 3);
  EXPECT_LT(near, static_cast<int>(seen.size()) / 50);
}

TEST(PointerChain, IsTheSameForTheSameSeedOnly) {
  const auto order = [](std::uint64_t seed) {
    return lines_in_order(make_chain(1 << 16, {64, 1 << 14, seed}), 64);
  };
  EXPECT_EQ(order(7), order(7));
  EXPECT_NE(order(7), order(8));
}

TEST(Chase, EndsWhereItMustAndTakesTime) {
  const auto chain = make_chain(1000 * 64, {});
  const Link* expected = chain.first();
  for (const std::int64_t loads : {0, 1, 2, 3, 15, 16, 17, 999, 1000, 1001, 12'345}) {
    expected = chain.first();
    for (std::int64_t load = 0; load < loads; ++load) {
      expected = expected->next;
    }
    const Walk walk = walk_from(chain.first(), loads);
    EXPECT_EQ(walk.end, expected) << loads << " loads";
    EXPECT_GE(walk.seconds, 0.0);
  }
}

TEST(Chase, ARoundEndsWhereItBegan) {
  const auto chain = make_chain(777 * 64, {});
  EXPECT_EQ(walk_from(chain.first(), 777).end, chain.first());
  EXPECT_EQ(walk_from(chain.first()->next, 2 * 777).end, chain.first()->next);
}

}  // namespace
}  // namespace streamgage::engine
