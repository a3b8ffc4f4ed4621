#include "streamgage/counters/pmu/event_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace streamgage {
namespace {

ConfigWords placed(const char* format, std::uint64_t value) {
  ConfigWords words{};
  EXPECT_TRUE(place_value(parse_event_format(format).value(), value, words)) << format;
  return words;
}

std::string refusal_of_format(const char* format) {
  const auto parsed = parse_event_format(format);
  return parsed ? "accepted" : parsed.error().message;
}

TEST(EventFormat, IsARangeOfBitsOfAWordWithOrWithoutANewline) {
  EXPECT_EQ(parse_event_format("config:0-7").value(), (EventFormat{0, 0xff}));
  EXPECT_EQ(parse_event_format("config:0-7\n").value(), (EventFormat{0, 0xff}));
  EXPECT_EQ(parse_event_format("config:18\n").value(), (EventFormat{0, 1U << 18U}));
  EXPECT_EQ(parse_event_format("config1:0-63").value(), (EventFormat{1, ~std::uint64_t{0}}));
  EXPECT_EQ(parse_event_format("config2:3-8").value(), (EventFormat{2, 0x1f8}));
  EXPECT_EQ(parse_event_format("config3:63").value(), (EventFormat{3, std::uint64_t{1} << 63U}));
}

TEST(EventFormat, MayHaveItsBitsApart) {
  EXPECT_EQ(parse_event_format("config:8-15,32-55").value(),
            (EventFormat{0, 0x00ff'ffff'0000'ff00}));
  // AMD's data fabric: event 0x147 is 0x47 in bits 0-7 and 1 in bit 32.
  EXPECT_EQ(placed("config:0-7,32-35,59-60", 0x147), (ConfigWords{0x1'0000'0047}));
  EXPECT_EQ(placed("config:0-7,32-35,59-60", 0x3fff), (ConfigWords{0x1800'000f'0000'00ff}));
  EXPECT_EQ(placed("config:32-35,0-7", 0x147), (ConfigWords{0x1'0000'0047}));
}

TEST(EventFormat, KeepsTheOtherFieldsOfItsWord) {
  ConfigWords words{0x04};
  EXPECT_TRUE(place_value({0, 0xff00}, 0x0c, words));
  EXPECT_EQ(words[0], 0xc04U);
}

TEST(EventFormat, RefusesAValueThatIsTooWide) {
  ConfigWords words{};
  const auto done = place_value(parse_event_format("config:8-15").value(), 0x100, words);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "the value 0x100 is too wide for it");
  EXPECT_EQ(words, ConfigWords{});
}

TEST(EventFormat, BeyondBit63IsRefused) {
  EXPECT_EQ(refusal_of_format("config:0-64"), "'0-64' names a bit beyond 63");
  EXPECT_EQ(refusal_of_format("config:0-7,99999"), "'99999' names a bit beyond 63");
}

TEST(EventFormat, ThatIsGarbageIsRefused) {
  for (const char* text : {"", "\n", "config", "config4:0-7", "umask:0-7", ":0-7"}) {
    EXPECT_THAT(refusal_of_format(text), testing::HasSubstr("is not a field of config")) << text;
  }
  for (const char* text : {"config:", "config:7-0", "config:0-7,", "config:a-b", "config:-7",
                           "config:0--7", "config:99999999999999999999999"}) {
    EXPECT_THAT(refusal_of_format(text), testing::HasSubstr("is not a range of bits")) << text;
  }
}

}  // namespace
}  // namespace streamgage
