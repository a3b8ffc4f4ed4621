#include "measure/tuning/tuner.hpp"

#include <algorithm>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/choose_variants.hpp"
#include "kernels/vector/prefetch.hpp"
#include "kernels/vector/shapes.hpp"
#include "measure/tuning/choose_shapes.hpp"

namespace streamgage::engine {
namespace {

// Elements so that a race of all shapes takes milliseconds.
constexpr std::int64_t kElements = 40'000;

class Tuners : public testing::Test {
 protected:
  void prepare(const Plan& plan) {
    decision_.choice = choose_variants(plan).value();
    decision_.size.elements = kElements;
    decision_.size.bytes = kElements * sizeof(double);
    decision_.size_request.last_level_cache_bytes = 0;  // as if no cache held the arrays
    decision_.seed = 3;
    workload_.emplace(Workload::reserve(decision_.size, plan.type,
                                        arrays_needed(decision_.choice.variants), team_.size(), {})
                          .value());
    workload_->touch(team_);
  }

  bool choose(
      const Plan& plan, const std::function<bool()>& stopped = [] { return false; }) {
    return choose_shapes(plan, team_, *workload_, decision_, stopped, [this](const Tuning& one) {
      tunings_.push_back(one);
      return true;
    });
  }

  [[nodiscard]] std::size_t tuned_variants() const {
    const auto& variants = decision_.choice.variants;
    return static_cast<std::size_t>(std::count_if(variants.begin(), variants.end(),
                                                  [](const Variant& one) { return one.tuned; }));
  }

  static Plan plan_of(std::vector<std::string> kernels) {
    Plan plan;
    plan.kernels = std::move(kernels);
    plan.stores = {"plain", "regular"};
    return plan;
  }

