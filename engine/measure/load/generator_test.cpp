#include "measure/load/generator.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

Generator small_generator() {
  auto generator = Generator::reserve(256 * kKiB, PageSize::kSmall);
  generator->touch();
  return std::move(*generator);
}

void run_for(Generator& generator, Mix mix, double effort, std::uint64_t bytes) {
  const Variant variant = variant_of(mix).value();
  LoadSignals signals;
  signals.effort = effort;
  const std::uint64_t before = generator.bytes();
  std::thread watch([&] {
    while (generator.bytes() < before + bytes) {
      std::this_thread::yield();
    }
    signals.stop = true;
  });
  generator.run(variant, 0, signals);
  watch.join();
  EXPECT_EQ(signals.running, 1);
}

// Some processors have no streaming stores.
std::vector<Mix> available_mixes() {
  std::vector<Mix> mixes;
  for (const Mix mix : kEachMix) {
    if (variant_of(mix)) {
      mixes.push_back(mix);
    } else {
      EXPECT_EQ(mix, Mix::kStreaming);
    }
  }
  return mixes;
}

TEST(Generator, MovesWhatItSaysAndComputesItRight) {
  for (const Mix mix : available_mixes()) {
    Generator generator = small_generator();
    run_for(generator, mix, 1.0, 3 * kMiB);
    EXPECT_GE(generator.bytes(), 3 * kMiB);
    EXPECT_EQ(generator.bytes() % Generator::bytes_of_a_piece(variant_of(mix).value()), 0U);
    EXPECT_EQ(generator.check(), 0) << name_of(mix);
  }
}

TEST(Generator, MixesFollowEachOther) {
  Generator generator = small_generator();
  for (int round = 0; round < 2; ++round) {
    for (const Mix mix : available_mixes()) {
      run_for(generator, mix, round == 0 ? 1.0 : 0.5, kMiB);
    }
  }
  EXPECT_EQ(generator.check(), 0);
  EXPECT_EQ(generator.check(), 0);
}

TEST(Generator, CountsEveryLineThatItMoves) {
  EXPECT_EQ(Generator::bytes_of_a_piece(variant_of(Mix::kReads).value()), 4 * kKiB);
  EXPECT_EQ(Generator::bytes_of_a_piece(variant_of(Mix::k1To1).value()), 8 * kKiB);
  EXPECT_EQ(Generator::bytes_of_a_piece(variant_of(Mix::k2To1).value()), 12 * kKiB);
  EXPECT_EQ(Generator::bytes_of_a_piece(variant_of(Mix::k3To1).value()), 16 * kKiB);
  for (const Mix mix : {Mix::k3To1, Mix::k2To1, Mix::k1To1}) {
    EXPECT_FALSE(variant_of(mix)->kernel->write_allocates());
  }
}

TEST(Generator, StreamsOnlyWhereTheEffortReachesItsPlace) {
  Generator generator = small_generator();
  const Variant variant = variant_of(Mix::kReads).value();
  LoadSignals signals;
  signals.effort = 1.0;  // of the thread at place 0
  std::uint64_t while_idle = 1;
  std::thread watch([&] {
    while (signals.running.load() == 0) {
      std::this_thread::yield();
    }
    while_idle = generator.bytes();
    signals.effort = 1.5;
    while (generator.bytes() < kMiB) {
      std::this_thread::yield();
    }
    signals.stop = true;
  });
  generator.run(variant, 1, signals);
  watch.join();
  EXPECT_EQ(while_idle, 0);
  EXPECT_EQ(generator.check(), 0);
}

}  // namespace
}  // namespace streamgage::engine
