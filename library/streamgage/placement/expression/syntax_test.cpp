#include "streamgage/placement/expression/syntax.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& text) {
  const auto expression = parse_expression(text);
  EXPECT_FALSE(expression) << text;
  return expression ? "" : expression.error().message;
}

TEST(Syntax, CutsAnExpressionAtItsSigns) {
  const auto expression = parse_expression(" S0:0-1 @ E:M1:4:2:4:1@C:scatter@3, 1-0");
  ASSERT_TRUE(expression) << expression.error().message;
  ASSERT_EQ(expression->parts.size(), 4U);
  EXPECT_EQ(expression->parts[0].text, "S0:0-1");
  const auto& strided = std::get<StridedInDomain>(expression->parts[1].what);
  EXPECT_EQ(strided.domain.kind, DomainKind::kMemory);
  EXPECT_EQ(strided.domain.number, 1);
  EXPECT_EQ(strided.count, 4);
  EXPECT_EQ(strided.chunk, 2);
  EXPECT_EQ(strided.stride, 4);
  EXPECT_EQ(strided.offset, 1);
  const auto& spread = std::get<SpreadOverDomains>(expression->parts[2].what);
  EXPECT_EQ(spread.kind, DomainKind::kCache);
  EXPECT_FALSE(spread.number || spread.count);
  const auto& numbered = std::get<NumberedCpus>(expression->parts[3].what);
  ASSERT_EQ(numbered.cpus.size(), 2U);
  EXPECT_EQ(numbered.cpus[1].first, 1);
  EXPECT_EQ(numbered.cpus[1].last, 0);
}

TEST(Syntax, RefusesWhatItDoesNotKnowAndSaysWhatItDoes) {
  EXPECT_THAT(error_of(""), HasSubstr("the placement is empty"));
  EXPECT_THAT(error_of("foo"), HasSubstr("foo: 'foo' is not a domain; domains are N (the node)"));
  EXPECT_THAT(error_of("Q0:0"), HasSubstr("'Q0' is not a domain"));
  EXPECT_THAT(error_of("s0"), HasSubstr("'s0' is not a domain"));
  EXPECT_THAT(error_of("E"), HasSubstr("a domain is missing"));
  EXPECT_THAT(error_of("S"), HasSubstr("write S0 for the first one, or S:scatter"));
  EXPECT_THAT(error_of("N1"), HasSubstr("there is only one node, N"));
  EXPECT_THAT(error_of("S0:"), HasSubstr("a number or range is missing; write"));
  EXPECT_THAT(error_of("S0:1-"), HasSubstr("'1-' is not a number or range"));
  EXPECT_THAT(error_of("S0:0:1"), HasSubstr("S0 takes one list of indexes, such as S0:0-3"));
  EXPECT_THAT(error_of("L:S0"), HasSubstr("S0 takes one list"));
  EXPECT_THAT(error_of("E:N:8:2"), HasSubstr("a chunk needs a stride"));
  EXPECT_THAT(error_of("E:N:8:0:2"), HasSubstr("'0' is not a valid chunk; write a number from 1"));
  EXPECT_THAT(error_of("E:N:0"), HasSubstr("'0' is not a valid number of CPUs"));
  EXPECT_THAT(error_of("E:N:1:1:1:1:1"), HasSubstr("there are too many fields"));
  EXPECT_THAT(error_of("S:scatter:1:2"), HasSubstr("only the number of CPUs may follow"));
  EXPECT_THAT(error_of("S0:0@@S1:0"), HasSubstr("has an empty part"));
  EXPECT_THAT(error_of("0,-1"), HasSubstr("'-1' is not a number or range"));
}

TEST(Syntax, BoundsItsNumbersAndItsLength) {
  EXPECT_THAT(error_of("0-1048577"), HasSubstr("is not a number or range"));
  EXPECT_THAT(error_of("99999999999999999999"), HasSubstr("is not a number or range"));
  EXPECT_THAT(error_of(std::string(70'000, '0')), HasSubstr("at most 65536"));
  EXPECT_LT(error_of(std::string(60'000, 'x')).size(), 300U);
}

TEST(Syntax, ShowsNoControlCharacters) {
  EXPECT_THAT(error_of("S\x1b[31m"), testing::Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace streamgage