  Team team_ = Team::assemble({PlacementKind::kNone, 2, {}}).value();
  Decision decision_;
  std::optional<Workload> workload_;
  std::vector<Tuning> tunings_;
};

TEST_F(Tuners, GiveEveryKernelThatWriteAllocatesATwinThatForcesItsReads) {
  Plan plan = plan_of({"copy", "daxpy", "triad"});
  plan.tuning = TuningRequest{0.2, {}};
  plan.checks = true;
  prepare(plan);
  ASSERT_TRUE(choose(plan));
  for (const Tuning& tuning : tunings_) {
    const bool can = tuning.variant.kernel->write_allocates() && kHasPrefetch;
    EXPECT_EQ(tuning.forced_read.has_value(), can);
  }
  for (const char* kernel : {"copy", "daxpy", "triad"}) {
    const auto twins = std::count_if(
        decision_.choice.variants.begin(), decision_.choice.variants.end(),
        [&](const Variant& one) { return one.kernel->name == kernel && forces_reads(one); });
    EXPECT_EQ(twins, kHasPrefetch && std::string_view(kernel) != "daxpy" ? 1 : 0) << kernel;
  }
}

TEST_F(Tuners, LeaveOneVariantOfEachKernelThatIsEvidence) {
  Plan plan = plan_of({"triad"});
  plan.evidence = {"copy", "update", "daxpy"};
  plan.tuning = TuningRequest{0.2, {}};
  plan.checks = true;
  const AccessShape shape{2, 4096, std::nullopt, 1024};
  for (const char* kernel : {"copy", "update"}) {
    plan.tuning->known.push_back({kernel, "regular", vector_targets().front().isa, shape, shape});
  }
  plan.tuning->known.push_back({"daxpy", "regular", vector_targets().front().isa, {}});
  prepare(plan);
  ASSERT_TRUE(choose(plan));
  std::map<std::string, std::vector<const Variant*>> found;
  for (const Variant& variant : decision_.choice.variants) {
    found[std::string(variant.kernel->name)].push_back(&variant);
  }
  ASSERT_EQ(found["copy"].size(), kHasPrefetch ? 1U : 0U);
  for (const Variant* copy : found["copy"]) {
    EXPECT_EQ(copy->purpose, Purpose::kForcedRead);
    EXPECT_EQ(copy->shape, shape);
  }
  for (const char* kernel : {"update", "daxpy"}) {
    ASSERT_EQ(found[kernel].size(), 1U) << kernel;
    EXPECT_EQ(found[kernel].front()->purpose, Purpose::kEvidence);
  }
  EXPECT_TRUE(found["update"].front()->tuned);
  EXPECT_FALSE(found["daxpy"].front()->tuned);
}

TEST_F(Tuners, RaceNothingForEvidenceAlone) {
  Plan plan = plan_of({"triad"});
  plan.stores = {"plain"};
  plan.evidence = {"triad", "daxpy"};
  plan.tuning = TuningRequest{0.2, {}};
  plan.checks = true;
  prepare(plan);
  ASSERT_TRUE(choose(plan));
  EXPECT_TRUE(tunings_.empty());
  EXPECT_EQ(decision_.choice.variants.size(), kHasPrefetch ? 3U : 2U);
  plan.stores = {"regular"};
  prepare(plan);
  ASSERT_TRUE(choose(plan));
  EXPECT_EQ(tunings_.size(), 2U);
}

TEST_F(Tuners, TakeTheTwinThatIsKnown) {
  Plan plan = plan_of({"copy"});
  plan.tuning = TuningRequest{0.2, {}};
  plan.checks = true;
  prepare(plan);
  const AccessShape shape{2, 4096, std::nullopt, 1024};
  const std::string isa = decision_.choice.variants.back().isa;
  plan.tuning->known = {{"copy", "regular", isa, AccessShape{}, shape}};
  ASSERT_TRUE(choose(plan));
  const Variant& twin = decision_.choice.variants.back();
  if (kHasPrefetch) {
    EXPECT_EQ(twin.purpose, Purpose::kForcedRead);
    EXPECT_EQ(*twin.shape, shape);
  }
}

TEST_F(Tuners, RaceAllShapesAndBelieveOnlyWhatThePairsConfirm) {
  Plan plan = plan_of({"sum", "daxpy", "sdaxpy"});
  plan.tuning = TuningRequest{0.2, {}};
  prepare(plan);
  ASSERT_TRUE(choose(plan));
  ASSERT_EQ(tunings_.size(), 3U);
  std::size_t believed = 0;
  for (const Tuning& tuning : tunings_) {
    const auto shapes = candidate_shapes(*tuning.variant.kernel, VectorStore::kRegular);
    EXPECT_EQ(tuning.source, ShapeSource::kRaced);
    EXPECT_EQ(tuning.candidates, shapes.size());
    EXPECT_GE(tuning.samples, shapes.size());
    EXPECT_THAT(shapes, testing::Contains(tuning.fastest));
    EXPECT_EQ(tuning.pairs.ratio.has_value(), tuning.pairs.count > 0);
    EXPECT_EQ(tuning.pairs.count > 0, tuning.fastest != AccessShape{});
    EXPECT_EQ(tuning.variant.tuned, tuning.pairs.low.value_or(0.0) > 1.005);
    EXPECT_EQ(*tuning.variant.shape, tuning.variant.tuned ? tuning.fastest : AccessShape{});
    believed += tuning.variant.tuned ? 1 : 0;
  }
  EXPECT_EQ(tuned_variants(), believed);
}

TEST_F(Tuners, LeaveTheArraysAsTheyWereForWhatFollows) {
  Plan plan = plan_of({"sdaxpy", "bracket", "triad"});
  plan.tuning = TuningRequest{0.1, {}};
  prepare(plan);
  ASSERT_TRUE(choose(plan));
  EXPECT_EQ(workload_->check_array(team_, 0).wrong, 0);
  for (const Variant& variant : decision_.choice.variants) {
    EXPECT_TRUE(workload_->run(team_, variant, 3).spot_check_passed);
    Timing timing;
    EXPECT_EQ(workload_->run_and_check(team_, variant, timing).wrong, 0);
  }
}

TEST_F(Tuners, TakeAShapeThatIsKnownAndRaceOneThatDoesNotExist) {
  Plan plan = plan_of({"sum", "copy"});
  const std::string isa = vector_targets().front().isa;
  const AccessShape known{4, 4096, std::nullopt, std::nullopt};
  const AccessShape wrong{3, 0, std::nullopt, std::nullopt};
  plan.tuning =
      TuningRequest{0.1, {{"sum", "regular", isa, known}, {"copy", "regular", isa, wrong}}};
  prepare(plan);
  ASSERT_TRUE(choose(plan));
  ASSERT_EQ(tunings_.size(), 2U);
  EXPECT_EQ(tunings_[0].source, ShapeSource::kKnown);
  EXPECT_EQ(*tunings_[0].variant.shape, known);
  EXPECT_EQ(tunings_[0].samples, 0U);
  EXPECT_EQ(tunings_[1].source, ShapeSource::kRaced);
  EXPECT_EQ(std::string(tunings_[1].variant.kernel->name), "copy");
  EXPECT_GE(tuned_variants(), 1U);
}

TEST_F(Tuners, RememberThatNothingWasGained) {
  Plan plan = plan_of({"sum"});
  plan.tuning = TuningRequest{0.1, {{"sum", "regular", vector_targets().front().isa, {}}}};
  prepare(plan);
  ASSERT_TRUE(choose(plan));
  EXPECT_EQ(tunings_.front().source, ShapeSource::kKnown);
  EXPECT_EQ(tuned_variants(), 0U);
}

TEST_F(Tuners, RaceNothingInCachesAndNothingWithAShapeByHand) {
  Plan plan = plan_of({"copy"});
  plan.tuning = TuningRequest{};
  prepare(plan);
  decision_.size_request.last_level_cache_bytes = decision_.size.bytes + 1;
  ASSERT_TRUE(choose(plan));
  ASSERT_EQ(tunings_.size(), 1U);
  EXPECT_EQ(tunings_.front().source, ShapeSource::kSkipped);
  EXPECT_EQ(tuned_variants(), 0U);

  tunings_.clear();
  plan.tuning.reset();
  plan.shape = AccessShape{2, 0, std::nullopt, std::nullopt};
  prepare(plan);
  ASSERT_TRUE(choose(plan));
  ASSERT_EQ(tunings_.size(), 1U);
  EXPECT_EQ(tunings_.front().source, ShapeSource::kGiven);
  EXPECT_EQ(tuned_variants(), 1U);
}

TEST_F(Tuners, StopWhenTheyAreAsked) {
  Plan plan = plan_of({"sum", "copy"});
  plan.tuning = TuningRequest{1000.0, {}};  // however slow the machine, no race ends before
  prepare(plan);
  int asked = 0;
  EXPECT_FALSE(choose(plan, [&asked] { return ++asked > 30; }));
  EXPECT_EQ(asked, 31);
  EXPECT_TRUE(tunings_.empty());
}

TEST_F(Tuners, ReportWhatTheyDecidedInARecord) {
  Plan plan = plan_of({"sum"});
  plan.tuning = TuningRequest{0.05, {}};
  prepare(plan);
  ASSERT_TRUE(choose(plan));
  const Json record = to_record(tunings_.front());
  EXPECT_EQ(record["record"], "tuning");
  EXPECT_EQ(record["kernel"], "sum");
  EXPECT_EQ(record["store"], "regular");
  EXPECT_EQ(record["source"], "raced");
  EXPECT_EQ(record["shape"]["streams"], tunings_.front().variant.shape->streams);
  EXPECT_EQ(record["ratio"].is_null(), record["pairs"] == 0);
}

}  // namespace
}  // namespace streamgage::engine
