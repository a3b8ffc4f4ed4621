#include "measure/load/generator.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "streamgage/base/units.hpp"

namespace streamgage::engine {
namespace {

Generator small_generator() {
  auto generator = Generator::reserve(256 * kKiB, false);
  generator->touch();
  return std::move(*generator);
}

void run_for(Generator& generator, Mix mix, double interval, std::uint64_t bytes) {
  const Variant variant = variant_of(mix).value();
  LoadSignals signals;
  const std::uint64_t before = generator.bytes();
  std::thread watch([&] {
    while (generator.bytes() < before + bytes) {
      std::this_thread::yield();
    }
    signals.stop = true;
  });
  generator.run(variant, interval, signals);
  watch.join();
  EXPECT_EQ(signals.running, 1);
}

TEST(Generator, MovesWhatItSaysAndComputesItRight) {
  for (const Mix mix : {Mix::kReads, Mix::kTwoToOne, Mix::kOneToOne}) {
    Generator generator = small_generator();
    run_for(generator, mix, 0.0, 3 * kMiB);
    EXPECT_GE(generator.bytes(), 3 * kMiB);
    EXPECT_EQ(generator.bytes() % Generator::bytes_of_a_piece(variant_of(mix).value()), 0U);
    EXPECT_EQ(generator.check(), 0) << name_of(mix);
  }
}

TEST(Generator, MixesFollowEachOther) {
  Generator generator = small_generator();
  for (const Mix mix : {Mix::kOneToOne, Mix::kTwoToOne, Mix::kReads, Mix::kOneToOne}) {
    run_for(generator, mix, 0.0, kMiB);
  }
  EXPECT_EQ(generator.check(), 0);
  EXPECT_EQ(generator.check(), 0);
}

TEST(Generator, ReadsOneTwoOrThreeLinesForWhatItMoves) {
  EXPECT_EQ(Generator::bytes_of_a_piece(variant_of(Mix::kReads).value()), 4 * kKiB);
  EXPECT_EQ(Generator::bytes_of_a_piece(variant_of(Mix::kOneToOne).value()), 8 * kKiB);
  EXPECT_EQ(Generator::bytes_of_a_piece(variant_of(Mix::kTwoToOne).value()), 12 * kKiB);
  for (const Mix mix : {Mix::kTwoToOne, Mix::kOneToOne}) {
    EXPECT_FALSE(variant_of(mix)->kernel->write_allocates());
  }
}

TEST(Generator, KeepsItsPaceOrIsSlower) {
  Generator generator = small_generator();
  const Variant variant = variant_of(Mix::kReads).value();
  LoadSignals signals;
  std::thread watch([&] {
    while (signals.running == 0) {  // however long a busy machine lets it wait for its first piece
      std::this_thread::yield();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    signals.stop = true;
  });
  const auto start = std::chrono::steady_clock::now();
  generator.run(variant, 1e-3, signals);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  watch.join();
  // The first piece comes at once, and what was missed is made up for in part.
  const double most = seconds.count() / 1e-3 + 18;
  EXPECT_LE(static_cast<double>(generator.bytes()) / (4 * kKiB), most);
  EXPECT_GE(generator.bytes(), 4 * kKiB);
}

}  // namespace
}  // namespace streamgage::engine
