#include "streamgage/counters/pmu/event_terms.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage {
namespace {

const EventFormats kIntel{{"event", {0, 0xff}}, {"umask", {0, 0xff00}}, {"inv", {0, 1U << 23U}}};

std::string refusal_of_terms(std::string_view terms) {
  const auto words = encode_event(kIntel, terms);
  return words ? "accepted" : words.error().message;
}

TEST(EventTerms, ArePutIntoTheFieldsThatTheyName) {
  EXPECT_EQ(encode_event(kIntel, "event=0x04,umask=0x0c").value(), (ConfigWords{0xc04}));
  EXPECT_EQ(encode_event(kIntel, "umask=12,event=4\n").value(), (ConfigWords{0xc04}));
}

TEST(EventTerms, ANameAloneIsAFlag) {
  EXPECT_EQ(encode_event(kIntel, "event=0x04,inv").value(), (ConfigWords{0x80'0004}));
  EXPECT_EQ(encode_event(kIntel, "event=0x04,inv=0").value(), (ConfigWords{0x04}));
}

TEST(EventTerms, MaySetAWholeWord) {
  EXPECT_EQ(encode_event(kIntel, "config=0x1").value(), (ConfigWords{1}));
  EXPECT_EQ(encode_event(kIntel, "config2=0xffffffffffffffff").value(),
            (ConfigWords{0, 0, ~std::uint64_t{0}}));
  EXPECT_EQ(encode_event({{"config", {1, 0xf}}}, "config=3").value(), (ConfigWords{0, 3}));
}

TEST(EventTerms, UnknownOrTooWideAreRefusedByName) {
  EXPECT_EQ(refusal_of_terms("event=4,rdwrmask=1"), "the PMU has no field for the term 'rdwrmask'");
  EXPECT_EQ(refusal_of_terms("event=4,config9=1"), "the PMU has no field for the term 'config9'");
  EXPECT_EQ(refusal_of_terms("event=0x104"),
            "the term 'event': the value 0x104 is too wide for it");
}

TEST(EventTerms, ThatAreGarbageAreRefused) {
  for (const char* terms : {"", ",", "event=", "=4", "event=4,", "event=?", "event=0x", "event=-1",
                            "event=4 4", "event=0x10000000000000000", "event==4", "event=0xzz"}) {
    EXPECT_THAT(refusal_of_terms(terms), testing::HasSubstr("is not a term of an event")) << terms;
  }
}

}  // namespace
}  // namespace streamgage
