#include "streamgage/base/try.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "streamgage/base/error.hpp"

namespace streamgage {
namespace {

Result<std::unique_ptr<int>> number_in(const std::string& text) {
  if (text.empty()) {
    return usage_error("there is no number");
  }
  return std::make_unique<int>(std::stoi(text));
}

Result<void> must_be_small(int number) {
  return number < 10 ? Result<void>() : failure(std::to_string(number) + " is too large");
}

Result<int> sum_of(const std::string& left, const std::string& right) {
  STREAMGAGE_TRY(const auto first, number_in(left));  // which cannot be copied
  int second = 0;
  STREAMGAGE_TRY(second, number_in(right).map([](const auto& number) { return *number; }));
  STREAMGAGE_TRY(must_be_small(*first + second));
  return *first + second;
}

// An error that holds more than an Error.
struct Refusal {
  Refusal(Error why) : error(std::move(why)) {}  // NOLINT(google-explicit-constructor)
  Error error;
  int tries = 1;
};

tl::expected<void, Refusal> refuse_large(int number) {
  STREAMGAGE_TRY(must_be_small(number));
  return {};
}

TEST(Try, GivesTheValuesOfCallsThatSucceed) { EXPECT_EQ(sum_of("3", "4").value(), 7); }

TEST(Try, ReturnsTheFirstErrorWithItsStatus) {
  EXPECT_EQ(sum_of("", "x").error().message, "there is no number");
  EXPECT_EQ(sum_of("1", "").error().status, ExitStatus::kUsage);
  EXPECT_EQ(sum_of("6", "6").error().message, "12 is too large");
  EXPECT_EQ(sum_of("6", "6").error().status, ExitStatus::kFailed);
}

TEST(Try, ConvertsTheErrorToThatOfTheFunction) {
  EXPECT_TRUE(refuse_large(1));
  EXPECT_EQ(refuse_large(11).error().error.message, "11 is too large");
}

}  // namespace
}  // namespace streamgage
