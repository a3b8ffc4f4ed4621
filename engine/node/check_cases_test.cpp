// The thousand cases by which the engine's check and that of Python agree. The test of the
// same name in tests/unit/test_one_judge.py makes the file and holds Python against it.
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "node/check.hpp"
#include "streamgage/base/units.hpp"
#include "streamgage/topology/machine.hpp"

namespace streamgage::engine {
namespace {

using CheckCase = nlohmann::json;

std::vector<CheckCase> check_cases() {
  std::ifstream file(STREAMGAGE_CHECK_CASES);
  std::vector<CheckCase> cases;
  for (std::string line; std::getline(file, line);) {
    cases.push_back(CheckCase::parse(line));
  }
  return cases;
}

ExpectedRate rate_of(const CheckCase& limit) {
  const double gbps = limit[1].get<double>();
  ExpectedRate rate =
      parse_expected_rate(limit[0].get<std::string>() + fmt::format("={}GB/s", gbps)).value();
  rate.tolerance = 1.0 - limit[2].get<double>() / gbps;
  return rate;
}

NodeResult run_of_case(const Machine& machine, const CheckCase& one) {
  NodeResult result{machine, ElementType::kDouble, 2, 2.0, {}, {}, {}, {}, {}, {}};
  for (const CheckCase& each : one["figures"]) {
    const auto named = parse_expected_rate(each[0].get<std::string>() + "=1GB/s").value();
    Figure figure;
    figure.variant.kernel = named.kernel;
    figure.variant.store = named.store;
    figure.rate.count = 50;
    figure.rate.median = 1e9 * each[1].get<double>();
    if (!each[2].is_null()) {
      figure.rate.interval = Interval{figure.rate.median, 1e9 * each[2].get<double>()};
    }
    if (!each[3].is_null()) {
      figure.valid = each[3].get<bool>();
    }
    result.figures.push_back(figure);
  }
  if (!one["disturbance"].is_null()) {
    result.warnings = {{"other-load", "Sentences.", one["disturbance"].get<std::string>()}};
  }
  return result;
}

std::string verdict_of_case(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFine:
      return "fine";
    case Verdict::kSlow:
      return "slow";
    case Verdict::kWrong:
      return "wrong";
    default:
      return "cannot-tell";
  }
}

TEST(CheckCases, ExpectedRatesAreReadAsByPython) {
  int seen = 0;
  for (const CheckCase& one : check_cases()) {
    if (!one.contains("expect")) {
      continue;
    }
    ++seen;
    const auto parsed = parse_expected_rate(one["expect"].get<std::string>());
    ASSERT_EQ(parsed.has_value(), !one["kernel"].is_null()) << one;
    if (parsed) {
      EXPECT_NEAR(parsed->limit() * 1e-9 / one["least"].get<double>(), 1.0, 1e-12) << one;
    }
  }
  EXPECT_GT(seen, 200);
}

TEST(CheckCases, RatesAreWrittenAsByPython) {
  for (const CheckCase& one : check_cases()) {
    if (one.contains("words")) {
      EXPECT_EQ(format_gbps(1e9 * one["gbps"].get<double>()), one["words"].get<std::string>());
    }
  }
}

TEST(CheckCases, AreJudgedAsByPython) {
  int seen = 0;
  for (const CheckCase& one : check_cases()) {
    if (!one.contains("verdict")) {
      continue;
    }
    ++seen;
    const Machine machine;
    const NodeResult result = run_of_case(machine, one);
    std::vector<ExpectedRate> expected;
    for (const CheckCase& limit : one["limits"]) {
      expected.push_back(rate_of(limit));
    }
    const Verdict verdict = settle(judge(result, expected));
    EXPECT_EQ(verdict_of_case(verdict), one["verdict"].get<std::string>()) << one;
    EXPECT_EQ(format_verdict(verdict, result, expected, one["runs"].get<int>()),
              one["line"].get<std::string>() + '\n')
        << one;
  }
  EXPECT_EQ(seen, 500);
}

}  // namespace
}  // namespace streamgage::engine
